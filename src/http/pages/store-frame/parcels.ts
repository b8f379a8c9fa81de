import type { AccountRecord, LicenseSummary } from '../../../db/queries/accounts/accounts.js';
import { listLicenseSummaries } from '../../../db/queries/accounts/credentials.js';
import { findSiteByDomain, findStoreSite } from '../../../db/queries/accounts/store-sites.js';
import { listShipmentsOfOrders } from '../../../db/queries/shipments/coded-shipments.js';
import { listRefused, type RefusedShipment } from '../../../db/queries/shipments/refused-shipments.js';
import type { ShipmentPage } from '../../../db/queries/shipments/shipment-lists.js';
import type { ShipmentRecord } from '../../../domain/shipment.js';
import { LIMITS } from '../../../lib/limits/values.js';
import type { MountedApp } from '../../mounted-app.js';
import { foundShipments, TO_BE_PRINTED } from '../panel/screens/found-shipments.js';

const { listRows, pageRows, searched } = LIMITS.panel;

/** Whose frame it is. */
export interface FrameOwner {
  account: AccountRecord;
  /** Host name of the store. */
  store: string;
}

/** Parcels as the frame shows them. */
export interface Parcels {
  licenses: readonly LicenseSummary[];
  list: ShipmentPage;
  /** Of the list, from 1. */
  page: number;
  /** How many are booked and have no label yet. */
  unprinted: number;
  /** Those of which nobody knows whether the carrier has them. */
  undecided: ShipmentPage;
  /** Newest first. */
  refused: readonly RefusedShipment[];
  /** Those that the store's page has named, in its order. */
  chosen: readonly ChosenOrder[];
}

/** An order that the store's page has named, and what became of it. */
interface ChosenOrder {
  id: string;
  /** Newest first; those that are not booked yet too. */
  shipments: readonly ShipmentRecord[];
  /** The newest refusal, where no shipment is there. */
  refused: RefusedShipment | null;
}

/**
 * The account's parcels, only those of the license that the store's site names where it names one. `query`: of the
 * panel's list of shipments, with `select_ids` as the plugin has them.
 */
export async function readParcels(
  app: MountedApp,
  { account, store }: FrameOwner,
  query: URLSearchParams,
): Promise<Parcels> {
  const { siteId, ofSite } = await siteOf(app, { account, store });
  const all = await listLicenseSummaries(app.db, account.id);
  const licenses = ofSite === null ? all : all.filter(({ id }) => id === ofSite);
  const page = Math.max(1, Math.min(1_000_000, Math.trunc(Number(query.get('page'))) || 1));
  const found = (wanted: URLSearchParams, rows: { page: number; perPage: number }) =>
    foundShipments({ app, account }, wanted, licenses, rows);
  const inStatus = (status: string) => found(new URLSearchParams({ status }), { page: 1, perPage: listRows });
  const [list, unprinted, undecided, pending, refused] = await Promise.all([
    found(query, { page, perPage: pageRows }),
    found(new URLSearchParams(TO_BE_PRINTED), { page: 1, perPage: 1 }),
    inStatus('needs_attention'),
    inStatus('pending'),
    listRefused(app.db, { accountId: account.id, text: '', looked: searched, limit: pageRows }),
  ]);
  const ids = chosenIds(query);
  const [first] = licenses;
  const scope = {
    licenseId: first?.id ?? 0,
    widenedTo: ofSite === null ? { accountId: account.id, storeSiteId: siteId } : null,
  };
  const booked = await listShipmentsOfOrders(app.db, scope, ids);
  const known = [...booked, ...undecided.rows, ...pending.rows];
  const chosen = ids.map((id) => {
    const shipments = known.filter(({ order }) => order.id === id);
    const isRefused = ({ orderNumber }: RefusedShipment) => orderNumber === id;
    return { id, shipments, refused: shipments.length > 0 ? null : (refused.find(isRefused) ?? null) };
  });
  return { licenses, list, page, unprinted: unprinted.total, undecided, refused, chosen };
}

/** The store's site, and the license that it names; null for what is not there. */
export async function siteOf(
  { db }: Pick<MountedApp, 'db'>,
  { account, store }: FrameOwner,
): Promise<{ siteId: number | null; ofSite: number | null }> {
  const siteId = await findSiteByDomain(db, { accountId: account.id, domain: store });
  const site = siteId === null ? null : await findStoreSite(db, siteId);
  return { siteId, ofSite: site?.licenseId ?? null };
}

/** The ids of the chosen orders, as many as a page lists. */
function chosenIds(query: URLSearchParams): string[] {
  const ids = query.getAll('select_ids').filter((id) => /^[\x21-\x7e]{1,64}$/.test(id));
  return [...new Set(ids)].slice(0, listRows);
}
