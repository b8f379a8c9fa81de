import test from 'ava';
import {
  findPointCopy,
  type ListPointsArgs,
  listCopiesToRenew,
  listPoints,
  notePointsAsked,
  replacePoints,
} from '../../../src/db/queries/carriers/pickup-points.js';
import { placeOf, type StoredPickupPoint } from '../../../src/domain/pickup-points.js';
import { createTestDatabase } from '../../support/database.js';
import { insertTestLicense } from '../../support/factories.js';
import { plansOf } from '../../support/plans.js';

const database = await createTestDatabase();
test.after.always(() => database.drop());

async function newLicense(overrides: { isActive?: boolean; expiresAt?: string } = {}) {
  return await insertTestLicense(database.db, { provider: 'run', ...overrides });
}

function point(id: string, overrides: Partial<StoredPickupPoint> = {}): StoredPickupPoint {
  return {
    id,
    name: `Point ${id}`,
    city: 'Haifa',
    street: 'Herzl',
    number: '1',
    streetCode: '',
    latitude: null,
    longitude: null,
    remarks: '',
    ...overrides,
  };
}

async function idsOf(args: Omit<ListPointsArgs, 'limit'> & { limit?: number }): Promise<string[]> {
  return (await listPoints(database.db, { limit: 500, ...args })).map(({ id }) => id);
}

/** The haversine formula in other words than the query's: by the angle between two vectors. */
function distanceKm(one: [number, number], other: [number, number]): number {
  const vector = ([latitude, longitude]: [number, number]) => {
    const [phi, lambda] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
    return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)] as const;
  };
  const [a, b] = [vector(one), vector(other)];
  const chord = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  return 2 * 6371.0088 * Math.asin(chord / 2);
}

test('a copy is replaced as a whole, and is the license’s own', async (t) => {
  const license = await newLicense();
  const { accountId, licenseId } = license;
  const other = await newLicense();
  await replacePoints(database.db, { licenseId, points: [point('1'), point('2')] });
  await replacePoints(database.db, { licenseId: other.licenseId, points: [point('9')] });

  await replacePoints(database.db, { licenseId, points: [point('2', { name: 'New name' }), point('3')] });

  t.deepEqual(await idsOf({ licenseId }), ['2', '3']);
  t.is((await listPoints(database.db, { licenseId, limit: 1 }))[0]?.name, 'New name');
  t.deepEqual(await idsOf({ licenseId: other.licenseId }), ['9']);
  t.like(await findPointCopy(database.db, { accountId, licenseId }), {
    carrierId: license.carrierId,
    points: 2,
  });
  t.is(await findPointCopy(database.db, { accountId: other.accountId, licenseId }), null);
  await t.throwsAsync(replacePoints(database.db, { licenseId: 2 ** 40, points: [] }), {
    message: /does not exist/,
  });
});

test('replacements at once leave one of their lists, whole', async (t) => {
  const { licenseId } = await newLicense();
  const lists = ['a', 'b', 'c', 'd'].map((name) =>
    Array.from({ length: 700 }, (_, index) => point(`${name}${index}`)),
  );

  await Promise.all(lists.map((points) => replacePoints(database.db, { licenseId, points })));

  const [row] = await database.db.select(
    'SELECT COUNT(*) AS n, COUNT(DISTINCT LEFT(point_id, 1)) AS lists FROM pickup_points WHERE license_id = ?',
    [licenseId],
  );
  t.deepEqual({ ...row }, { n: 700, lists: 1 });
});

