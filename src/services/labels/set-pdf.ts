import type { LabelsAbout, RenderLabelsResult } from '../../contracts/render-labels.js';
import { type LabelSet, markLabelled } from '../../db/queries/labels/labels.js';
import type { LabelDocument } from '../../documents/labels/document.js';
import { labelFileName } from '../../documents/labels/file-name.js';
import { printHash } from '../../documents/labels/print.js';
import { unavailable } from '../../domain/errors.js';
import type { LabelSource } from '../../domain/labels.js';
import { shortDigest } from '../../lib/digest.js';
import { nowIso } from '../../lib/time.js';
import type { App } from '../app.js';
import type { LabelPdf } from './label-documents.js';
import type { LabelParts } from './label-parts.js';
import { LABEL_UNAVAILABLE } from './label-printing.js';

/** The set's PDF, from the store or printed now. `known`: sources that were just read. */
export async function printedPdf(
  parts: LabelParts,
  set: LabelSet,
  known?: readonly LabelSource[],
): Promise<LabelPdf> {
  let sources = known;
  // An order that changes while its label is printed has it printed again.
  for (let tries = 0; tries < 3; tries += 1) {
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

/** The stored document. If its logo is missing, the printing run fetches it again. */
async function keptPdf({ logos, cache }: LabelParts, document: LabelDocument): Promise<Buffer | null> {
  const { logo: address } = document.merchant;
  const logo = await logos.of(address);
  return address !== '' && logo === null ? null : await cache.read(printHash(document, logo));
}

/** The run that stored the document may have ended before it updated the shipments. */
async function markWhereMissing(
  { db }: Pick<App, 'db'>,
  { accountId }: LabelSet,
  sources: readonly LabelSource[],
): Promise<void> {
  const shipmentIds = sources
    .filter(({ shipment }) => !shipment.labelGenerated)
    .map(({ shipment }) => shipment.id);
  if (shipmentIds.length > 0) await markLabelled(db, { accountId, shipmentIds, at: nowIso() });
}

/** Prints the set and returns the hashes of its content at that time. */
async function print(
  parts: LabelParts,
  set: LabelSet,
  document: LabelDocument,
  sources: readonly LabelSource[],
): Promise<RenderLabelsResult> {
  const { accountId, uuid, options } = set;
  const [only, ...others] = sources;
  return await parts.print({
    accountId,
    labelSetUuid: uuid,
    options,
    baseUrl: parts.config.baseUrl,
    contentHash: document.hash,
    labels: document.labels.length,
    shipmentUuid: others.length === 0 ? (only?.shipment.uuid ?? null) : null,
    about: aboutOf(sources),
  });
}

/** For the summary of a run. */
export function aboutOf(sources: readonly LabelSource[]): LabelsAbout {
  const [first, ...others] = sources;
  const { carrier, order } = first?.shipment ?? {};
  const isOne = carrier !== undefined && order !== undefined && others.length === 0;
  return {
    merchant: first?.account.name ?? '',
    one: isOne ? { carrier: carrier.name, orderId: order.id } : null,
  };
}

export function pdfOf(body: Buffer, trackingCodes: readonly (string | null)[]): LabelPdf {
  return { name: labelFileName(trackingCodes), body, etag: shortDigest(body) };
}
