import exceljs from 'exceljs';
import type { Cell } from '../../src/domain/imports/edits.js';

/** Shops whose exports are made here: CSV with Hebrew, CSV with a row for each product, a workbook. */
export const SHOPS = ['woocommerce', 'shopify', 'magento'] as const;
export type Shop = (typeof SHOPS)[number];

/** A cell of an order that no parcel can be made from. `line`: its row in the file; `right`: what mends it. */
export interface ShopFault {
  orderId: string;
  line: number;
  cell: Cell;
  right: string;
}

export interface ShopFile {
  name: string;
  content: Uint8Array<ArrayBuffer>;
  /** Of all orders once every fault is mended, in the order of the file. */
  orderIds: string[];
  /** One for each kind of fault, each in another order. */
  faults: ShopFault[];
}

interface Order {
  id: string;
  name: string;
  phone: string;
  email: string;
  street: string;
  city: string;
  note: string;
  total: string;
  product: string;
}

type Field = keyof Order;

const CELL_OF: Record<string, Cell> = {
  id: 'order.id',
  name: 'ship_data.contact_name',
  phone: 'ship_data.contact_phone',
  email: 'ship_data.contact_mail',
  street: 'ship_data.street',
  city: 'ship_data.city',
  note: 'ship_data.note',
};

/** The fault of each faulty order. `id`: the number of the order before, as another person's. */
const FAULTS: readonly [Field, (before: Order) => string][] = [
  ['phone', () => ''],
  ['phone', () => 'call first'],
  ['phone', () => '9.72501E+11'],
  ['phone', () => '--'],
  ['name', () => ''],
  ['name', () => 'Dana '.repeat(60)],
  ['city', () => ''],
  ['street', () => ''],
  ['email', () => 'dana.example.com'],
  ['email', () => 'dana@'],
  ['note', () => 'Ring twice. '.repeat(100)],
  ['id', ({ id }) => id],
];

const WORDS = {
  english: {
    names: ['Dana Levi', 'Avi Bar', 'Noa Cohen', 'Yossi Mizrahi', 'Rachel Peretz'],
    streets: ['Herzl', 'Allenby', 'HaNassi Blvd', 'King George'],
    cities: ['Haifa', 'Tel Aviv', 'Jerusalem', 'Lod'],
    products: ['Blue cup', 'Large plate, white'],
  },
  hebrew: {
    names: ['דנה לוי', 'אבי בר', 'נועה כהן', 'יוסי מזרחי', 'רחל פרץ'],
    streets: ['הרצל', 'אלנבי', 'שד׳ הנשיא', 'המלך ג׳ורג׳'],
    cities: ['חיפה', 'תל אביב', 'ירושלים', 'לוד'],
    products: ['כוס כחולה', 'צלחת גדולה, לבנה'],
  },
};

/** How a shop writes its orders; of several rows the first names the recipient. */
const EXPORTS: Record<
  Shop,
  {
    words: keyof typeof WORDS;
    idOf: (number: number) => string;
    header: readonly string[];
    rowsOf: (order: Order, index: number) => string[][];
  }