test('the points of a city are listed under all its names, and no others', async (t) => {
  const { licenseId } = await newLicense();
  const cities = [
    'ערערה',
    'ערערה-בנגב',
    'מגדל העמק',
    'מגדל שמס',
    'מודיעין-מכבים-רעות',
    'מודיעין עילית',
    'טייבה בעמק',
    'תל אביב',
    'Tel Aviv-Yafo',
    'בנימינה',
    'קרית אתא',
    'הרצלייה',
    'פתח תקוה',
    "ג'לג'וליה",
    'Telford',
    '',
  ];
  await replacePoints(database.db, {
    licenseId,
    points: cities.map((city, index) => point(String(index).padStart(2, '0'), { city })),
  });
  const citiesOf = async (city: string) =>
    (await listPoints(database.db, { licenseId, city, limit: 100 })).map((found) => found.city);

  for (const [city, expected] of [
    ['ערערה', ['ערערה']],
    ['מגדל', []],
    ['טייבה', []],
    ['מודיעין', ['מודיעין-מכבים-רעות']],
    ['תל־אביב - יפו', ['תל אביב', 'Tel Aviv-Yafo']],
    ['TÉL-AVIV', ['תל אביב', 'Tel Aviv-Yafo']],
    ['יפו, ישראל', ['תל אביב', 'Tel Aviv-Yafo']],
    ['בנימינה-גבעת עדה', ['בנימינה']],
    ['קריית אתא', ['קרית אתא']],
    ['הרצליה', ['הרצלייה']],
    ['Petah Tikva', ['פתח תקוה']],
    ['ג׳לג׳וליה', ["ג'לג'וליה"]],
    ['Tel', []],
    ['%', []],
    ['Te_ford', []],
  ] as const)
    t.deepEqual(await citiesOf(city), expected, city);
});

test('nearest first is what measuring every point gives, near and far', async (t) => {
  const { licenseId } = await newLicense();
  const points = Array.from({ length: 400 }, (_, index) =>
    point(String(index).padStart(3, '0'), {
      latitude: Number((29.5 + ((index * 37) % 400) / 105).toFixed(6)),
      longitude: Number((34.2 + ((index * 91) % 400) / 260).toFixed(6)),
    }),
  );
  await replacePoints(database.db, { licenseId, points: [...points, point('none')] });
  const places: [number, number][] = [
    [32.08, 34.78],
    [29.5, 34.2],
    [40.7, -74],
  ];

  for (const place of places) {
    const near = { latitude: place[0], longitude: place[1] };
    const expected = points
      .map(({ id, latitude, longitude }) => ({ id, km: distanceKm(place, [latitude ?? 0, longitude ?? 0]) }))
      .sort((one, other) => one.km - other.km);
    for (const limit of [1, 10, 60, 500]) {
      const found = await listPoints(database.db, { licenseId, near, limit });

      const measured = found.filter(({ distanceKm: km }) => km !== null);
      t.is(found.length, Math.min(limit, 401));
      t.is(found.length - measured.length, limit > 400 ? 1 : 0);
      for (const [index, one] of measured.entries())
        t.true(Math.abs((one.distanceKm ?? 0) - (expected[index]?.km ?? 0)) < 0.001, `${place} ${index}`);
    }
  }
  t.is((await idsOf({ licenseId, near: { latitude: 1, longitude: 1 } })).at(-1), 'none');
});

test('distances hold over the date line, at the poles and at the same spot', async (t) => {
  const { licenseId } = await newLicense();
  await replacePoints(database.db, {
    licenseId,
    points: [
      point('west', { latitude: 0, longitude: -179.99 }),
      point('pole', { latitude: 89.999, longitude: 10 }),
      point('here', { latitude: 32.08, longitude: 34.78 }),
      point('antipode', { latitude: -32.08, longitude: -145.22 }),
    ],
  });
  const nearest = async (latitude: number, longitude: number) =>
    (await listPoints(database.db, { licenseId, near: { latitude, longitude }, limit: 1 }))[0];

  t.like(await nearest(0, 179.99), { id: 'west' });
  t.like(await nearest(89.999, -170), { id: 'pole' });
  t.like(await nearest(32.08, 34.78), { id: 'here', distanceKm: 0 });
  const all = await listPoints(database.db, {
    licenseId,
    near: { latitude: 32.08, longitude: 34.78 },
    limit: 9,
  });
  t.is(Math.round(all.at(-1)?.distanceKm ?? 0), 20015);
});

