import { listLabelSources } from '../../db/queries/labels/label-sources.js';
import {
  ensureLabelSet,
  findCarrierLabel,
  findCarrierLabelCode,
  findLabelSet,
  type LabelSet,
} from '../../db/queries/labels/labels.js';
import { carrierLabelKey } from '../../documents/labels/stored.js';
import { AppError, notFound, unavailable, validationError } from '../../domain/errors.js';
import {
  DEFAULT_LABEL_OPTIONS,
  isBuiltinMethod,
  isCancelled,
  type LabelOptions,
  type LabelSource,
  type LabelType,
  labelTypeOf,
  SLOTS_PER_SHEET,
} from '../../domain/labels.js';
import { type FieldErrors, problemAt } from '../../domain/problems/problem.js';
import { LIMITS } from '../../lib/limits/values.js';
import { startFetchCarrierLabel } from '../../temporal/starters.js';
import type { App } from '../app.js';
import { findShipment } from '../shipments/find-shipment.js';
import { type LabelHtml, type LabelPdf } from './label-documents.js';
import type { LabelApp, LabelParts } from './label-parts.js';
import { LABEL_UNAVAILABLE, runLabels } from './label-printing.js';
import { aboutOf, pdfOf, printedPdf } from './set-pdf.js';

interface OneShipment {
  accountId: number;
  uuid: string;
}

interface LabelReference {
  /** Of its document, below the service's base URL. */
  path: string;
  labelType: LabelType;
  source: 'builtin' | 'carrier';
}

/** Choices in a label's URL; missing ones are as in the set. */
export type LabelChoice = Partial<Pick<LabelOptions, 'position' | 'sort' | 'direction'>>;

/** A request for several shipments' labels. */
interface LabelSetRequest {
  accountId: number;
  /** Omitted when the shipments may be any of the account. */
  licenseId?: number;
  /** Lower-case uuids. */
  shipments: readonly string[];
  options: LabelOptions;
}

/** Makes the label unless it exists. @throws AppError `not_found`, `carrier_rejected`, `service_unavailable` */
export async function labelOfShipment({ labels }: LabelApp, request: OneShipment): Promise<LabelReference> {
  return (await ensureLabel(labels, request)).reference;
}

/** {@link labelOfShipment} as a PDF. */
export async function labelPdfOfShipment({ labels }: LabelApp, request: OneShipment): Promise<LabelPdf> {
  return (await ensureLabel(labels, request)).pdf;
}

/** Content of `/shipping/label/<uuid>`. @throws AppError `not_found`, `service_unavailable` */
export async function printedLabels(
  { labels }: LabelApp,
  uuid: string,
  choice: LabelChoice,
): Promise<LabelPdf> {
  return await printedPdf(labels, await openSet(labels, uuid, choice));
}

/**
 * {@link printedLabels} as HTML. @throws AppError `not_found`, or `validation_failed` for too many labels on a
 * page
 */
export async function htmlLabels(
  { labels }: LabelApp,
  uuid: string,
  choice: LabelChoice,
): Promise<LabelHtml> {
  return await labels.documents.html(await openSet(labels, uuid, choice));
}

/** Content of `/storage/document/<uuid>.pdf`. @throws AppError `not_found` */
export async function storedLabel(
  { db, storage }: Pick<App, 'db' | 'storage'>,
  uuid: string,
): Promise<LabelPdf> {
  const known = await findCarrierLabelCode(db, uuid);
  const body = known === null ? null : await storage.read(carrierLabelKey(uuid));
  if (known === null || body === null) throw notFound('document');
  return pdfOf(body, [known.trackingCode]);
}

async function openSet({ db }: Pick<App, 'db'>, uuid: string, choice: LabelChoice): Promise<LabelSet> {
  const set = await findLabelSet(db, uuid);
  if (set === null) throw notFound('label');
  return { ...set, options: { ...set.options, ...choice } };
}

