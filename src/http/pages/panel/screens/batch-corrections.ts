import { itemCheck } from '../../../../api/v2/batches/check-item.js';
import { findBatch } from '../../../../db/queries/batches/batches.js';
import { countCorrectable } from '../../../../db/queries/batches/failed-items.js';
import { notFound } from '../../../../domain/errors.js';
import type { Html } from '../../../../domain/html.js';
import { correctBatch } from '../../../../services/imports/corrections.js';
import { usableLicense } from '../license-screen.js';
import { actionButton } from '../parts.js';
import { type AccountVisit, accountScreen } from '../screen.js';
import { filled } from '../words/words.js';

/** The button that offers a batch's refused items to be mended; null where none can be. */
export async function correctButton(
  { app, account, words }: AccountVisit,
  uuid: string,
): Promise<Html | null> {
  const batch = await findBatch(app.db, { accountId: account.id, uuid });
  if (batch === null) return null;
  const count = await countCorrectable(app.db, { accountId: account.id, batchId: batch.id });
  const text = filled(words.imports.correct, { count });
  return count === 0 ? null : actionButton(`/panel/a/${account.id}/batches/${uuid}/correct`, text, 'first');
}

const correct = accountScreen('post', '/batches/:batch/correct', 'ship', async (visit) => {
  const { app, account, params } = visit;
  const batchUuid = params.batch ?? '';
  const here = `/panel/a/${account.id}`;
  const batch = await findBatch(app.db, { accountId: account.id, uuid: batchUuid });
  if (batch === null) throw notFound('batch');
  const license = await usableLicense(visit, batch.licenseId);
  const check = await itemCheck(app, { accountId: account.id, license });
  const draft = await correctBatch(app, { batch, check });
  return { to: draft === null ? `${here}/batches/${batchUuid}` : `${here}/imports/${draft}` };
});

export const batchCorrectionScreens = [correct];
