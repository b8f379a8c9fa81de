import { randomUUID } from 'node:crypto';
import test from 'ava';
import { dayInJerusalem } from '../../src/lib/time.js';
import { creationBody, startHttp } from '../support/http.js';
import { sendV1 } from '../support/v1.js';

const http = await startHttp();
const { account, license } = await http.own();
test.after.always(() => http.close());

const dayFromNow = (days: number) => {
  const [year = 0, month = 0, day = 0] = dayInJerusalem(new Date()).split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, day + days)).toISOString().slice(0, 10);
};

const ASK = {
  create: async (exaction_date: string, id: string) => {
    const json = creationBody({ license_key: license.key, ship_data: { exaction_date }, order: { id } });
    const { status, body } = await http.send('POST', '/shipments', { as: account, json });
    return { status, fields: Object.keys(body.error?.fields ?? {}) };
  },
  open_new_order: async (exaction_date: string, id: string) => {
    const ship_data = { contact_name: 'דנה', street: 'הרצל', city: 'חיפה', exaction_date };
    const json = { license_key: license.key, domain: 'shop.test', ship_data, order: { id } };
    const { status, body } = await sendV1(http, 'POST', '/shipping/open_new_order', { json });
    return { status, fields: Object.keys(body.errors ?? {}) };
  },
};

for (const [name, ask] of Object.entries(ASK)) {
  test(`${name}: yesterday counts as today, a day within 90 days is sent`, async (t) => {
    for (const [days, told] of [
      [-1, 0],
      [0, 0],
      [1, 1],
      [90, 90],
    ] as const) {
      const id = randomUUID();

      const { status } = await ask(dayFromNow(days), id);

      t.true(status === 200 || status === 201);
      const request = http.created.find(({ order }) => order.id === id);
      t.is(request?.creation.details.collectOn, dayFromNow(told), `${days} days`);
    }
  });

  test(`${name}: an older day, and one too far ahead, is refused`, async (t) => {
    for (const day of [dayFromNow(-2), '2020-01-01', dayFromNow(91), '9999-12-31']) {
      const { status, fields } = await ask(day, randomUUID());

      t.is(status, 422, day);
      t.deepEqual(fields, ['ship_data.exaction_date'], day);
    }
  });
}
