import { type StackOptions, startStack, type TestAccount, type TestStack } from './stack.js';

/** A response with its body as sent and as parsed. */
export interface ApiResponse {
  status: number;
  headers: Headers;
  text: string;
  // Each test asserts the shape.
  body: any;
}

/** A v2 client with the account's credentials. */
export class ApiClient {
  constructor(
    readonly url: string,
    readonly account: TestAccount,
  ) {}

  /** Headers of every request. */
  get headers(): Record<string, string> {
    return {
      accept: 'application/json',
      'content-type': 'application/json',
      'x-client-id': this.account.clientId,
      'x-client-secret': this.account.clientSecret,
    };
  }

  get(path: string, headers: Record<string, string> = {}): Promise<ApiResponse> {
    return this.#send('GET', path, undefined, headers);
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> {
    return this.#send('POST', path, JSON.stringify(body), headers);
  }

  patch(path: string, body: unknown): Promise<ApiResponse> {
    return this.#send('PATCH', path, JSON.stringify(body), {});
  }

  delete(path: string): Promise<ApiResponse> {
    return this.#send('DELETE', path, undefined, {});
  }

  /** Creates a shipment under a key. */
  create(body: unknown, key?: string): Promise<ApiResponse> {
    return this.post('/shipments', body, key === undefined ? {} : { 'idempotency-key': key });
  }

  async #send(method: string, path: string, body: string | undefined, headers: Record<string, string>) {
    const response = await fetch(`${this.url}/api/v2${path}`, {
      method,
      headers: { ...this.headers, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? undefined : JSON.parse(text),
    };
  }
}

let orders = 0;

/** A valid creation body for the account's license with the provider. */
export function shipmentBody(
  account: TestAccount,
  provider: string,
  overrides: { order?: object; ship_data?: object } = {},
) {
  orders += 1;
  return {
    license_key: account.licenseKeys[provider],
    ship_data: {
      contact_name: 'Dana Levi',
      contact_phone: '0501234567',
      street: 'Dizengoff',
      number: '50',
      city: 'Tel Aviv',
      type: 1,
      return: 1,
      ...overrides.ship_data,
    },
    order: { id: `order-${process.pid}-${orders}`, total: '99.90', currency: 'ILS', ...overrides.order },
  };
}

/** A stack with its workers and an API with these settings, and a client of its account. */
export async function startApiStack(
  options: StackOptions = {},
  settings: Parameters<TestStack['startApi']>[1] = {},
): Promise<{ stack: TestStack; api: ApiClient }> {
  const stack = await startStack(options);
  await stack.startWorkers();
  return { stack, api: new ApiClient(await stack.startApi(undefined, settings), stack.account) };
}