> = {
  woocommerce: {
    words: 'hebrew',
    idOf: String,
    header:
      'Order Number,Order Status,Order Date,Customer Note,First Name (Billing),Last Name (Billing),Company (Billing),Address 1&2 (Billing),City (Billing),State Code (Billing),Postcode (Billing),Country Code (Billing),Email (Billing),Phone (Billing),First Name (Shipping),Last Name (Shipping),Address 1&2 (Shipping),City (Shipping),State Code (Shipping),Postcode (Shipping),Country Code (Shipping),Payment Method Title,Order Total Amount,SKU,Item #,Item Name,Quantity (- Refund),Item Cost'.split(
        ',',
      ),
    rowsOf: (order) => {
      const { id, note, street, city, email, phone, total, product } = order;
      const names = namesOf(order);
      const address = [street, city, '', '3100000', 'IL'];
      const payer = [...names, '', ...address, email, phone];
      const item = ['אשראי', total, 'CUP-1', '1', product, '1', total];
      return [[id, 'processing', '2026-11-27 09:12', note, ...payer, ...names, ...address, ...item]];
    },
  },
  shopify: {
    words: 'english',
    idOf: (number) => `#${number}`,
    header:
      'Name,Email,Financial Status,Paid at,Fulfillment Status,Currency,Subtotal,Shipping,Taxes,Total,Shipping Method,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Lineitem requires shipping,Billing Name,Billing Street,Billing Address1,Billing Address2,Billing Company,Billing City,Billing Zip,Billing Province,Billing Country,Billing Phone,Shipping Name,Shipping Street,Shipping Address1,Shipping Address2,Shipping Company,Shipping City,Shipping Zip,Shipping Province,Shipping Country,Shipping Phone,Notes,Cancelled at'.split(
        ',',
      ),
    rowsOf: ({ id, name, email, street, city, phone, note, total, product }, index) => {
      const address = [name, street, street, '', '', city, "'3100000", '', 'IL', phone];
      const paid = ['paid', '2026-11-27 09:12:00 +0200', 'unfulfilled', 'ILS', total, '0.00', '0.00', total];
      const item = ['1', product, total, 'CUP-1', 'true'];
      const sent = ['Standard', '2026-11-27 09:11:58 +0200'];
      const first = [id, email, ...paid, ...sent, ...item, ...address, ...address, note, ''];
      if (index % 3 > 0) return [first];
      // Of a further product the shop writes the number and the product alone.
      const more = ['2', 'Plate', '20.00', 'PLATE-1', 'true'];
      const second = [id, email, ...Array<string>(10).fill(''), ...more];
      return [first, [...second, ...Array<string>(first.length - second.length).fill('')]];
    },
  },
  magento: {
    words: 'english',
    idOf: (number) => String(number).padStart(9, '0'),
    header:
      'increment_id,created_at,status,customer_email,grand_total,order_currency_code,shipping_firstname,shipping_lastname,shipping_company,shipping_street,shipping_city,shipping_region,shipping_postcode,shipping_country_id,shipping_telephone,customer_note'.split(
        ',',
      ),
    rowsOf: (order) => {
      const { id, email, total, street, city, phone, note } = order;
      const paid = [email, total, 'ILS'];
      const address = ['', street, city, '', '3100000', 'IL', phone];
      return [[id, '2026-11-27 09:12:00', 'processing', ...paid, ...namesOf(order), ...address, note]];
    },
  },
};

function namesOf({ name }: Order): [string, string] {
  const [first = '', ...last] = name.trim().split(' ');
  return [first, last.join(' ')];
}

/**
 * A shop's export of orders, with twelve faults in as many orders. `first`: the number of the first order; `orders`: 24 at
 * least.
 */
export async function shopFile(shop: Shop, { orders = 300, first = 1001 } = {}): Promise<ShopFile> {
  const { words, idOf, header, rowsOf } = EXPORTS[shop];
  const whole = Array.from({ length: orders }, (_, index) => orderOf(words, idOf(first + index), index));
  const step = Math.floor(orders / FAULTS.length);
  const rows: string[][] = [[...header]];
  const faults: ShopFault[] = [];
  for (const [index, order] of whole.entries()) {
    const [field, wrong] = (index % step === 1 ? FAULTS[(index - 1) / step] : undefined) ?? [];
    const before = whole[index - 1];
    const line = rows.length + 1;
    const isFaulty = field !== undefined && wrong !== undefined && before !== undefined;
    rows.push(...rowsOf(isFaulty ? { ...order, [field]: wrong(before) } : order, index));
    const cell = CELL_OF[field ?? ''];
    if (!isFaulty || cell === undefined) continue;
    const right = cell === 'ship_data.street' ? 'Jaffa' : order[field];
    faults.push({ orderId: order.id, line, cell, right });
  }
  const kind = shop === 'magento' ? 'xlsx' : 'csv';
  const content = kind === 'csv' ? csvOf(rows) : await workbookOf(rows);
  return { name: `${shop}-orders.${kind}`, content, orderIds: whole.map(({ id }) => id), faults };
}

function orderOf(language: keyof typeof WORDS, id: string, index: number): Order {
  const words = WORDS[language];
  const from = (list: readonly string[]) => list[index % list.length] ?? '';
  return {
    id,
    name: from(words.names),
    phone: `05${index % 10}-${String(1_000_000 + index * 7919).slice(0, 7)}`,
    email: `buyer${index}@example.com`,
    street: `${from(words.streets)} ${1 + (index % 90)}`,
    city: from(words.cities),
    note: index % 5 === 0 ? 'Leave it at the door, "please"' : '',
    total: `${20 + (index % 300)}.90`,
    product: from(words.products),
  };
}

function csvOf(rows: readonly string[][]): Uint8Array<ArrayBuffer> {
  const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const text = rows.map((cells) => cells.map(cell).join(',')).join('\r\n');
  return new TextEncoder().encode(`\ufeff${text}\r\n`);
}

async function workbookOf(rows: readonly string[][]): Promise<Uint8Array<ArrayBuffer>> {
  const workbook = new exceljs.Workbook();
  workbook.addWorksheet('Orders').addRows(rows.map((cells) => [...cells]));
  return new Uint8Array(await workbook.xlsx.writeBuffer());
}
