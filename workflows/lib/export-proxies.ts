import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { ExportActivities } from '../../activities/index.js';
import { EXPORT_MAIL_TRIES } from '../../src/contracts/export-shipments.js';
import { taskQueues } from '../../src/contracts/ids.js';

const COMMON = {
  taskQueue: taskQueues.exports,
  // A worker that died is noticed within this time.
  heartbeatTimeout: '10s',
  // A cancelled export is told of at once; what still runs finds it ended.
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  priority: { priorityKey: 4 },
} as const;

/** Steps that are safe to run again, tried for a day. Writing a very large file takes its time. */
export const exporting = proxyActivities<Omit<ExportActivities, 'mailExport'>>({
  ...COMMON,
  startToCloseTimeout: '2h',
  scheduleToCloseTimeout: '24h',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '1m' },
});

/** Mail: the tries reach over an hour, long enough for a mail server to come back. */
export const mailingExports = proxyActivities<Pick<ExportActivities, 'mailExport'>>({
  ...COMMON,
  startToCloseTimeout: '10m',
  retry: {
    initialInterval: '2s',
    backoffCoefficient: 3,
    maximumInterval: '15m',
    maximumAttempts: EXPORT_MAIL_TRIES,
  },
});
