import { listLabelSources } from '../../db/queries/labels/label-sources.js';
import type { LabelSet } from '../../db/queries/labels/labels.js';
import { composeLabels, type LabelDocument } from '../../documents/labels/document.js';
import type { Logos } from '../../documents/labels/logo.js';
import { labelsAsHtml } from '../../documents/labels/print.js';
import { notFound, validationError } from '../../domain/errors.js';
import type { LabelSource } from '../../domain/labels.js';
import { problemAt } from '../../domain/problems/problem.js';
import { shortDigest } from '../../lib/digest.js';
import { Slots } from '../../lib/limits/slots.js';
import { LIMITS } from '../../lib/limits/values.js';
import { showCapacity } from '../../lib/metrics.js';
import type { App } from '../app.js';

type DocumentApp = Pick<App<'baseUrl'>, 'db' | 'config'> & { logos: Logos };

/** `etag` changes with every byte. `name`: `label-<tracking code>.pdf` or `labels-<number>.pdf`. */
export interface LabelPdf {
  name: string;
  body: Buffer;
  etag: string;
}

/** An HTML page; `etag` changes with every byte. */
export type LabelHtml = Pick<LabelPdf, 'body' | 'etag'>;

/** The current content of a set's labels, and its sources. */
interface ComposedLabels {
  document: LabelDocument;
  sources: readonly LabelSource[];
}

/**
 * Documents that this process renders itself.
 *
 * Large sets take a tenth of a second each, and anyone with the URL may request them. So few are composed at
 * once, accounts take turns, and equal requests share the work. A single shipment takes a millisecond and does
 * not wait.
 */
export function createLabelDocuments(app: DocumentApp) {
  const slots = new Slots({ total: 2 });
  showCapacity('labels.htmlAtOnce', slots);
  const composeShared = sharedUntilBegun(slots, (set) => compose(app, set));
  return {
    /** `known`: sources that were just read. @throws AppError `not_found` */
    async compose(set: LabelSet, known?: readonly LabelSource[]): Promise<ComposedLabels> {
      const count = (known ?? set.shipmentIds).length;
      if (count === 1) return await compose(app, set, known);
      if (known === undefined) return await composeShared(set);
      return await slots.use(() => compose(app, set, known), set.accountId);
    },
    /** @throws AppError `not_found`, or `validation_failed` for too many labels on a page */
    html: sharedUntilBegun(slots, (set) => layOut(app, set)),
  };
}

/** Works once for equal questions asked before the work has begun: no answer is older than its question. */
function sharedUntilBegun<T>(
  slots: Slots,
  work: (set: LabelSet) => Promise<T>,
): (set: LabelSet) => Promise<T> {
  const waiting = new Map<string, Promise<T>>();
  return (set) => {
    const key = JSON.stringify([set.uuid, set.options]);
    const known = waiting.get(key);
    if (known !== undefined) return known;
    const begin = () => {
      waiting.delete(key);
      return work(set);
    };
    // A free slot begins within the call: the work must be among the waiting before.
    const done = Promise.resolve().then(() => slots.use(begin, set.accountId));
    waiting.set(key, done);
    return done;
  };
}

async function compose(
  { db, config }: DocumentApp,
  { accountId, shipmentIds, options }: LabelSet,
  known?: readonly LabelSource[],
): Promise<ComposedLabels> {
  const sources = known ?? (await listLabelSources(db, { accountId, ids: shipmentIds }));
  if (sources.length === 0) throw notFound('label');
  const document = await composeLabels(sources, options, { baseUrl: config.baseUrl });
  return { document, sources };
}

/** Bytes with their ETag, shared by concurrent callers. */
async function layOut(app: DocumentApp, set: LabelSet): Promise<LabelHtml> {
  const { document } = await compose(app, set);
  if (document.labels.length > LIMITS.labels.ofHtml) {
    const tooMany = problemAt('output', 'too_many_labels', { limit: LIMITS.labels.ofHtml });
    throw validationError({ output: [tooMany] });
  }
  const logo = await app.logos.of(document.merchant.logo);
  const body = Buffer.from(await labelsAsHtml(document, { logo }), 'utf8');
  return { body, etag: shortDigest(body) };
}
