import type { Outcome, PackageSize, StreetAddress } from '../../carriers/contract.js';
import { findSettlementCopy, saveSettlementCopy } from '../../db/queries/accounts/settlement-copies.js';
import { findParcel } from '../../db/queries/creation/cancelling.js';
import { AppError, notFound } from '../../domain/errors.js';
import { problem } from '../../domain/problems/problem.js';
import type { JsonObject } from '../../domain/shipment.js';
import { townKeyOf } from '../../domain/towns.js';
import { sharedByKey } from '../../lib/limits/shared-by-key.js';
import type { App } from '../app.js';

const TURN_MS = 3000;
const ANSWER_MS = 25_000;
const SETTLEMENTS_KEPT_SECONDS = 86_400;

/** The limit on carrier requests is reached. */
const BUSY = { kind: 'unavailable', text: '' } as const;

type ExpressApp = Pick<App, 'db' | 'shares' | 'carriers' | 'accounts'>;

/** The license whose carrier is asked. */
interface Asked {
  license: { id: number; carrier: { provider: string } };
}

/**
 * `text` is the carrier's, or why there is no answer; empty when the request limit is reached. `body` is the
 * carrier's JSON, if any.
 */
interface CarrierFailure {
  kind: 'failed';
  text: string;
  body: unknown;
}

type Destined = Asked & { to: StreetAddress };
type Quoted = Destined & { from: StreetAddress; packageSize: PackageSize };
type Booked = { accountId: number; uuid: string };

/** `quote`: the carrier's unchanged body. `unlisted`: the carrier does not collect in that city. */
type SameDayOutcome = { kind: 'quoted'; quote: JsonObject } | { kind: 'unlisted' } | CarrierFailure;

/** `closed`: outside the license's hours, with a text for callers; the carrier was not asked. */
type PromiseOutcome =
  | { kind: 'promised'; promise: JsonObject }
  | { kind: 'closed'; text: string }
  | CarrierFailure;

/** `status` is null when the carrier does not know the parcel. */
type ExpressStatusOutcome =
  | { kind: 'told'; status: { carrierCode: string; description: string } | null }
  | CarrierFailure;

/**
 * Questions about express deliveries, of which nothing is recorded. All respect the request limits, and concurrent equal
 * ones share the answer. @throws AppError `not_supported` for a carrier without the feature
 */
export function createExpress(app: ExpressApp) {
  const settlements = sharedByKey(
    (asked: Asked) => readSettlements(app, asked),
    ({ license }) => license.id,
  );
  return {
    quoteSameDay: sharedByKey((asked: Quoted) => quoteSameDay(app, asked, settlements), questionOf),
    promiseDelivery: sharedByKey((asked: Destined) => promiseDelivery(app, asked), questionOf),
    reachesAddress: sharedByKey((asked: Destined) => reachesAddress(app, asked), questionOf),
    /** @throws AppError `not_found` for a shipment that is not booked */
    statusOf: sharedByKey(
      (asked: Booked) => statusOf(app, asked),
      ({ accountId, uuid }) => `${accountId}/${uuid}`,
    ),
  };
}

/** Settlements from the license's copy of the last day, else from the carrier, else from an older copy. */
async function readSettlements(app: ExpressApp, { license }: Asked): Promise<Outcome<string[]>> {
  const { adapter, context, inTurn } = await open(app, { license });
  const quoter = adapter.sameDayQuote ?? notOffered();
  const copy = await findSettlementCopy(app.db, license.id);
  if (copy !== null && copy.ageSeconds < SETTLEMENTS_KEPT_SECONDS) {
    return { kind: 'accepted', value: copy.settlements };
  }
  const told = await inTurn(() => quoter.settlements(context));
  if (told.kind !== 'accepted') return copy === null ? told : { kind: 'accepted', value: copy.settlements };
  // An empty list is an error of the carrier and is not cached.
  if (told.value.length > 0) {
    await saveSettlementCopy(app.db, { licenseId: license.id, settlements: told.value });
  }
  return told;
}

