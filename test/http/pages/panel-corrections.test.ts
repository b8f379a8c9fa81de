import { randomUUID } from 'node:crypto';
import test from 'ava';
import { creationBody, startHttp } from '../../support/http.js';
import { askPanel, cookieOf } from '../../support/panel.js';
import { formsIn } from '../../support/panel-forms.js';

const http = await startHttp();
test.after.always(() => http.close());

const item = (order: string, ship: object = {}) =>
  creationBody({ order: { id: order }, ship_data: { extra_note: 'Second floor', ...ship } });

interface Ended {
  order: string;
  ship?: object;
  error: { code: string; message: string };
  shipment?: string;
}

/** A batch whose items have all failed, as its page's user. */
async function failedBatch(items: readonly Ended[]) {
  const { account, license } = await http.own();
  const sent = await http.send('POST', '/batches', {
    headers: account.headers,
    json: { license_key: license.key, shipments: items.map(({ order, ship }) => item(order, ship)) },
  });
  const { data } = sent.body;
  for (const [position, { error, shipment = null }] of items.entries()) {
    await http.db.run(
      `UPDATE batch_items i JOIN batches b ON b.id = i.batch_id
       SET i.status = 'failed', i.error = ?, i.shipment_uuid = ? WHERE b.uuid = ? AND i.position = ?`,
      [JSON.stringify(error), shipment, data.id, position],
    );
  }
  await http.db.run('UPDATE batches SET pending_count = 0, failed_count = total WHERE uuid = ?', [data.id]);
  const cookie = await cookieOf(http, 'staff', account.id);
  const base = `/panel/a/${account.id}`;
  const ask = async (path: string, form?: [string, string][]) =>
    await askPanel(http.url + path, { ...(form === undefined ? {} : { form }), headers: { cookie } });
  return { account, license, batch: `${base}/batches/${data.id}`, ask };
}

const invalid = { code: 'validation_failed', message: 'The ship_data.contact_phone field is required.' };
const rejected = { code: 'carrier_rejected', message: 'Unknown city: Hiafa' };

test('POST /batches/:batch/correct: the refused items stand with their values and faults, and are booked once mended', async (t) => {
  const order = randomUUID().slice(0, 8);
  const { account, batch, ask } = await failedBatch([
    { order: `${order}-1`, ship: { contact_phone: 'none' }, error: invalid },
    { order: `${order}-2`, ship: { city: 'Hiafa' }, error: rejected },
    {
      order: `${order}-3`,
      error: { code: 'internal_error', message: 'The server failed to handle the item.' },
    },
  ]);

  const page = await ask(batch);
  const [first, second] = [await ask(`${batch}/correct`, []), await ask(`${batch}/correct`, [])];
  const draft = first.to ?? '';
  const shown = await ask(draft);

  t.true(page.text.includes('Correct the 2 refused ones'), page.text);
  t.regex(draft, /\/imports\//);
  t.is(second.to, draft);
  t.true(shown.text.includes('0 ready · 2 need you'), shown.text);
  t.true(shown.text.includes('Unknown city: Hiafa'));
  const mend = formsIn(shown.text, draft).find(({ html }) => html.includes('class="mend"'));
  const fields = (mend?.fields ?? []).map(([name, value]): [string, string] => {
    if (name.endsWith('.ship_data.city')) t.is(value, 'Hiafa');
    return [name, value === 'none' ? '0521234567' : value];
  });

  await ask(`${draft}/rows`, fields);
  const half = await ask(draft);
  t.true(half.text.includes('1 ready · 1 need you'), half.text);

  const again = (
    formsIn(half.text, draft).find(({ html }) => html.includes('class="mend"'))?.fields ?? []
  ).map(([name, value]): [string, string] => [name, name.endsWith('.ship_data.city') ? 'Haifa' : value]);
  await ask(`${draft}/rows`, again);
  const booked = await ask(`${draft}/book`, [['round', '0']]);
  t.regex(booked.to ?? '', /\/batches\//);
  const payloads = await http.db.select(
    `SELECT i.payload FROM batch_items i JOIN batches b ON b.id = i.batch_id
     WHERE b.account_id = ? AND i.status = 'pending' ORDER BY i.position`,
    [account.id],
  );
  const sent = payloads.map(({ payload }) => JSON.parse(String(payload)));
  t.deepEqual(
    sent.map(({ order: { id }, ship_data: { contact_phone, city, extra_note } }) => [
      id,
      contact_phone,
      city,
      extra_note,
    ]),
    [
      [`${order}-1`, '0521234567', 'Haifa', 'Second floor'],
      [`${order}-2`, '0501234567', 'Haifa', 'Second floor'],
    ],
  );
});

test('POST /batches/:batch/correct: an item that may have a parcel is not offered', async (t) => {
  const order = randomUUID().slice(0, 8);
  const made = await failedBatch([{ order: `${order}-1`, error: rejected }]);
  const columns = { state: 'reserved' };
  const { uuid } = await http.shipment(made.account.id, made.license, { orderId: `${order}-1`, columns });
  await http.db.run(
    `UPDATE batch_items i JOIN batches b ON b.id = i.batch_id SET i.shipment_uuid = ? WHERE b.uuid = ?`,
    [uuid, made.batch.split('/').at(-1) ?? ''],
  );

  const page = await made.ask(made.batch);
  const answer = await made.ask(`${made.batch}/correct`, []);

  t.false(page.text.includes('/correct'));
  t.true(page.text.includes('/retry'));
  t.is(answer.to, made.batch);
});
