import type { CarrierAdapter } from '../carriers/contract.js';
import type { Config } from '../config/config.js';
import type { LabelsAbout, RenderLabelsResult } from '../contracts/render-labels.js';
import type { Database } from '../db/database.js';
import { listLabelSources } from '../db/queries/label-sources.js';
import {
  ensureLabelSet,
  findCarrierLabel,
  findCarrierLabelCode,
  findLabelSet,
  type LabelSet,
  markLabelled,
} from '../db/queries/labels.js';
import type { LabelDocument } from '../documents/labels/document.js';
import { labelFileName } from '../documents/labels/file-name.js';
import { createLogos, type Logos } from '../documents/labels/logo.js';
import { carrierLabelKey, labelCache, printHash } from '../documents/labels/print.js';
import { createStorage, type DocumentStorage } from '../documents/storage.js';
import { AppError, type FieldErrors, notFound, unavailable, validationError } from '../domain/errors.js';
import {
  DEFAULT_LABEL_OPTIONS,
  isBuiltinMethod,
  isCancelled,
  type LabelSource,
  labelTypeOf,
  MAX_LABELS,
} from '../domain/labels.js';
import { shortDigest } from '../lib/digest.js';
import { sharedByKey } from '../lib/limits/shared-by-key.js';
import { nowIso } from '../lib/time.js';
import { startFetchCarrierLabel } from '../temporal/label-runs.js';
import { createLabelDocuments, type LabelDocuments } from './label-documents.js';
import { createLabelPrinting, type LabelPrinting } from './label-printing.js';
import { LABEL_UNAVAILABLE, type LabelRunDeps, runLabels } from './label-run.js';
import type {
  LabelChoice,
  LabelPdf,
  LabelReference,
  LabelServices,
  LabelSetRequest,
} from './label-services.js';

interface Deps extends LabelRunDeps {
  db: Database;
  config: Pick<Config, 'createWaitMs' | 'baseUrl' | 'storage'>;
  carriers(provider: string): CarrierAdapter;
}

interface Parts extends Deps {
  storage: DocumentStorage;
  cache: ReturnType<typeof labelCache>;
  logos: Logos;
  documents: LabelDocuments;
  printing: LabelPrinting;
}

/** An order that changes while its label is printed has it printed again, this often at most. */
const PRINT_TRIES = 3;

/** The label services over the store that the configuration names. */
export function createLabelServices(deps: Deps): LabelServices {
  const storage = createStorage(deps.config.storage);
  const logos = createLogos(storage, null);
  const documents = createLabelDocuments({ ...deps, logos });
  const printing = createLabelPrinting(deps);
  const cache = labelCache(storage);
  // A label of many pages that is opened many times at once is held once.
  const read = sharedByKey((hash: string) => cache.read(hash));
  const parts: Parts = { ...deps, storage, cache: { ...cache, read }, logos, documents, printing };
  const open = async (uuid: string, choice: LabelChoice) => {
    const set = await findLabelSet(parts.db, uuid);
    if (set === null) throw notFound('label');
    return { ...set, options: { ...set.options, ...choice } };
  };
  return {
    ofShipment: async (request) => (await label(parts, request)).reference,
    urlOfShipment: (request) => urlOrNone(parts, request),
    pdfOfShipment: async (request) => (await label(parts, request)).pdf,
    ofSet: (request) => labelSet(parts, request),
    printed: async (uuid, choice) => await printedPdf(parts, await open(uuid, choice)),
    html: async (uuid, choice) => await documents.html(await open(uuid, choice)),
    async stored(uuid) {
      const known = await findCarrierLabelCode(parts.db, uuid);
      const body = known === null ? null : await storage.read(carrierLabelKey(uuid));
      if (known === null || body === null) throw notFound('document');
      return pdfOf(body, [known.trackingCode]);
    },
  };
}

async function label(
  parts: Parts,
  { accountId, uuid }: { accountId: number; uuid: string },
): Promise<{ reference: LabelReference; pdf: LabelPdf }> {
  const [source] = await listLabelSources(parts.db, { accountId, uuids: [uuid] });
  if (source === undefined) throw notFound('shipment');
  const { baseUrl } = parts.config;
  const labelType = labelTypeOf(source);
  // Nothing can be written across a carrier's label.
  const byCarrier =
    !isCancelled(source.shipment) &&
    !isBuiltinMethod(source) &&
    parts.carriers(source.shipment.carrier.provider).label !== undefined;
  if (byCarrier) {
    const { documentUuid, body } = await carrierLabel(parts, source);
    const url = `${baseUrl}/storage/document/${documentUuid}.pdf`;
    return {
      reference: { url, labelType, source: 'carrier' },
      pdf: pdfOf(body, [source.shipment.trackingCode]),
    };
  }
  const shipmentIds = [source.shipment.id];
  const set = await ensureLabelSet(parts.db, { accountId, shipmentIds, options: DEFAULT_LABEL_OPTIONS });
  const pdf = await printedPdf(parts, set, [source]);
  return { reference: { url: addressOf(parts, set), labelType, source: 'builtin' }, pdf };
}

