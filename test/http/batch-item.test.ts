import test from 'ava';
import { fingerprintOf, idempotencyOf } from '../../src/api/idempotency.js';
import { readBatchBody } from '../../src/api/v2/batches/body.js';
import { readBatchItem } from '../../src/api/v2/batches/item.js';
import type { LicenseSummary } from '../../src/db/queries/accounts/accounts.js';
import type { SentItem } from '../../src/domain/batch.js';
import { AppError } from '../../src/domain/errors.js';
import { textsOf } from '../../src/domain/problems/problem.js';
import { creationBody } from '../support/http.js';

const CONFIG = { idempotencyKeyDays: 30, fingerprintHours: 24 };

function license(id: number, overrides: Partial<LicenseSummary> = {}): LicenseSummary {
  return {
    id,
    key: `lic-${id}`,
    name: `License ${id}`,
    merchant: 'Acme',
    company: 'HFD',
    isActive: true,
    expiresAt: null,
    multipleShipment: false,
    isSandbox: false,
    carrier: { id: 1, name: 'Run', provider: 'run' },
    orderPrefix: '',
    sendNoteOnOrder: true,
    ...overrides,
  };
}

const CREATED_AT = '2026-11-21T09:30:00.123456Z';

const read = (
  item: unknown,
  context: {
    createdAt?: string;
    licenses?: LicenseSummary[];
    licenseId?: number;
    licenseKey?: string;
    licenseNamed?: boolean;
  } = {},
) =>
  readBatchItem(
    sentItem(item, context),
    {
      accountId: 7,
      batchUuid: 'b',
      createdAt: CREATED_AT,
      licenseId: 1,
      licenseKey: 'lic-1',
      licenses: [license(1), license(2)],
      ...context,
    },
    CONFIG,
  );

/** The item as its batch is read; `licenseNamed`: whether the batch names the license. */
function sentItem(item: unknown, { licenseNamed = true, licenseKey = 'lic-1' } = {}): SentItem {
  const body = { ...(licenseNamed ? { license_key: licenseKey } : {}), shipments: [item] };
  const { value } = readBatchBody(Buffer.from(JSON.stringify(body)), undefined);
  const [sent] = (value as { shipments: SentItem[] }).shipments;
  if (sent === undefined) throw new Error('no item');
  return sent;
}

/** The key that the body has when it is sent alone as the batch came. */
const alone = (body: unknown) => ({
  ...idempotencyOf(
    { fingerprint: fingerprintOf({ method: 'POST', route: '/api/v2/shipments', body }), headerValues: [] },
    CONFIG,
  ),
  freesBefore: CREATED_AT,
});

test('an item whose addresses are empty lists has none, and the key of the body as it was sent', (t) => {
  const item = creationBody({ order: { id: '7', billing: [], shipping: [] } });

  const request = read(item, { licenseNamed: false, licenses: [license(1)] });

  t.deepEqual(request.creation.idempotency, alone(item));
  t.deepEqual([request.order.billing, request.order.shipping], [{}, {}]);
});

test('where the batch names no license an item has the key of the same body sent alone', (t) => {
  const item = creationBody();

  const request = read(item, { licenseNamed: false, licenses: [license(1)] });

  t.deepEqual(request.creation.idempotency, alone(item));
  t.is(request.creation.licenseId, 1);
});

test("where the batch names a license, an item without one has the key of the body with the batch's", (t) => {
  const item = creationBody();

  const first = read(item);
  const nulled = read({ ...item, license_key: null });
  const second = read(item, { licenseId: 2, licenseKey: 'lic-2' });

  t.deepEqual(first.creation.idempotency, alone({ ...item, license_key: 'lic-1' }));
  t.deepEqual(nulled.creation.idempotency, first.creation.idempotency);
  t.notDeepEqual(second.creation.idempotency, first.creation.idempotency);
  t.is(second.creation.licenseId, 2);
});

test("an item's own license goes before the batch's", (t) => {
  const item = { ...creationBody(), license_key: 'lic-2' };

  const request = read(item);

  t.is(request.creation.licenseId, 2);
  t.deepEqual(request.creation.idempotency, alone(item));
});

for (const [what, item, licenses] of [
  ['names a foreign license', { ...creationBody(), license_key: 'theirs' }, [license(1)]],
  ['meets an inactive license', creationBody(), [license(1, { isActive: false }), license(2)]],
  ['meets an expired license', creationBody(), [license(1, { expiresAt: '2020-01-01T00:00:00.000000Z' })]],
  ['meets a license that is gone', creationBody(), []],
] as const) {
  test(`an item that ${what} is forbidden`, (t) => {
    const error = t.throws(() => read(item, { licenses: [...licenses] }), { instanceOf: AppError });

    t.is(error?.code, 'forbidden');
  });
}

test('nothing but the named fields of an item has an effect', (t) => {
  const item = {
    ...creationBody({ ship_data: { license_key: 'lic-2', license_id: 2, shipping_id: 9 } }),
    account_id: 9,
    id: 1,
    status: 'created',
    tracking_code: 'X',
    batchUuid: 'other',
  };

  const request = read(item);

  t.is(request.creation.accountId, 7);
  t.is(request.creation.licenseId, 1);
  t.is(request.creation.batchUuid, 'b');
  t.false(JSON.stringify([request.creation.details, request.order]).includes('X'));
});

for (const text of ['Dana\u0000', 'Dana \ud800']) {
  test(`an item whose text no store can hold is refused by itself: ${JSON.stringify(text)}`, (t) => {
    const item = creationBody({ ship_data: { contact_name: text } });
    const sent = JSON.stringify({ shipments: [creationBody(), item] });

    const { value, unsafeTexts } = readBatchBody(Buffer.from(sent), undefined);
    const error = t.throws(() => read(item), { instanceOf: AppError });

    t.deepEqual(unsafeTexts, []);
    t.is((value as { shipments: SentItem[] }).shipments[1]?.payload, JSON.stringify(item));
    t.deepEqual(textsOf(error?.fields ?? {}), {
      'ship_data.contact_name': ['The ship_data.contact_name field holds NUL or half of a surrogate pair.'],
    });
  });
}

test('an item is read as the same body sent alone: without marks and HTML, under the key of what was sent', (t) => {
  const item = creationBody({
    ship_data: { contact_name: '\u200fA &amp; B', contact_mail: '', city: '\u200bחיפה' },
    order: { id: '\u200f1001', items: null },
  });

  const { creation, order } = read(item, { licenseNamed: false, licenses: [license(1)] });

  t.like(creation.details.recipient, { name: 'A & B', email: null, city: 'חיפה' });
  t.is(order.id, '1001');
  t.deepEqual(creation.idempotency, alone(item));
});

test('an item that waited over its day is made for today, by the day of its batch', (t) => {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Jerusalem' }).format();
  const item = creationBody({ ship_data: { exaction_date: '2026-03-10' } });
  const of = (createdAt: string) => read(item, { createdAt }).creation.details.collectOn;

  const onTheDay = of('2026-03-10T12:00:00.000000Z');
  const ahead = of('2026-03-01T12:00:00.000000Z');

  t.deepEqual([onTheDay, ahead], [today, today]);
  t.throws(() => of('2026-03-12T12:00:00.000000Z'), { instanceOf: AppError });
});
