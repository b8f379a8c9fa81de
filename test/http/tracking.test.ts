import { randomUUID } from 'node:crypto';
import test from 'ava';
import { startHttp } from '../support/http.js';

const http = await startHttp();
const { account, license } = await http.own();
test.after.always(() => http.close());

test('a parcel is tracked by its code, with its history and public page', async (t) => {
  const code = randomUUID();
  const { uuid } = await http.shipment(account.id, license, {
    columns: { tracking_code: code, short_tracking_code: 'ABCDE01234', status_code: 'in_transit' },
  });
  await addEvent(uuid, 'in_transit', '2026-11-21 10:00:00.000001');
  await addEvent(uuid, 'created', '2026-11-20 10:00:00');

  const answer = await http.send('GET', `/tracking/${code}`, { as: account });

  t.is(answer.status, 200, answer.text);
  t.like(answer.body.data, {
    uuid,
    tracking_code: code,
    short_tracking_code: 'ABCDE01234',
    tracking_url: 'https://api.parcels.test/track/ABCDE01234',
    carrier: { id: license.carrierId, name: 'Run' },
    status: { code: 'in_transit', is_delivered: false },
    delivered_at: null,
  });
  t.deepEqual(
    answer.body.data.history.map((step: { occurred_at: string }) => step.occurred_at),
    ['2026-11-20T10:00:00.000000Z', '2026-11-21T10:00:00.000001Z'],
  );
  t.regex(answer.headers.get('etag') ?? '', /^W\//);
});

test('created stands once: in the words of a carrier that tells of it, else in ours', async (t) => {
  const code = randomUUID();
  const { uuid } = await http.shipment(account.id, license, { columns: { tracking_code: code } });
  const steps = async () =>
    (await http.send('GET', `/tracking/${code}`, { as: account })).body.data.history.map(
      (step: { code: string; carrier_code: string | null }) => [step.code, step.carrier_code],
    );
  await addEvent(uuid, 'created', '2026-11-20 10:00:00');

  const before = await steps();
  await addEvent(uuid, 'created', '2026-11-20 10:00:01', '5');
  await addEvent(uuid, 'in_transit', '2026-11-20 10:00:02', '20');

  t.deepEqual(before, [['created', null]]);
  t.deepEqual(await steps(), [
    ['created', '5'],
    ['in_transit', '20'],
  ]);
});

test('of two shipments with one code the newer is tracked', async (t) => {
  const code = randomUUID();
  await http.shipment(account.id, license, { columns: { tracking_code: code, holds_code: null } });
  const newer = await http.shipment(account.id, license, { columns: { tracking_code: code } });

  const answer = await http.send('GET', `/tracking/${code}`, { as: account });

  t.is(answer.body.data.uuid, newer.uuid);
});

test('codes are exact, and shipments without a carrier’s answer have none', async (t) => {
  const code = `Code-${randomUUID()}`;
  await http.shipment(account.id, license, { columns: { tracking_code: code } });
  const refused = randomUUID();
  await http.shipment(account.id, license, { columns: { tracking_code: refused, state: 'refused' } });

  for (const other of [code.toLowerCase(), `${code}%20x`, refused, '%25', 'x'.repeat(5000)]) {
    const answer = await http.send('GET', `/tracking/${other}`, { as: account });
    t.is(answer.status, 404, other);
    t.is(answer.body.error.code, 'not_found');
  }
});

test('credentials are needed, and another account’s parcel is not found', async (t) => {
  const code = randomUUID();
  await http.shipment(account.id, license, { columns: { tracking_code: code } });
  const stranger = await http.account();

  const anonymous = await http.send('GET', `/tracking/${code}`);
  const foreign = await http.send('GET', `/tracking/${code}`, { as: stranger });

  t.is(anonymous.status, 401);
  t.is(foreign.status, 404);
});

async function addEvent(uuid: string, code: string, at: string, carrierCode = ''): Promise<void> {
  await http.db.run(
    `INSERT INTO shipment_events (shipment_id, code, description, occurred_at, carrier_code)
     SELECT id, ?, 'text', ?, ? FROM shipments WHERE uuid = ?`,
    [code, at, carrierCode, uuid],
  );
}