test('nearest within a city', async (t) => {
  const { licenseId } = await newLicense();
  await replacePoints(database.db, {
    licenseId,
    points: [
      point('near', { city: 'Acre', latitude: 32.9, longitude: 35.07 }),
      point('far', { city: 'Haifa', latitude: 32.8, longitude: 35 }),
      point('farther', { city: 'Haifa', latitude: 32.7, longitude: 35 }),
    ],
  });

  const near = { latitude: 32.92, longitude: 35.07 };

  t.deepEqual(await idsOf({ licenseId, near, city: 'haifa' }), ['far', 'farther']);
  t.deepEqual(await idsOf({ licenseId, near, limit: 2 }), ['near', 'far']);
});

test('a city and a place are found through an index in thousands of points', async (t) => {
  const { licenseId } = await newLicense();
  await replacePoints(database.db, {
    licenseId,
    points: Array.from({ length: 5000 }, (_, index) =>
      point(String(index), {
        city: `City ${index % 300}`,
        latitude: 29.5 + (index % 380) / 100,
        longitude: 34.2 + (index % 150) / 100,
      }),
    ),
  });
  await database.db.select('ANALYZE TABLE pickup_points');

  const plans = await plansOf(database.db, async (explained) => {
    await listPoints(explained, { licenseId, city: 'City 7', limit: 50 });
    await listPoints(explained, { licenseId, near: { latitude: 32, longitude: 35 }, limit: 2 });
  });

  t.deepEqual(
    plans.flat().map(({ key }) => key),
    ['pickup_points_city', 'pickup_points_place'],
  );
  t.true(
    plans.flat().every(({ rows }) => Number(rows) < 1000),
    JSON.stringify(plans),
  );
});

test('copies of usable licenses that were asked for lately are renewed', async (t) => {
  const wanted = await newLicense();
  const later = await newLicense();
  const idle = await newLicense();
  const inactive = await newLicense({ isActive: false });
  const expired = await newLicense({ expiresAt: '2020-01-01T00:00:00.000000Z' });
  for (const { licenseId } of [wanted, later, idle, inactive, expired])
    await replacePoints(database.db, { licenseId, points: [point('1')] });
  for (const { licenseId } of [wanted, idle])
    await database.db.run(
      'UPDATE pickup_point_copies SET asked_at = NOW(6) - INTERVAL 31 DAY WHERE license_id = ?',
      [licenseId],
    );
  await notePointsAsked(database.db, wanted.licenseId);
  const ours = [wanted, later, idle, inactive, expired].map(({ licenseId }) => licenseId);
  const renewed = async (afterLicenseId: number, provider = 'run') => {
    const found = await listCopiesToRenew(database.db, { provider, afterLicenseId, limit: 100 });
    return found.filter((licenseId) => ours.includes(licenseId));
  };

  t.deepEqual(await renewed(wanted.licenseId - 1), [wanted.licenseId, later.licenseId]);
  t.deepEqual(await renewed(wanted.licenseId), [later.licenseId]);
  t.deepEqual(await renewed(wanted.licenseId - 1, 'independent'), []);
});

test('coordinates are read only where they are degrees', (t) => {
  t.deepEqual(placeOf('32.0800', '34.7740'), { latitude: 32.08, longitude: 34.774 });
  t.deepEqual(placeOf('-90', '+180'), { latitude: -90, longitude: 180 });
  for (const [latitude, longitude] of [
    ['', ''],
    ['0', '0.0'],
    ['91', '10'],
    ['10', '181'],
    ['32,08', '34'],
    ['NaN', '1'],
    ['1e1', '1'],
  ] as const)
    t.is(placeOf(latitude, longitude), null, `${latitude} ${longitude}`);
});