async function urlOrNone(parts: Parts, request: { accountId: number; uuid: string }): Promise<string | null> {
  try {
    return (await label(parts, request)).reference.url;
  } catch (error) {
    const isRefused = error instanceof AppError && error.code === 'carrier_rejected';
    if (isRefused || error instanceof CarrierSilent) return null;
    throw error;
  }
}

async function labelSet(parts: Parts, request: LabelSetRequest): Promise<{ url: string; count: number }> {
  const { accountId, licenseId, shipments, options } = request;
  const uuids = [...new Set(shipments)];
  const ofLicense = licenseId === undefined ? {} : { licenseId };
  const sources = await listLabelSources(parts.db, { accountId, uuids, ...ofLicense });
  const found = new Set(sources.map(({ shipment }) => shipment.uuid));
  const fields: FieldErrors = {};
  for (const [index, uuid] of shipments.entries()) {
    if (!found.has(uuid))
      fields[`shipments.${index}`] = [`The shipments.${index} field names no shipment of the license.`];
  }
  if (Object.keys(fields).length > 0) throw validationError(fields);
  const labels = sources.reduce((sum, { shipment }) => sum + shipment.packages, 0);
  if (labels > MAX_LABELS) {
    const message = `The shipments field must not have more than ${MAX_LABELS} packages in all; these have ${labels}.`;
    throw validationError({ shipments: [message] });
  }
  const shipmentIds = sources.map(({ shipment }) => shipment.id);
  const set = await ensureLabelSet(parts.db, { accountId, shipmentIds, options });
  await printedPdf(parts, set, sources);
  return { url: addressOf(parts, set), count: sources.length };
}

/** The set's PDF: from the store, or printed now. `known`: the sources, where they were just read. */
async function printedPdf(parts: Parts, set: LabelSet, known?: readonly LabelSource[]): Promise<LabelPdf> {
  let sources = known;
  for (let tries = 0; tries < PRINT_TRIES; tries += 1) {
    const { document, sources: composed } = await parts.documents.compose(set, sources);
    const codes = composed.map(({ shipment }) => shipment.trackingCode);
    const kept = await keptPdf(parts, document);
    if (kept !== null) {
      await markWhereMissing(parts, set, composed);
      return pdfOf(kept, codes);
    }
    const printed = await print(parts, set, document, composed);
    const fresh = printed.contentHash === document.hash ? await parts.cache.read(printed.printHash) : null;
    if (fresh !== null) return pdfOf(fresh, codes);
    sources = undefined;
  }
  throw unavailable(LABEL_UNAVAILABLE);
}

/** The document from the store. A logo that is missing is left to the printing run, which tries to fetch it again. */
async function keptPdf({ logos, cache }: Parts, document: LabelDocument): Promise<Buffer | null> {
  const { logo: address } = document.merchant;
  const logo = await logos.of(address);
  return address !== '' && logo === null ? null : await cache.read(printHash(document, logo));
}

/** A run that kept its document may have ended before it showed so on the shipments. */
async function markWhereMissing(
  { db }: Parts,
  { accountId }: LabelSet,
  sources: readonly LabelSource[],
): Promise<void> {
  const shipmentIds = sources
    .filter(({ shipment }) => !shipment.labelGenerated)
    .map(({ shipment }) => shipment.id);
  if (shipmentIds.length > 0) await markLabelled(db, { accountId, shipmentIds, at: nowIso() });
}

/** Has the set printed, and gives the hashes of what was on it then. */
async function print(
  parts: Parts,
  set: LabelSet,
  document: LabelDocument,
  sources: readonly LabelSource[],
): Promise<RenderLabelsResult> {
  const { accountId, uuid, options } = set;
  const shipments = sources.map(({ shipment }) => shipment);
  const [only, ...others] = shipments;
  const input = {
    accountId,
    labelSetUuid: uuid,
    options,
    baseUrl: parts.config.baseUrl,
    contentHash: document.hash,
    labels: document.labels.length,
    shipmentUuid: others.length === 0 ? (only?.uuid ?? null) : null,
    about: aboutOf(sources),
  };
  return await parts.printing.print(input);
}

async function carrierLabel(
  parts: Parts,
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

function aboutOf(sources: readonly LabelSource[]): LabelsAbout {
  const [first, ...others] = sources;
  const { carrier, order } = first?.shipment ?? {};
  const isOne = carrier !== undefined && order !== undefined && others.length === 0;
  return {
    merchant: first?.account.name ?? '',
    one: isOne ? { carrier: carrier.name, orderId: order.id } : null,
  };
}

/** The carrier has not given a label in time; the engine and the store are well. */
class CarrierSilent extends AppError {
  constructor() {
    super('service_unavailable', LABEL_UNAVAILABLE);
  }
}

function addressOf({ config }: Parts, { uuid }: LabelSet): string {
  return `${config.baseUrl}/shipping/label/${uuid}`;
}

function pdfOf(body: Buffer, trackingCodes: readonly (string | null)[]): LabelPdf {
  return {
    name: labelFileName(trackingCodes),
    body,
    etag: shortDigest(body),
  };
}
