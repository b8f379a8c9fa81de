import type { Place, StoredPickupPoint } from '../../../domain/pickup-points.js';
import { townKeyOf } from '../../../domain/towns.js';
import { LIMITS } from '../../../lib/limits/values.js';
import type { Database, Executor, Row, SqlValue } from '../../database.js';
import { int } from '../../row.js';
import { expression, shape } from '../../selection.js';
import { pickupPointCopies, pickupPoints } from '../../tables/index.js';

const UNASKED_DAYS = 30;

const EARTH_RADIUS_KM = 6371.0088;
const REPLACE_POINT = `ON DUPLICATE KEY UPDATE generation = VALUES(generation), name = VALUES(name),
  city = VALUES(city), city_key = VALUES(city_key), street = VALUES(street), number = VALUES(number),
  street_code = VALUES(street_code), latitude = VALUES(latitude), longitude = VALUES(longitude),
  remarks = VALUES(remarks)`;
/** Radii searched before the whole list, in kilometres. */
const RADII_KM = [5, 25, 125];

const k = pickupPointCopies.as('k');
const REFRESHED_AGO = expression('TIMESTAMPDIFF(SECOND, k.refreshed_at, NOW(6))', int);
const COPY = shape({
  carrierId: k.carrierId,
  points: k.points,
  refreshedAgo: REFRESHED_AGO,
  askedAgo: expression('TIMESTAMPDIFF(SECOND, k.asked_at, NOW(6))', int),
});
const p = pickupPoints.as('p');
const BOOKED = shape({
  refreshedAgo: REFRESHED_AGO,
  point: shape({ name: p.name, street: p.street, number: p.number, city: p.city }).or(null),
});

/** A point of a list; `distanceKm` is null where the list has no centre or the point no coordinates. */
export type ListedPoint = StoredPickupPoint & { distanceKm: number | null };

/** Which points of a license's copy to list. */
export interface ListPointsArgs {
  licenseId: number;
  /** The caller's city, under any of its names. */
  city?: string;
  /** Sorts by distance from this place; without it by city and id. */
  near?: Place;
  limit: number;
}

/** State of the license's copy, ages in seconds; null when there is none yet. */
export async function findPointCopy(db: Executor, args: { accountId: number; licenseId: number }) {
  return await COPY.first(db, 'FROM pickup_point_copies k WHERE k.license_id = ? AND k.account_id = ?', [
    args.licenseId,
    args.accountId,
  ]);
}

/**
 * A point of the license's copy of the carrier's list, and the copy's age in seconds. Null when there is no copy yet;
 * `point` is null when it is not in the copy.
 */
export async function findBookedPoint(
  db: Executor,
  args: { licenseId: number; carrierId: number; pointId: string },
) {
  return await BOOKED.first(
    db,
    `FROM pickup_point_copies k
     LEFT JOIN pickup_points p ON p.license_id = k.license_id AND p.point_id = ?
     WHERE k.license_id = ? AND k.carrier_id = ?`,
    [args.pointId, args.licenseId, args.carrierId],
  );
}

/** Records a request for the copy, which keeps it renewed. */
export async function notePointsAsked(db: Executor, licenseId: number): Promise<void> {
  await db.run('UPDATE pickup_point_copies SET asked_at = NOW(6) WHERE license_id = ?', [licenseId]);
}

/** Usable licenses of the provider whose copies are due for renewal and were requested recently, by ascending id. */
export async function listCopiesToRenew(
  db: Executor,
  args: { provider: string; afterLicenseId: number; limit: number },
): Promise<number[]> {
  return await k.licenseId.select(
    db,
    `FROM pickup_point_copies k
     JOIN licenses l ON l.id = k.license_id
     JOIN companies c ON c.id = l.company_id AND c.carrier_id = k.carrier_id
     WHERE k.carrier_id = (SELECT r.id FROM carriers r WHERE r.provider = ?) AND k.license_id > ?
       AND k.asked_at > NOW(6) - INTERVAL ${UNASKED_DAYS} DAY
       AND l.is_active AND (l.expires_at IS NULL OR l.expires_at > NOW(6))
     ORDER BY k.license_id LIMIT ?`,
    [args.provider, args.afterLicenseId, args.limit],
  );
}

/**
 * Replaces the license's copy in one transaction: readers see the old copy or the new one. Point ids must be unique.
 * @throws Error when there is no such license
 */
