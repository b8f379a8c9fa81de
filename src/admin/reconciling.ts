import { previewReconciling, reconcile } from '../services/admin/reconcile.js';
import type { Commands } from './command.js';

export function addReconcileCommand(program: Commands): void {
  program.addChange({
    name: 'reconcile',
    summary: 'after a store was lost or restored, compare both; without --apply only say what would be done',
    options: [
      ['--apply', 'give each store back what the other one knows; it may be stopped and repeated'],
      ['--both-older', 'neither store is of the last moment: look at carriers before anything is sent'],
    ],
    examples: ['reconcile', 'reconcile --apply', 'reconcile --apply --both-older'],
    columns: ['kind', 'count', 'reference', 'account_id', 'carrier', 'since', 'what'],
    run: async (app, { options }) => {
      const losses = { bothOlder: options.bothOlder === true };
      const { findings, isLeft } = await (options.apply === true
        ? reconcile(app, losses)
        : previewReconciling(app, losses));
      if (isLeft) process.exitCode = 1;
      return findings;
    },
  });
}
