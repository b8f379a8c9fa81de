import test from 'ava';
import { insertTestShipment } from '../../support/factories.js';
import { startHttp } from '../../support/http.js';
import { askAs } from '../../support/panel.js';

const http = await startHttp();
test.after.always(() => http.close());

const ask = (path: string) => askAs(http, 'operator', path);

test('carriers: what was booked and refused, and a link to what waits for a person', async (t) => {
  const { account, license } = await http.own();
  const ids = { accountId: account.id, licenseId: license.id, carrierId: license.carrierId };
  const waiting = { state: 'reserved', status_code: 'needs_attention', tracking_code: null };
  for (const [state, columns] of [
    ['accepted', {}],
    ['rejected', { state: 'refused', tracking_code: null }],
    ['unknown', waiting],
  ] as const) {
    const { uuid } = await insertTestShipment(http.db, ids, columns);
    await http.db.run(
      `INSERT INTO carrier_attempts (shipment_uuid, operation, number, state, answered_at)
       VALUES (?, 'book', 1, ?, NOW(6))`,
      [uuid, state],
    );
  }

  const { status, text } = await ask('/carriers');

  t.is(status, 200);
  const [provider = ''] = /(?<=attention\?carrier=)[a-z-]+/.exec(text) ?? [];
  const [card = ''] = text.split('<section').filter((one) => one.includes(`carrier-${provider}`));
  t.regex(card, /<td>3<\/td><td>1<\/td><td>1<\/td><td>0<\/td><td><span class="error">1<\/span>/);
  t.true(card.includes('Merchant'), 'the license with trouble');
  const of = async (carrier: string) =>
    ((await ask(`/attention?carrier=${carrier}`)).text.match(/<section class="card"/g) ?? []).length;
  t.true((await of(provider)) >= 1);
  t.is(await of('nobody'), 0);
});
