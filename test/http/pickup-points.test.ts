import test from 'ava';
import { carrierFor } from '../../src/carriers/registry.js';
import { replacePoints } from '../../src/db/queries/carriers/pickup-points.js';
import { type HttpAccount, type HttpLicense, type HttpStack, startHttp } from '../support/http.js';
import { assertRefused, type RefusedCase, titleOf } from '../support/refused.js';

let http: HttpStack;
let account: HttpAccount;
let license: HttpLicense;
let several: HttpAccount;
/** Licenses whose points the carrier was asked for. */
const fetched: number[] = [];

const KIOSK = { name: 'Kiosk', city: 'Haifa', street: '', number: '', streetCode: '9', remarks: '' };
const POINTS = [
  { ...KIOSK, id: '1', latitude: 32.1, longitude: 35 },
  { ...KIOSK, id: '2', city: 'Tel Aviv', latitude: 0.00001, longitude: 34.7 },
];

test.before(async () => {
  http = await startHttp({
    app: () => ({
      carriers: (provider) => ({
        ...carrierFor(provider),
        pickupPoints: async () => ({ kind: 'unavailable', text: '' }),
      }),
    }),
    runs: (db) => ({
      async refreshPickupPoints({ licenseId }: { licenseId: number }) {
        fetched.push(licenseId);
        await replacePoints(db, { licenseId, points: POINTS });
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

test('GET /pickup-points: an empty city, latitude and longitude count as absent', async (t) => {
  const answer = await http.send('GET', path('city=&latitude=&longitude=&limit='), { as: account });

  t.is(answer.status, 200, answer.text);
  t.is(answer.body.data.length, POINTS.length);
});

test('answers what the query names, and shows points as published', async (t) => {
  const plain = await http.send('GET', '/pickup-points', { as: account });
  const inCity = await http.send('GET', path('city=Tel%20Aviv&limit=500&latitude=-32.5&longitude=034.7'), {
    as: account,
  });
  const near = await http.send('GET', path('limit=1&latitude=32&longitude=34.9'), { as: account });

  t.is(plain.status, 200);
  t.deepEqual(
    plain.body.data.map(({ id }: { id: string }) => id),
    ['1', '2'],
  );
  t.deepEqual(plain.body.data[0], {
    id: '1',
    name: 'Kiosk',
    city: 'Haifa',
    street: '',
    number: '',
    latitude: 32.1,
    longitude: 35,
    remarks: '',
    carrier: { id: license.carrierId, name: 'Run' },
    distance_km: null,
  });
  t.deepEqual(
    [inCity.body.data, near.body.data].map((points) => points.map(({ id }: { id: string }) => id)),
    [['2'], ['1']],
  );
  t.regex(String(near.body.data[0].distance_km), /^14\.\d{3}$/);
  t.deepEqual([...new Set(fetched)], [license.id]);
});

test('numbers are read as JSON writes them', async (t) => {
  const distances: number[] = [];

  for (const text of ['1.1000000000000003', '32', '3.2e1', '1e-05']) {
    const answer = await http.send('GET', path(`city=Tel%20Aviv&latitude=${text}&longitude=34.7`), {
      as: account,
    });
    t.is(answer.status, 200, answer.text);
    distances.push(answer.body.data[0].distance_km);
  }

  const [first = 0, plain, powered, small] = distances;
  t.true(Math.abs(first - 122.3) < 0.3, String(first));
  t.is(powered, plain);
  t.is(small, 0);
});

test('an equal list answers 304', async (t) => {
  const first = await http.send('GET', '/pickup-points', { as: account });

  const second = await http.send('GET', '/pickup-points', {
    as: account,
    headers: { 'if-none-match': first.headers.get('etag') ?? '' },
  });

  t.is(second.status, 304);
});