async function ensureLabel(
  parts: LabelParts,
  { accountId, uuid }: OneShipment,
): Promise<{ reference: LabelReference; pdf: LabelPdf }> {
  const wanted = { accountId, uuids: [uuid] };
  let [source] = await listLabelSources(parts.db, wanted);
  if (source === undefined && (await findShipment(parts, { accountId, uuid })) !== null) {
    [source] = await listLabelSources(parts.db, wanted);
  }
  if (source === undefined) throw notFound('shipment');
  const labelType = labelTypeOf(source);
  // A carrier's label cannot be marked as cancelled.
  const byCarrier =
    !isCancelled(source.shipment) &&
    !isBuiltinMethod(source) &&
    parts.carriers(source.shipment.carrier.provider).label !== undefined;
  if (byCarrier) {
    const { documentUuid, body } = await carrierLabel(parts, source);
    const path = `/storage/document/${documentUuid}.pdf`;
    const pdf = pdfOf(body, [source.shipment.trackingCode]);
    return { reference: { path, labelType, source: 'carrier' }, pdf };
  }
  const shipmentIds = [source.shipment.id];
  const set = await ensureLabelSet(parts.db, { accountId, shipmentIds, options: DEFAULT_LABEL_OPTIONS });
  const pdf = await printedPdf(parts, set, [source]);
  return { reference: { path: pathOf(set), labelType, source: 'builtin' }, pdf };
}

/**
 * The path of the label; null when the carrier makes it and has none, or not in time. @throws AppError `not_found`,
 * `service_unavailable`
 */
export async function labelPathOfShipment(app: LabelApp, request: OneShipment): Promise<string | null> {
  try {
    return (await labelOfShipment(app, request)).path;
  } catch (error) {
    const isRefused = error instanceof AppError && error.code === 'carrier_rejected';
    if (isRefused || error instanceof CarrierSilent) return null;
    throw error;
  }
}

/**
 * One document of our renderer for all shipments. `nextSlot`: of the A4 sheet on which it ends, the first free one, from
 * 1; null for a roll. @throws AppError `validation_failed`, `service_unavailable`
 */
export async function labelsOfShipments(
  { labels: parts }: LabelApp,
  request: LabelSetRequest,
): Promise<{ path: string; count: number; nextSlot: number | null }> {
  const { accountId, licenseId, shipments, options } = request;
  const uuids = [...new Set(shipments)];
  const ofLicense = licenseId === undefined ? {} : { licenseId };
  const sources = await listLabelSources(parts.db, { accountId, uuids, ...ofLicense });
  const found = new Set(sources.map(({ shipment }) => shipment.uuid));
  const fields: FieldErrors = {};
  for (const [index, uuid] of shipments.entries()) {
    const path = `shipments.${index}`;
    if (!found.has(uuid)) fields[path] = [problemAt(path, 'unknown_shipment')];
  }
  if (Object.keys(fields).length > 0) throw validationError(fields);
  const labels = sources.reduce((sum, { shipment }) => sum + shipment.packages, 0);
  if (labels > LIMITS.labels.ofDocument) {
    const values = { limit: LIMITS.labels.ofDocument, count: labels };
    throw validationError({ shipments: [problemAt('shipments', 'too_many_packages', values)] });
  }
  const shipmentIds = sources.map(({ shipment }) => shipment.id);
  const set = await ensureLabelSet(parts.db, { accountId, shipmentIds, options });
  await printedPdf(parts, set, sources);
  const [first] = sources;
  const isRoll = first === undefined || (options.labelType ?? labelTypeOf(first)) === 'thermal';
  const nextSlot = isRoll ? null : ((options.position - 1 + labels) % SLOTS_PER_SHEET) + 1;
  return { path: pathOf(set), count: sources.length, nextSlot };
}

async function carrierLabel(
  parts: LabelParts,
  source: LabelSource,
): Promise<{ documentUuid: string; body: Buffer }> {
  const { shipment } = source;
  const { accountId, licenseId, id: shipmentId, uuid: shipmentUuid } = shipment;
  const { provider } = shipment.carrier;
  for (let tries = 0; tries < 2; tries += 1) {
    const known = await findCarrierLabel(parts.db, { accountId, shipmentId });
    const body = known === null ? null : await parts.storage.read(carrierLabelKey(known.uuid));
    if (known !== null && body !== null) return { documentUuid: known.uuid, body };
    const input = { accountId, licenseId, provider, shipmentUuid };
    const start = () => startFetchCarrierLabel(parts.temporal, input, aboutOf([source]));
    await runLabels(parts, start, () => new CarrierSilent());
  }
  throw unavailable(LABEL_UNAVAILABLE);
}

/** The carrier did not provide a label in time; engine and store are fine. */
class CarrierSilent extends AppError {
  constructor() {
    super('service_unavailable', LABEL_UNAVAILABLE);
  }
}

function pathOf({ uuid }: LabelSet): string {
  return `/shipping/label/${uuid}`;
}
