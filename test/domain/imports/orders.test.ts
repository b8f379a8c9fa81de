import test from 'ava';
import { readTable, type Unreadable } from '../../../src/documents/imports/table.js';
import { ordersOf } from '../../../src/domain/imports/orders.js';
import { recognize } from '../../../src/domain/imports/recognize.js';
import { countryCode } from '../../../src/lib/countries.js';

/** The source and the orders that a file is read as. */
async function read(file: string | Buffer, language = 'en') {
  const table = await readTable(Buffer.from(file), language);
  if (typeof table === 'string') throw new Error(table);
  const known = recognize(table.header);
  return { ...known, orders: ordersOf(table, known.columns, countryCode) };
}

test('ordersOf: one order of several rows when Shopify writes a row for each product', async (t) => {
  const file = `Name,Email,Financial Status,Lineitem quantity,Lineitem name,Shipping Name,Shipping Address1,Shipping City,Shipping Phone,Cancelled at
#1001,dana@example.com,paid,2,Cup,Dana Levi,Herzl 7,Haifa,050-123-4567,
#1001,,,1,Plate,,,,,
#1002,,voided,1,Cup,Avi Bar,Allenby 3,Tel Aviv,0521234567,2026-11-01`;

  const { source, isComplete, orders } = await read(file);

  t.is(source, 'Shopify');
  t.true(isComplete);
  t.deepEqual(
    orders.map(({ line, hold }) => [line, hold]),
    [
      [2, null],
      [4, 'cancelled'],
    ],
  );
  t.deepEqual(orders[0]?.item, {
    ship_data: {
      contact_name: 'Dana Levi',
      contact_phone: '050-123-4567',
      contact_mail: 'dana@example.com',
      street: 'Herzl',
      number: '7',
      city: 'Haifa',
      type: 1,
      return: 1,
    },
    order: {
      id: '#1001',
      items: [
        { name: 'Cup', quantity: 2 },
        { name: 'Plate', quantity: 1 },
      ],
    },
  });
});

test('ordersOf: the address of the delivery when WooCommerce has one, else the payer’s, and never a mixture', async (t) => {
  const head =
    'Order Number,Order Status,First Name (Billing),Last Name (Billing),Address 1&2 (Billing),City (Billing),Phone (Billing),First Name (Shipping),Last Name (Shipping),Address 1&2 (Shipping),City (Shipping)';
  const file = `${head}\n1,processing,Dana,Levi,Herzl 7,Haifa,0501234567,Noa,Bar,Allenby 3,Tel Aviv\n2,refunded,Avi,Bar,Jaffa 1,Lod,0521234567,,,,`;

  const { source, orders } = await read(file);

  t.is(source, 'WooCommerce (Advanced Order Export)');
  t.like(orders[0]?.item.ship_data, {
    contact_name: 'Noa Bar',
    contact_phone: '0501234567',
    street: 'Allenby',
    city: 'Tel Aviv',
  });
  t.like(orders[1], { hold: 'cancelled', item: { ship_data: { contact_name: 'Avi Bar', city: 'Lod' } } });
});

test('ordersOf: the delivery’s address when an exporter of Magento writes objects and fields', async (t) => {
  const file = `"Increment Id","BillingAddress.Firstname","BillingAddress.Telephone","BillingAddress.City","ShippingAddress.Firstname","ShippingAddress.Lastname","ShippingAddress.Telephone","ShippingAddress.Street","ShippingAddress.City"
"000000017","Avi","0521234567","Lod","Dana","Levi","0501234567","Herzl 7","Haifa"`;

  const { source, isComplete, orders } = await read(file);

  t.is(source, 'Magento');
  t.true(isComplete);
  t.like(orders[0]?.item.ship_data, {
    contact_name: 'Dana Levi',
    contact_phone: '0501234567',
    street: 'Herzl',
    number: '7',
    city: 'Haifa',
  });
});

test('ordersOf: Hebrew headings when Excel has saved the list in its own code page, with semicolons', async (t) => {
  const hebrew = (text: string) =>
    Buffer.from(
      Array.from(text, (letter) => {
        const point = letter.codePointAt(0) ?? 0;
        return point >= 0x5d0 && point <= 0x5ea ? point - 0x5d0 + 0xe0 : point;
      }),
    );
  const file = hebrew(
    'מספר הזמנה;שם;טלפון;כתובת;סכום לגבייה\r\n17;דנה לוי;501234567;הרצל 7, חיפה;1,200.50\r\n',
  );

  const { isComplete, orders } = await read(file, 'he');

  t.true(isComplete);
  t.deepEqual(orders[0]?.item.ship_data, {
    contact_name: 'דנה לוי',
    contact_phone: '501234567',
    street: 'הרצל',
    number: '7',
    city: 'חיפה',
    cod_amount: '1200.50',
    type: 1,
    return: 1,
  });
});

test('readTable: says why when a file is no table', async (t) => {
  const cases: [Buffer, Unreadable][] = [
    [Buffer.from(''), 'empty'],
    [Buffer.from('order,name\n'), 'empty'],
    [Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1]), 'old_workbook'],
    [Buffer.from('PK\u0003\u0004nonsense'), 'unreadable'],
  ];
  for (const [file, reason] of cases) t.deepEqual(await readTable(file, 'en'), reason);
});
