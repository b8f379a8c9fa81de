import { connect } from 'node:net';
import { formOf } from './v1.js';

/** A response to a store's plugin. */
export interface WireAnswer {
  status: number;
  /** The raw head. */
  head: string;
  text: string;
  // Each test asserts the shape.
  body: any;
}

/** A store. `token`: `0` while it is not connected to an account. */
export interface Store {
  url: string;
  domain: string;
  token: string;
  licenseKey: string;
}

type Fields = Record<string, unknown>;

/** Requests as WordPress sends them: one connection each, forms, and a Referer with the whole query. */
export class PluginWire {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** A POST with the fields of every call. */
  post(path: string, fields: Fields = {}, http: '1.0' | '1.1' = '1.1'): Promise<WireAnswer> {
    return this.#send(this.#postBytes(path, { ...this.#known(), ...fields }, http));
  }

  /** The hourly token check: empty body, only the bearer token. */
  checkToken(): Promise<WireAnswer> {
    return this.#send(this.#postBytes('/licenses', {}, '1.1'));
  }

  /** A POST whose connection is lost after sending. */
  async lose(path: string, fields: Fields): Promise<void> {
    const socket = await this.#open();
    const bytes = this.#postBytes(path, { ...this.#known(), ...fields }, '1.1');
    await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
    socket.destroySoon();
  }

  get(path: string, fields: Fields): Promise<WireAnswer> {
    const target = `/api${path}?${formOf(fields)}`;
    return this.#send(`${this.#head('GET', target, '1.1')}\r\n`);
  }

  #known(): Fields {
    const { licenseKey, domain, token } = this.#store;
    return { license_key: licenseKey, domain, token, version: '2.1.1' };
  }

  #postBytes(path: string, fields: Fields, http: string): string {
    const body = formOf(fields);
    const type = `application/x-www-form-urlencoded${http === '1.0' ? '; charset=UTF-8' : ''}`;
    return `${this.#head('POST', `/api${path}`, http)}Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  }

  #head(method: string, target: string, http: string): string {
    const { url, domain, token } = this.#store;
    const { host } = new URL(url);
    const lines = [
      `${method} ${target} HTTP/${http}`,
      `Host: ${host}`,
      `User-Agent: WordPress/6.1; https://${domain}`,
      'Accept-Encoding: deflate, gzip',
      `Referer: ${url}${target}`,
      'accept: application/json',
      ...(token === '0' ? [] : [`Authorization: Bearer ${token}`]),
      'Connection: close',
    ];
    return `${lines.join('\r\n')}\r\n`;
  }

  #open() {
    const { hostname, port } = new URL(this.#store.url);
    const socket = connect(Number(port), hostname);
    return new Promise<typeof socket>((resolve, reject) => {
      socket.once('connect', () => resolve(socket));
      socket.once('error', reject);
    });
  }

  async #send(bytes: string): Promise<WireAnswer> {
    const socket = await this.#open();
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // The service closes the connection after the first request.
    const ended = new Promise<void>((resolve, reject) => {
      socket.once('end', resolve);
      socket.once('error', reject);
    });
    socket.write(bytes);
    await ended;
    socket.destroy();
    return parsed(Buffer.concat(chunks).toString('utf8'));
  }
}

function parsed(answer: string): WireAnswer {
  const end = answer.indexOf('\r\n\r\n');
  const head = answer.slice(0, end);
  const text = answer.slice(end + 4);
  if (/^transfer-encoding:/im.test(head)) throw new Error(`a body in chunks: ${head}`);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
  return { status, head, text, body: /^[[{]/.test(text) ? JSON.parse(text) : undefined };
}

/** PHP's `(int)`: leading digits, at most 64 bits. */
export function phpInt(text: string): string {
  const digits = /^\s*(\d+)/.exec(text)?.[1] ?? '0';
  const value = BigInt(digits);
  return String(value > 2n ** 63n - 1n ? 2n ** 63n - 1n : value);
}

/** The plugin's fields of an order; with a billing address only, the delivery fields are empty. */
export function pluginOrder(id: number, { billingOnly = false } = {}): Fields {
  const address = {
    address_1: 'דיזנגוף',
    address_2: '99',
    city: 'תל אביב-יפו',
    state: '',
    postcode: '6433221',
  };
  const person = {
    first_name: 'דנה',
    last_name: 'לוי-כהן',
    company: '',
    country: 'IL',
    phone: '050-123 4567',
  };
  return {
    ship_data: {
      street: billingOnly ? '' : 'הרצל',
      number: billingOnly ? '' : '12 א',
      city: billingOnly ? '' : 'חיפה',
      company: '',
      note: 'קומה 3\r\nלהשאיר ליד הדלת 🎁 & "תודה"',
      urgent: '1',
      pickup: '',
      pickup_address: '',
      floor: '3',
      type: '1',
      packages: '0',
      return: '1',
      motor: '1',
      woo_id: String(id),
      extra_note: '',
      contact_name: billingOnly ? ' ' : 'דנה לוי-כהן',
      contact_phone: billingOnly ? '' : '050-123 4567',
      contact_mail: billingOnly ? '' : 'dana@example.test',
      exaction_date: '',
      collect: '',
      delivery_time: '25-11-2026 3-06-38',
    },
    order: {
      id,
      parent_id: 0,
      status: 'processing',
      currency: 'ILS',
      version: '7.1.0',
      prices_include_tax: false,
      discount_total: '0',
      shipping_total: '29.9',
      total: '249.9',
      customer_id: 0,
      order_key: 'wc_order_x',
      billing: { ...person, ...address, email: 'dana@example.test' },
      shipping: { ...person, ...address },
      payment_method: 'bacs',
      customer_ip_address: '203.0.113.7',
      customer_note: '',
      recorded_sales: true,
      number: String(id),
      shipping_lines: {
        88: {
          id: 'flat_rate',
          method_id: 'flat_rate',
          method_title: 'משלוח עד הבית',
          instance_id: '3',
          total: '29.9',
          total_tax: '0',
          taxes: { total: { 7: '' } },
        },
      },
    },
    order_items: [
      {
        id: 5,
        name: 'ספל / כוס',
        quantity: 2,
        total: '84.745763',
        price: '42.37',
        sku: '',
        variation_id: 0,
        variation_name: '',
        image: 'https://shop.example/i.png?a=1&b=2',
        gallery_images: ['https://shop.example/1.png', 0],
      },
      {
        id: 6,
        name: 'מתנה',
        quantity: 1,
        total: 0,
        price: 0,
        sku: 'G+1',
        variation_id: 0,
        variation_name: '',
        image: 0,
      },
    ],
  };
}
