import test from 'ava';
import { readConfig } from '../../../src/carriers/getpackage/config.js';
import { getpackage } from '../../../src/carriers/getpackage/index.js';
import { bookingBody, checkShipment, quoteBody } from '../../../src/carriers/getpackage/mapping.js';
import type { ShipmentDetails } from '../../../src/domain/shipment.js';
import { startSandbox } from '../../../tools/doubles/carriers/server.js';
import { booking, context, getpackageAccount, recipient } from '../support.js';

const COLLECT_FROM = { street: 'אלנבי', number: '1', city: 'תל אביב-יפו', company: 'The Example Shop' };
const SLOT = { date: '2026-11-22', timeRange: '10:30-16:00' };

function bodyOf(overrides: Partial<ShipmentDetails>, settings: Record<string, unknown> = {}) {
  const config = readConfig(getpackageAccount('http://127.0.0.1:1', settings));
  if (config === null) throw new Error('The settings are not valid.');
  return bookingBody({ ...booking(overrides), reference: 'ref-1' }, config, COLLECT_FROM, SLOT);
}

test('bookingBody: a delivery goes from the merchant to the recipient, with our reference as package id', (t) => {
  const body = bodyOf({ note: 'ליד הדלת' }, { package_size: 'LARGE' });

  t.deepEqual(body, {
    pickUpPoint: {
      address: { country: 'IL', city: 'תל אביב-יפו', street: 'אלנבי 1' },
      contactName: 'The Example Shop',
      contactPhoneNumber: '031234567',
    },
    dropOffPoint: {
      address: { country: 'IL', city: 'תל אביב-יפו', street: 'הרצל 12' },
      contactName: 'דנה לוי',
      contactPhoneNumber: '0501234567',
      instructions: 'כניסה א קומה 3 דירה 9 ליד הדלת הזמנה 1001',
      validationMethodType: 'SMS',
    },
    package: { size: 'LARGE', packageId: 'ref-1' },
    ...SLOT,
  });
});

test('bookingBody: a collection goes the other way', (t) => {
  const body = bodyOf({ serviceType: 2 });

  t.like(body, {
    pickUpPoint: { contactName: 'דנה לוי' },
    dropOffPoint: { contactName: 'The Example Shop', validationMethodType: 'SMS' },
  });
});

test('quoteBody: has only addresses and a size, and no one-letter texts', (t) => {
  const ends = { city: 'חיפה', street: 'א', number: null };

  t.deepEqual(quoteBody(ends, { ...ends, number: '5' }, 'ENVELOPE'), {
    pickUpPoint: { address: { country: 'IL', city: 'חיפה' } },
    dropOffPoint: { address: { country: 'IL', city: 'חיפה', street: 'א 5' } },
    package: { size: 'ENVELOPE' },
  });
});

test('checkShipment: reports unsupported services at their fields', (t) => {
  const wrong = booking({
    recipient: recipient({ name: 'x', phone: '1', city: null, street: 's'.repeat(700) }),
    packages: 2,
    pickupPointId: '5',
    cod: { amount: '5.00', currency: 'ILS' },
    returnType: 2,
  });

  t.deepEqual(Object.keys(checkShipment(wrong)), [
    'ship_data.contact_name',
    'ship_data.contact_phone',
    'ship_data.city',
    'ship_data.street',
    'ship_data.packages',
    'ship_data.pickup',
    'ship_data.cod_amount',
    'ship_data.return',
  ]);
  t.deepEqual(checkShipment(booking()), {});
});

test('readConfig: validates settings strictly', (t) => {
  const wrong: Record<string, unknown>[] = [
    { base_url: 'ftp://x' },
    { package_size: 'HUGE' },
    { in_route: 'somewhere' },
    { time_range: '10-16' },
    { unheard_of: 1 },
  ];

  for (const settings of wrong) {
    t.is(readConfig(getpackageAccount('http://h', settings)), null, JSON.stringify(settings));
  }
  t.is(readConfig(getpackageAccount('http://h', {}, {})), null);
  t.is(readConfig(getpackageAccount('http://h', { token: 'a' }, {}))?.secret, 'a');
});

async function open() {
  const sandbox = await startSandbox('getpackage');
  const control = async (path: string, body: unknown) =>
    void (await fetch(sandbox.url + path, { method: 'POST', body: JSON.stringify(body) }));
  const ledger = async () =>
    (await (await fetch(`${sandbox.url}/__ledger`)).json()) as { request: Record<string, unknown> }[];
  return { ...sandbox, control, ledger };
}

test('book: a failed request for a window means "not sent", because nothing can be booked yet', async (t) => {
  const { url, control, ledger, close } = await open();
  t.teardown(close);
  const calls = context(getpackageAccount(url));
  const expected = [
    [{ kind: 'status', value: 500 }, 'unavailable'],
    [{ kind: 'drop_after' }, 'unavailable'],
    [{ kind: 'truncate', value: 1 }, 'unavailable'],
    [{ kind: 'status', value: 429 }, 'throttled'],
    [{ kind: 'status', value: 400 }, 'rejected'],
    [{ kind: 'error_in_200', value: 7 }, 'rejected'],
  ] as const;

  for (const [fault, kind] of expected) {
    await control('/__faults', { operation: 'slots', ...fault });
    t.is((await getpackage.book(booking(), calls)).kind, kind, JSON.stringify(fault));
  }
  t.deepEqual(await ledger(), []);
});

test("book: uses the license's own window on the day of the shipment", async (t) => {
  const { url, control, ledger, close } = await open();
  t.teardown(close);
  await control('/__faults', { operation: 'slots', kind: 'status', value: 500, times: 0 });
  const calls = context(getpackageAccount(url, { time_range: '14:00-18:00', api_key_header: true }));

  const outcome = await getpackage.book(booking(), calls);

  t.is(outcome.kind, 'accepted');
  t.like((await ledger())[0]?.request, { date: '2026-11-22', timeRange: '14:00-18:00' });
});

test("book: a refusal has the carrier's own words", async (t) => {
  const { url, ledger, close } = await open();
  t.teardown(close);
  const calls = context(getpackageAccount(url, { time_range: '14:00-18:00' }));

  const outcome = await getpackage.book(booking({ recipient: recipient({ city: '' }) }), calls);

  t.like(outcome, { kind: 'rejected', code: 'http_400' });
  t.regex(outcome.kind === 'rejected' ? outcome.text : '', /city/);
  t.deepEqual(await ledger(), []);
});
