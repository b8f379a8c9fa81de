import { Type } from 'typebox';
import { listBatchErrors } from '../../db/queries/batches/batch-items.js';
import { listLatestBatches } from '../../db/queries/batches/batches.js';
import type { BatchRecord } from '../../domain/batch.js';
import { isUuid } from '../../lib/ids.js';
import type { App } from '../app.js';
import { cancelBatch, retryBatch } from '../batches/batches.js';
import { type ActingApp, auditedAct } from './audited.js';
import { type Given, Id, refuse, requestCheck } from './check.js';

const checkWhich = requestCheck({ account: Type.Optional(Id), open: Type.Optional(Type.Boolean()) });

/** Batches, newest first; 200 at most. `open`: those with pending items. @throws AppError `validation_failed` */
export async function batchList(app: Pick<App, 'db'>, request: Given<typeof checkWhich>) {
  const { account: accountId, open } = checkWhich(request);
  return (await listLatestBatches(app.db, { accountId, open: open === true })).map(shown);
}

/** One batch with its first failed items. @throws AppError `validation_failed` for an unknown one */
export async function showBatch(app: Pick<App, 'db'>, { batch }: { batch: string }) {
  const found = await requireBatch(app, batch);
  return { ...shown(found), failures: await listBatchErrors(app.db, found.id) };
}

/** Makes the failed items pending again. @throws AppError `validation_failed`, `rate_limited` */
export async function retryBatchItems(app: ActingApp & Pick<App, 'temporal'>, { batch }: { batch: string }) {
  const found = await requireBatch(app, batch);
  const retry = () => retryBatch(app, found);
  return shown(await auditedAct(app, 'batches.retry', aboutOf(found), retry, countsOf));
}

/** Stops a batch: what was not started fails, the rest is finished. @throws AppError `validation_failed` */
export async function stopBatch(app: ActingApp, { batch }: { batch: string }) {
  const found = await requireBatch(app, batch);
  const cancel = () => cancelBatch(app, found);
  return shown(await auditedAct(app, 'batches.cancel', aboutOf(found), cancel, countsOf));
}

async function requireBatch({ db }: Pick<App, 'db'>, uuid: string): Promise<BatchRecord> {
  const [found] = isUuid(uuid) ? await listLatestBatches(db, { uuid }) : [];
  return found ?? refuse('batch', 'no_such', { be: 'be the id of a batch', given: uuid });
}

function aboutOf({ uuid, accountId }: BatchRecord) {
  return { target: { kind: 'batch', id: uuid }, accountId };
}

function countsOf({ summary: { created, failed, pending } }: BatchRecord): string {
  return `${created} created, ${failed} failed, ${pending} pending`;
}

/** A batch as the operator sees it. Times: ISO 8601 UTC. */
function shown({ uuid: id, accountId, licenseId, summary, cancelledAt, createdAt }: BatchRecord) {
  return { id, accountId, licenseId, ...summary, cancelledAt, createdAt };
}
