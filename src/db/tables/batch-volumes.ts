import { id, table, text } from './table.js';

/** The table `batch_volumes`. */
export const batchVolumes = table('batch_volumes', {
  accountId: id().primary(),
  storedOn: text('DATE'),
  bytes: id(),
});
