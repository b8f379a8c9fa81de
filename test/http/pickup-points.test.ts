import test from 'ava';
import type { PickupPointsRequest } from '../../src/services/services.js';
import { type HttpAccount, type HttpLicense, type HttpStack, startHttp } from '../support/http.js';
import { assertRefused, type RefusedCase, titleOf } from '../support/refused.js';

let http: HttpStack;
let account: HttpAccount;
let license: HttpLicense;
let several: HttpAccount;
const asked: PickupPointsRequest[] = [];

test.before(async () => {
  http = await startHttp({
    services: () => ({
      async listPickupPoints(request) {
        asked.push(request);
        const point = { name: 'Kiosk', city: 'Haifa', street: '', number: '', streetCode: '9', remarks: '' };
        return [{ ...point, id: '1', latitude: 32.1, longitude: 35, distanceKm: 1.23456 }];
      },
    }),
  });
  account = await http.account();
  license = await http.license(account.id);
  several = await http.account();
  await http.license(several.id);
  await http.license(several.id);
});
test.after.always(() => http?.close());

const path = (query: string) => `/pickup-points?${query}`;
const own = () => ({ as: account });
const CASES: RefusedCase[] = [
  ['several licenses', 'validation_failed', 'GET', '/pickup-points', () => ({ as: several }), 'license_key'],
  ['foreign license', 'forbidden', 'GET', path('license_key=nope'), own],
  ['limit 0', 'validation_failed', 'GET', path('limit=0'), own, 'limit'],
  ['limit 501', 'validation_failed', 'GET', path('limit=501'), own, 'limit'],
  ['limit 1.5', 'validation_failed', 'GET', path('limit=1.5'), own, 'limit'],
  ['empty city', 'validation_failed', 'GET', path('city='), own, 'city'],
  ['blank city', 'validation_failed', 'GET', path('city=%20'), own, 'city'],
  ['latitude alone', 'validation_failed', 'GET', path('latitude=32'), own, 'longitude'],
  ['longitude alone', 'validation_failed', 'GET', path('longitude=32'), own, 'latitude'],
  ['latitude 90.1', 'validation_failed', 'GET', path('latitude=90.1&longitude=1'), own, 'latitude'],
  ['longitude -181', 'validation_failed', 'GET', path('latitude=1&longitude=-181'), own, 'longitude'],
  ['latitude NaN', 'validation_failed', 'GET', path('latitude=NaN&longitude=1'), own, 'latitude'],
  ['latitude 1e999', 'validation_failed', 'GET', path('latitude=1e999&longitude=1'), own, 'latitude'],
  ['latitude twice', 'validation_failed', 'GET', path('latitude=1&latitude=2&longitude=1'), own, 'latitude'],
  ['no credentials', 'unauthenticated', 'GET', '/pickup-points', () => ({})],
  ['POST', 'method_not_allowed', 'POST', '/pickup-points', own],
];

for (const refused of CASES) {
  test(titleOf(refused), (t) => assertRefused(t, http, refused));
}

test.serial('asks for what the query names, and shows points as published', async (t) => {
  asked.length = 0;

  const plain = await http.send('GET', '/pickup-points', { as: account });
  await http.send('GET', path('city=Tel%20Aviv&limit=500&latitude=-32.5&longitude=034.7'), { as: account });

  t.is(plain.status, 200);
  t.deepEqual(plain.body.data, [
    {
      id: '1',
      name: 'Kiosk',
      city: 'Haifa',
      street: '',
      number: '',
      latitude: 32.1,
      longitude: 35,
      remarks: '',
      carrier: { id: license.carrierId, name: 'Run' },
      distance_km: 1.235,
    },
  ]);
  t.is(asked[0]?.license.id, license.id);
  const questions = asked.map(({ accountId: _a, license: _l, ...rest }) => rest);
  t.deepEqual(questions, [
    { limit: 50 },
    { limit: 500, city: 'Tel Aviv', near: { latitude: -32.5, longitude: 34.7 } },
  ]);
});

test.serial('numbers are read as JSON writes them', async (t) => {
  asked.length = 0;
  const latitudes = [1.1000000000000003, 32, 0.00001];

  for (const text of ['1.1000000000000003', '3.2e1', '1e-05']) {
    const answer = await http.send('GET', path(`latitude=${text}&longitude=34.7`), { as: account });
    t.is(answer.status, 200, answer.text);
  }

  t.deepEqual(
    asked.map(({ near }) => near?.latitude),
    latitudes,
  );
});

test('an equal list answers 304', async (t) => {
  const first = await http.send('GET', '/pickup-points', { as: account });

  const second = await http.send('GET', '/pickup-points', {
    as: account,
    headers: { 'if-none-match': first.headers.get('etag') ?? '' },
  });

  t.is(second.status, 304);
});