export async function replacePoints(
  db: Database,
  args: { licenseId: number; points: readonly StoredPickupPoint[] },
): Promise<void> {
  const { licenseId, points } = args;
  await db.transaction(async (tx) => {
    // The row lock serializes refreshes of one license.
    const { affectedRows } = await tx.run(
      `INSERT INTO pickup_point_copies (license_id, account_id, carrier_id, points)
       SELECT l.id, l.account_id, c.carrier_id, ? FROM licenses l JOIN companies c ON c.id = l.company_id
       WHERE l.id = ?
       ON DUPLICATE KEY UPDATE carrier_id = VALUES(carrier_id), points = VALUES(points), refreshed_at = NOW(6),
         generation = pickup_point_copies.generation + 1`,
      [points.length, licenseId],
    );
    if (affectedRows === 0) throw new Error(`License ${licenseId} does not exist.`);
    const where = { licenseId, accountId: undefined };
    const copy = await pickupPointCopies.findOne(tx, pickupPointCopies.pick('generation'), where);
    const generation = copy?.generation ?? 0;
    for (let start = 0; start < points.length; start += LIMITS.database.insertedRows) {
      const rows = points.slice(start, start + LIMITS.database.insertedRows).map((point) => ({
        licenseId,
        pointId: point.id,
        generation,
        name: point.name,
        city: point.city,
        cityKey: townKeyOf(point.city),
        street: point.street,
        number: point.number,
        streetCode: point.streetCode,
        latitude: point.latitude?.toString() ?? null,
        longitude: point.longitude?.toString() ?? null,
        remarks: point.remarks,
      }));
      await pickupPoints.insertText(tx, rows, REPLACE_POINT);
    }
    await tx.run('DELETE FROM pickup_points WHERE license_id = ? AND generation <> ?', [
      licenseId,
      generation,
    ]);
  });
}

/**
 * Points of the license's copy. Nearest first reads rings around the place through an index, each ring only when
 * the smaller ones hold too few; points without coordinates come last.
 */
export async function listPoints(db: Executor, args: ListPointsArgs): Promise<ListedPoint[]> {
  const { near } = args;
  const city = cityCondition(args.city);
  if (city === null) return [];
  if (near === undefined) {
    return await select(db, args, { ...city, distance: 'NULL', order: 'city_key, point_id', params: [] });
  }
  // A city has few points: all distances are computed.
  for (const radiusKm of args.city === undefined ? RADII_KM : []) {
    const found = await select(db, args, within(near, radiusKm));
    if (found.length === args.limit) return found;
  }
  return await select(db, args, {
    ...city,
    ...distanceTo(near),
    order: 'distanceKm IS NULL, distanceKm, point_id',
  });
}

interface Search {
  /** Condition beside the license, and its parameters. */
  where: string;
  values: readonly SqlValue[];
  distance: string;
  /** Parameters of the distance. */
  params: readonly SqlValue[];
  order: string;
  having?: string;
}

const POINT = {
  id: p.pointId,
  name: p.name,
  city: p.city,
  street: p.street,
  number: p.number,
  streetCode: p.streetCode,
  latitude: p.latitude.map(toNumber),
  longitude: p.longitude.map(toNumber),
  remarks: p.remarks,
};

async function select(db: Executor, args: ListPointsArgs, selection: Search): Promise<ListedPoint[]> {
  const { where, values, distance, params, order, having = 'TRUE' } = selection;
  const point = shape({ ...POINT, distanceKm: expression(distance, doubleOrNull) });
  return await point.select(
    db,
    `FROM pickup_points p WHERE license_id = ? AND ${where}
     HAVING ${having} ORDER BY ${order} LIMIT ?`,
    [...params, args.licenseId, ...values, args.limit],
  );
}

/** Null when the city has no letter or digit and can match nothing. */
function cityCondition(city: string | undefined): { where: string; values: SqlValue[] } | null {
  if (city === undefined) return { where: 'TRUE', values: [] };
  const key = townKeyOf(city);
  return key === '' ? null : { where: 'city_key = ?', values: [key] };
}

/** The haversine formula. Rounding must not push the root's argument above 1, where ASIN is NULL. */
function distanceTo({ latitude, longitude }: Place): Pick<Search, 'distance' | 'params'> {
  return {
    distance: `2 * ${EARTH_RADIUS_KM} * ASIN(LEAST(1, SQRT(
        POW(SIN(RADIANS(latitude - ?) / 2), 2)
        + COS(RADIANS(?)) * COS(RADIANS(latitude)) * POW(SIN(RADIANS(longitude - ?) / 2), 2))))`,
    params: [latitude, latitude, longitude],
  };
}

/** Points within the radius, found by the box around it. */
function within(place: Place, radiusKm: number): Search {
  const angle = radiusKm / EARTH_RADIUS_KM;
  const latitudes = degrees(angle);
  const south = place.latitude - latitudes;
  const north = place.latitude + latitudes;
  const widest = Math.sin(angle) / Math.cos(radians(place.latitude));
  const longitudes = north >= 90 || south <= -90 || widest >= 1 ? 180 : degrees(Math.asin(widest));
  const west = place.longitude - longitudes;
  const east = place.longitude + longitudes;
  // A box across the date line would be two boxes: only the latitude limits there.
  const isWhole = west >= -180 && east <= 180;
  return {
    where: `latitude BETWEEN ? AND ?${isWhole ? ' AND longitude BETWEEN ? AND ?' : ''}`,
    values: isWhole ? [south, north, west, east] : [south, north],
    ...distanceTo(place),
    order: 'distanceKm, point_id',
    having: `distanceKm <= ${radiusKm}`,
  };
}

function radians(value: number): number {
  return (value * Math.PI) / 180;
}

function degrees(value: number): number {
  return (value * 180) / Math.PI;
}

function toNumber(decimal: string | null): number | null {
  return decimal === null ? null : Number(decimal);
}

function doubleOrNull(row: Row, column: string): number | null {
  const value = row[column];
  return typeof value === 'number' ? value : null;
}
