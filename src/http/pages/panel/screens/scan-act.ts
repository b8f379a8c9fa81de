import { shipmentRoutes } from '../../../../api/v2/shipments/routes.js';
import { listLicenseSummaries } from '../../../../db/queries/accounts/credentials.js';
import { AppError } from '../../../../domain/errors.js';
import type { ShipmentRecord } from '../../../../domain/shipment.js';
import { isFinal, type SettableStatus } from '../../../../domain/statuses.js';
import { LIMITS } from '../../../../lib/limits/values.js';
import { labelOfShipment } from '../../../../services/labels/labels.js';
import type { AccountVisit } from '../screen.js';
import { told } from '../told.js';
import { filled } from '../words/words.js';
import { exactly, foundShipments } from './found-shipments.js';

/**
 * Statuses that a scan may set: those on which warehouse and courier agree at the door. None is final, as a final one
 * is never left and a scanner asks nothing.
 */
export const MARKS = ['collected', 'out_for_delivery'] as const satisfies readonly SettableStatus[];
/** The acts of a scan. */
export const MODES = ['open', 'print', ...MARKS] as const;
export type Mode = (typeof MODES)[number];

/** Outcomes of a scan. `wrong` is the only one that needs a person. */
export const OUTCOMES = ['opened', 'printed', 'marked', 'already', 'wrong'] as const;
export type Outcome = (typeof OUTCOMES)[number];

interface Scan {
  mode: Mode;
  code: string;
  /** Whether the scan before was the same. */
  isAgain: boolean;
}

/** A scan with what came of it. `label`: path of the label's PDF, of a scan that prints. */
export interface Scanned {
  outcome: Outcome;
  code: string;
  /** A remark beside the outcome. */
  text: string;
  /** Null where the code names none, or several. */
  shipment: ShipmentRecord | null;
  label?: string;
}

/** Does what one scan asks for. A refusal is an outcome too: people who scan look at the list alone. */
export async function scanned(visit: AccountVisit, scan: Scan): Promise<Scanned> {
  const { code } = scan;
  const { scan: texts } = visit.words;
  const wrong = (text: string, shipment: ShipmentRecord | null = null): Scanned => ({
    outcome: 'wrong',
    code,
    text,
    shipment,
  });
  const found = await namedBy(visit, code);
  if (found.length > 1) return wrong(filled(texts.several, { count: found.length }));
  const [shipment] = found;
  if (shipment === undefined) return wrong(texts.missing);
  try {
    return { code, shipment, ...(await carriedOut(visit, scan, shipment)) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return wrong(told(visit.words, error.fields?.code?.[0] ?? error.problem), shipment);
  }
}

/** The shipments that a code names exactly. Of an order that was shipped again the parcel that goes is meant. */
async function namedBy(visit: AccountVisit, code: string): Promise<readonly ShipmentRecord[]> {
  if (code === '') return [];
  const licenses = await listLicenseSummaries(visit.app.db, visit.account.id);
  const query = new URLSearchParams({ q: code });
  const { rows } = await foundShipments(visit, query, licenses, { page: 1, perPage: LIMITS.panel.listRows });
  const named = exactly(rows, code);
  const active = named.filter(({ isActive }) => isActive);
  return active.length === 1 ? active : named;
}

type Done = Omit<Scanned, 'code' | 'shipment'> & { shipment?: ShipmentRecord };

/** @throws AppError as the label or the status is refused */
async function carriedOut(visit: AccountVisit, scan: Scan, shipment: ShipmentRecord): Promise<Done> {
  const { scan: texts } = visit.words;
  if (shipment.trackingCode === null) return { outcome: 'wrong', text: texts.waits };
  if (scan.mode === 'print') return await printed(visit, scan, shipment);
  if (scan.mode !== 'open') return await marked(visit, scan.mode, shipment);
  return scan.isAgain ? { outcome: 'already', text: texts.openedBefore } : { outcome: 'opened', text: '' };
}

async function printed(
  { app, account, words, whileWaiting }: AccountVisit,
  { isAgain }: Scan,
  { uuid, status, labelGenerated, packages }: ShipmentRecord,
): Promise<Done> {
  const { scan: texts } = words;
  if (status.code === 'cancelled') return { outcome: 'wrong', text: texts.cancelled };
  const { path: label } = await whileWaiting(() => labelOfShipment(app, { accountId: account.id, uuid }));
  if (isAgain && labelGenerated) return { outcome: 'already', text: texts.printedBefore, label };
  const several = packages > 1 ? filled(texts.packages, { count: packages }) : '';
  return { outcome: 'printed', text: labelGenerated ? texts.printedAgain : several, label };
}

async function marked(visit: AccountVisit, code: SettableStatus, shipment: ShipmentRecord): Promise<Done> {
  const { app, words, call } = visit;
  const { uuid, status, carrier } = shipment;
  const { scan: texts, statuses } = words;
  const { status: asks, webhook } = app.carriers(carrier.provider);
  const now = { status: statuses[status.code] };
  if (isFinal(status.code)) return { outcome: 'wrong', text: filled(texts.final, now) };
  if (asks !== undefined || webhook !== undefined) return { outcome: 'wrong', text: texts.reported };
  if (status.code === code) return { outcome: 'already', text: filled(texts.markedBefore, now) };
  await call(shipmentRoutes.setStatus, { params: { uuid }, body: { code } });
  const text = `${statuses[status.code]} → ${statuses[code]}`;
  return { outcome: 'marked', text, shipment: { ...shipment, status: { ...status, code } } };
}
