import type { LicenseSummary } from '../../../../db/queries/accounts/accounts.js';
import { listLicenseSummaries } from '../../../../db/queries/accounts/credentials.js';
import {
  listShipments,
  type ShipmentFilter,
  type ShipmentPage,
} from '../../../../db/queries/shipments/shipment-lists.js';
import { searchShipments } from '../../../../db/queries/shipments/shipment-search.js';
import type { ShipmentRecord } from '../../../../domain/shipment.js';
import { isStatusCode } from '../../../../domain/statuses.js';
import { israelDayEnd, israelDayStart } from '../../../../lib/israel-time.js';
import { LIMITS } from '../../../../lib/limits/values.js';
import { withoutMarks } from '../../../../lib/sent-text.js';
import type { AccountVisit } from '../screen.js';

const { counted, searched } = LIMITS.panel;

interface PageOfList {
  /** From 1. */
  page: number;
  perPage: number;
  /** Oldest first. */
  isAscending?: boolean;
}

/** The shipments of the account that the query of its list finds: the text of the search within the filters. */
export async function foundShipments(
  { app, account }: Pick<AccountVisit, 'app' | 'account'>,
  query: URLSearchParams,
  licenses: readonly LicenseSummary[],
  { page, perPage, isAscending = false }: PageOfList,
): Promise<ShipmentPage> {
  const text = searchOf(query);
  const filter = filterOf(query);
  const accountId = account.id;
  const licenseIds = chosenLicenses(query, licenses).map(({ id }) => id);
  const wanted = { accountId, licenseIds, filter, page, perPage };
  if (text !== '') return await searchShipments(app.db, { ...wanted, text, looked: searched });
  const sort = { column: 'created_at', descending: !isAscending } as const;
  return await listShipments(app.db, { ...wanted, sort, counted });
}

/** Shipments with a tracking code that a list's query finds, oldest first, `most` of them. */
export async function allFound(
  visit: Pick<AccountVisit, 'app' | 'account'>,
  query: URLSearchParams,
  most: number,
): Promise<readonly ShipmentRecord[]> {
  const licenses = await listLicenseSummaries(visit.app.db, visit.account.id);
  const { rows } = await foundShipments(visit, query, licenses, {
    page: 1,
    perPage: most,
    isAscending: true,
  });
  return rows.filter(({ trackingCode }) => trackingCode !== null).slice(0, most);
}

/** Those of the shipments that a scanned or typed code names exactly. */
export function exactly(rows: readonly ShipmentRecord[], text: string): readonly ShipmentRecord[] {
  const wanted = text.toUpperCase();
  return rows.filter(({ uuid, trackingCode, shortTrackingCode, order }) =>
    [uuid, trackingCode, shortTrackingCode, order.id, order.number].some(
      (one) => one?.toUpperCase() === wanted,
    ),
  );
}

/** The text of the search, read as what is stored; empty without one. */
export function searchOf(query: URLSearchParams): string {
  return withoutMarks(query.get('q') ?? '').slice(0, 191);
}

/** The license of the filter, else all. */
export function chosenLicenses(
  query: URLSearchParams,
  licenses: readonly LicenseSummary[],
): readonly LicenseSummary[] {
  const wanted = query.get('license') ?? '';
  return wanted === '' ? licenses : licenses.filter(({ id }) => String(id) === wanted);
}

/** The filters of a list's query. A day is one of Israel, as the list shows it. */
export function filterOf(query: URLSearchParams): ShipmentFilter {
  const status = query.get('status') ?? '';
  const label = query.get('label') ?? '';
  const createdFrom = israelDayStart(query.get('from') ?? '');
  const createdTo = israelDayEnd(query.get('to') ?? '');
  return {
    ...(isStatusCode(status) ? { status } : {}),
    ...(label === '' ? {} : { labelGenerated: label === 'true' }),
    ...(createdFrom === null ? {} : { createdFrom }),
    ...(createdTo === null ? {} : { createdTo }),
  };
}

/** Shipments that are ready for their labels, as a list's query. */
export const TO_BE_PRINTED = 'label=false&status=created';

/** The query of a list that a form holds, without what belongs to one answer. */
export function listQueryOf(text: string): URLSearchParams {
  const query = new URLSearchParams(text);
  for (const name of ['notice', 'open']) query.delete(name);
  return query;
}