/** Prices a same-day delivery. */
async function quoteSameDay(
  app: ExpressApp,
  { license, from, to, packageSize }: Quoted,
  settlements: (asked: Asked) => Promise<Outcome<string[]>>,
): Promise<SameDayOutcome> {
  const { adapter, context, inTurn } = await open(app, { license });
  const quoter = adapter.sameDayQuote ?? notOffered();
  const listed = await settlements({ license });
  if (listed.kind !== 'accepted') return failureOf(listed);
  const city = listedName(from.city, listed.value);
  if (city === null) return { kind: 'unlisted' };
  const quoted = await inTurn(() => quoter.quote({ from: { ...from, city }, to, packageSize }, context));
  return quoted.kind === 'accepted' ? { kind: 'quoted', quote: quoted.value } : failureOf(quoted);
}

/** Prices a delivery that starts now, by the license's rules. */
async function promiseDelivery(app: ExpressApp, { license, to }: Destined): Promise<PromiseOutcome> {
  const { adapter, context, inTurn } = await open(app, { license });
  const ask = adapter.shippingPromise ?? notOffered();
  const promised = await inTurn(() => ask({ to, now: new Date() }, context));
  if (promised.kind === 'accepted') return { kind: 'promised', promise: promised.value };
  const isClosed = promised.kind === 'rejected' && promised.code === 'closed';
  return isClosed ? { kind: 'closed', text: promised.text } : failureOf(promised);
}

/** Whether the express service serves an address. */
async function reachesAddress(
  app: ExpressApp,
  { license, to }: Destined,
): Promise<{ kind: 'told'; enabled: boolean } | CarrierFailure> {
  const { adapter, context, inTurn } = await open(app, { license });
  const ask = adapter.expressEnabled ?? notOffered();
  const told = await inTurn(() => ask(to, context));
  return told.kind === 'accepted' ? { kind: 'told', enabled: told.value.enabled } : failureOf(told);
}

/** The carrier's current status of a shipment. */
async function statusOf(app: ExpressApp, { accountId, uuid }: Booked): Promise<ExpressStatusOutcome> {
  const parcel = await findParcel(app.db, { accountId, shipmentUuid: uuid });
  if (parcel === null) throw notFound('shipment');
  const { provider, licenseId } = parcel;
  const license = { id: licenseId, carrier: { provider } };
  const { adapter, context, inTurn } = await open(app, { license });
  const ask = adapter.expressStatus ?? notOffered();
  const told = await inTurn(() => ask(parcel, context));
  return told.kind === 'accepted' ? { kind: 'told', status: told.value } : failureOf(told);
}

/** Opens a license's carrier; `inTurn` runs a call once the limits permit. */
async function open({ carriers, accounts, shares }: ExpressApp, { license }: Asked) {
  const { provider } = license.carrier;
  const context = {
    account: await accounts(license.id, provider),
    signal: AbortSignal.timeout(ANSWER_MS),
  };
  const inTurn = async <T>(ask: () => Promise<Outcome<T>>): Promise<Outcome<T>> =>
    (await shares.take({ provider, licenseId: license.id }, TURN_MS)) ? await ask() : BUSY;
  return { adapter: carriers(provider), context, inTurn };
}

/** Key of equal requests. */
function questionOf({ license, ...question }: Asked): string {
  return JSON.stringify([license.id, question]);
}

/** The carrier's name of the city, which it was asked for under another; null where it is not in the list. */
function listedName(city: string, settlements: readonly string[]): string | null {
  if (settlements.includes(city)) return city;
  const key = townKeyOf(city);
  return key === '' ? null : (settlements.find((name) => townKeyOf(name) === key) ?? null);
}

function failureOf(outcome: Exclude<Outcome<unknown>, { kind: 'accepted' }>): CarrierFailure {
  const body = outcome.kind === 'rejected' ? outcome.body : undefined;
  return { kind: 'failed', text: outcome.text, body };
}

function notOffered(): never {
  throw new AppError('not_supported', problem('not_offered'));
}
