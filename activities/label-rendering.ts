import { ApplicationFailure } from '@temporalio/activity';
import {
  LABEL_FAILURES,
  type RenderLabelsInput,
  type RenderLabelsResult,
} from '../src/contracts/render-labels.js';
import type { Database } from '../src/db/database.js';
import { listLabelSources } from '../src/db/queries/labels/label-sources.js';
import { mapLabelSets, markLabelled } from '../src/db/queries/labels/labels.js';
import { NoBrowser } from '../src/documents/browser/find.js';
import { composeLabels, type LabelDocument } from '../src/documents/labels/document.js';
import type { Logos } from '../src/documents/labels/logo.js';
import type { LabelPress } from '../src/documents/labels/press.js';
import { printHash, printLabels } from '../src/documents/labels/print.js';
import type { LabelCache } from '../src/documents/labels/stored.js';
import type { LabelSource } from '../src/domain/labels.js';
import { nowIso } from '../src/lib/time.js';
import type { App } from '../src/services/app.js';
import { withHeartbeat } from './heartbeat.js';

interface DocumentApp extends Pick<App, 'db'> {
  press: LabelPress;
  cache: LabelCache;
  logos: Logos;
}

/** Activities on the documents queue. */
export function createDocumentActivities(app: DocumentApp) {
  return {
    /**
     * Prints a set's labels, stores them by content hash, and marks the shipments. Repeatable: finds stored
     * documents.
     */
    async renderLabels(input: RenderLabelsInput): Promise<RenderLabelsResult> {
      const [printed] = await renderSets(app, [input]);
      if (printed?.status === 'rejected') throw printed.reason;
      if (printed === undefined || printed.value === null) {
        throw ApplicationFailure.nonRetryable('There is nothing to print.', LABEL_FAILURES.gone);
      }
      return printed.value;
    },

    /** The same for several sets. Null for one that failed; all are retried only if none succeeded. */
    async renderLabelsTogether(
      inputs: readonly RenderLabelsInput[],
    ): Promise<readonly (RenderLabelsResult | null)[]> {
      const ends = await renderSets(app, inputs);
      const failed = ends.filter((end) => end.status === 'rejected');
      if (failed.length === ends.length) throw failed[0]?.reason;
      return ends.map((end) => (end.status === 'fulfilled' ? end.value : null));
    },
  };
}

type Printed = RenderLabelsResult | null;

/** Prints each set of an account as its own document. Null for a set with nothing to print. */
async function renderSets(
  app: DocumentApp,
  inputs: readonly RenderLabelsInput[],
): Promise<PromiseSettledResult<Printed>[]> {
  return await withHeartbeat(async () => {
    const sets = await sourcesOf(app.db, inputs);
    const ends = await Promise.allSettled(sets.map(({ input, sources }) => render(app, input, sources)));
    const printed = sets.filter((_, index) => ends[index]?.status === 'fulfilled');
    await showLabelled(app.db, printed);
    return ends;
  });
}

interface SetSources {
  input: RenderLabelsInput;
  sources: readonly LabelSource[];
}

/** Reads all sets with the statements of one. */
async function sourcesOf(db: Database, inputs: readonly RenderLabelsInput[]): Promise<SetSources[]> {
  const [first] = inputs;
  if (first === undefined) return [];
  const { accountId } = first;
  const uuids = inputs.map(({ labelSetUuid }) => labelSetUuid);
  const sets = await mapLabelSets(db, { accountId, uuids });
  const ids = [...sets.values()].flatMap(({ shipmentIds }) => shipmentIds);
  const all = await listLabelSources(db, { accountId, ids: [...new Set(ids)] });
  const byId = new Map(all.map((source) => [source.shipment.id, source]));
  return inputs.map((input) => {
    const shipmentIds = sets.get(input.labelSetUuid)?.shipmentIds ?? [];
    return { input, sources: shipmentIds.flatMap((id) => byId.get(id) ?? []) };
  });
}

async function render(
  app: DocumentApp,
  { options, baseUrl }: RenderLabelsInput,
  sources: readonly LabelSource[],
): Promise<Printed> {
  if (sources.length === 0) return null;
  const document = await composeLabels(sources, options, { baseUrl });
  const { hash, pdf } = await print(app, document);
  return {
    contentHash: document.hash,
    printHash: hash,
    labels: document.labels.length,
    bytes: pdf.length,
  };
}

/** For all sets in one commit. */
async function showLabelled(db: Database, printed: readonly SetSources[]): Promise<void> {
  const shipmentIds = printed.flatMap(({ sources }) => sources.map(({ shipment }) => shipment.id));
  const [first] = printed;
  if (first === undefined || shipmentIds.length === 0) return;
  await markLabelled(db, { accountId: first.input.accountId, shipmentIds, at: nowIso() });
}

async function print(
  { press, cache, logos }: DocumentApp,
  document: LabelDocument,
): Promise<{ hash: string; pdf: Buffer }> {
  const logo = await logos.of(document.merchant.logo);
  const hash = printHash(document, logo);
  const kept = await cache.read(hash);
  if (kept !== null) return { hash, pdf: kept };
  const pdf = await printLabels(document, { logo }, press).catch((error: unknown) => {
    if (!(error instanceof NoBrowser)) throw error;
    // Someone must install one: the caller learns it at once.
    throw ApplicationFailure.nonRetryable(error.message, LABEL_FAILURES.noBrowser);
  });
  await cache.write(hash, pdf);
  return { hash, pdf };
}
