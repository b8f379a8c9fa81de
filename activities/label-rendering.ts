import { ApplicationFailure } from '@temporalio/activity';
import {
  LABEL_FAILURES,
  type RenderLabelsInput,
  type RenderLabelsResult,
} from '../src/contracts/render-labels.js';
import type { Database } from '../src/db/database.js';
import { listLabelSources } from '../src/db/queries/label-sources.js';
import { findLabelSet, markLabelled } from '../src/db/queries/labels.js';
import { composeLabels, type LabelDocument } from '../src/documents/labels/document.js';
import type { Logos } from '../src/documents/labels/logo.js';
import type { LabelPress } from '../src/documents/labels/press.js';
import { type LabelCache, printHash, printLabels } from '../src/documents/labels/print.js';
import { nowIso } from '../src/lib/time.js';
import { withHeartbeat } from './heartbeat.js';

/** What the activities that make documents are given. */
export interface DocumentDeps {
  db: Database;
  press: LabelPress;
  cache: LabelCache;
  logos: Logos;
}

export type DocumentActivities = ReturnType<typeof createDocumentActivities>;

/** Everything that runs on the queue of documents. */
export function createDocumentActivities(deps: DocumentDeps) {
  return {
    /**
     * Prints the labels of a set as they are now, keeps them under the hash of what is on them, and shows on the
     * shipments that they have one. Run again, it finds what the first run kept.
     */
    async renderLabels(input: RenderLabelsInput): Promise<RenderLabelsResult> {
      const printed = await withHeartbeat(() => render(deps, input));
      if (printed === null) {
        throw ApplicationFailure.nonRetryable('There is nothing to print.', LABEL_FAILURES.gone);
      }
      return printed;
    },

    /** The same for several sets. Null for one that was not printed: only where none was, all are tried again. */
    async renderLabelsTogether(
      inputs: readonly RenderLabelsInput[],
    ): Promise<readonly (RenderLabelsResult | null)[]> {
      return await withHeartbeat(async () => {
        const ends = await Promise.allSettled(inputs.map((input) => render(deps, input)));
        const failed = ends.filter((end) => end.status === 'rejected');
        if (failed.length === ends.length) throw failed[0]?.reason;
        return ends.map((end) => (end.status === 'fulfilled' ? end.value : null));
      });
    },
  };
}

/** Null where there is nothing to print. */
async function render(deps: DocumentDeps, input: RenderLabelsInput): Promise<RenderLabelsResult | null> {
  const { accountId, labelSetUuid, options, baseUrl } = input;
  const set = await findLabelSet(deps.db, labelSetUuid);
  if (set === null || set.accountId !== accountId) return null;
  const sources = await listLabelSources(deps.db, { accountId, ids: set.shipmentIds });
  if (sources.length === 0) return null;
  const document = composeLabels(sources, options, { baseUrl });
  const { hash, pdf } = await print(deps, document);
  const shipmentIds = sources.map(({ shipment }) => shipment.id);
  await markLabelled(deps.db, { accountId, shipmentIds, at: nowIso() });
  return {
    contentHash: document.hash,
    printHash: hash,
    labels: document.labels.length,
    bytes: pdf.length,
  };
}

async function print(
  { press, cache, logos }: DocumentDeps,
  document: LabelDocument,
): Promise<{ hash: string; pdf: Buffer }> {
  const logo = await logos.of(document.merchant.logo);
  const hash = printHash(document, logo);
  const kept = await cache.read(hash);
  if (kept !== null) return { hash, pdf: kept };
  const pdf = await printLabels(document, { logo }, press);
  await cache.write(hash, pdf);
  return { hash, pdf };
}
