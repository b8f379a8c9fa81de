import { batchList, retryBatchItems, showBatch, stopBatch } from '../services/admin/batches.js';
import { exportList, retryExport, showExport } from '../services/admin/exports.js';
import { listKeys, reEncrypt } from '../services/admin/keys.js';
import { mailList, retryMail, showMail } from '../services/admin/mails.js';
import { type CommandOption, type Commands, toId } from './command.js';

const ACCOUNT: CommandOption = ['--account <id>', 'only those of this account', toId];

export function addBatchCommands(program: Commands): void {
  const noun = program.addNoun('batches', 'many creations in one request', 'batches list --open');
  noun.add({
    name: 'list',
    summary: 'list batches, newest first',
    options: [ACCOUNT, ['--open', 'only those with pending items']],
    examples: ['batches list --open', 'batches list --account 1 --json'],
    columns: ['id', 'account_id', 'total', 'created', 'failed', 'pending', 'created_at'],
    run: (app, { options }) => batchList(app, options),
  });
  noun.add({
    name: 'show <id>',
    summary: 'show a batch with its first failed items',
    examples: ['batches show 019aa5a6-7c3a-7d4e-8f00-3f1c1d2e4b5a'],
    run: (app, { args: [batch = ''] }) => showBatch(app, { batch }),
  });
  noun.addChange({
    name: 'retry <id>',
    summary: 'make the failed items pending again',
    examples: ['batches retry 019aa5a6-7c3a-7d4e-8f00-3f1c1d2e4b5a'],
    run: (app, { args: [batch = ''] }) => retryBatchItems(app, { batch }),
  });
  noun.addChange({
    name: 'cancel <id>',
    summary: 'stop a batch: what was not started fails, the rest is finished',
    examples: ['batches cancel 019aa5a6-7c3a-7d4e-8f00-3f1c1d2e4b5a'],
    run: (app, { args: [batch = ''] }) => stopBatch(app, { batch }),
  });
}

export function addExportCommands(program: Commands): void {
  const noun = program.addNoun('exports', 'files of shipments', 'exports list --account 1');
  noun.add({
    name: 'list',
    summary: 'list exports, newest first',
    options: [ACCOUNT],
    examples: ['exports list', 'exports list --account 1 --json'],
    columns: [
      'id',
      'account_id',
      'license_id',
      'format',
      'status',
      'row_count',
      'error',
      'attempts',
      'last_error',
      'created_at',
    ],
    run: (app, { options }) => exportList(app, options),
  });
  noun.add({
    name: 'show <id>',
    summary: 'show an export; of one that hangs, its rows so far, tries, last error and next try',
    examples: ['exports show 1'],
    run: (app, { args: [id = ''] }) => showExport(app, { export: toId(id) }),
  });
  noun.addChange({
    name: 'retry <id>',
    summary: 'make a failed export once more, as a new one with the same filter',
    examples: ['exports retry 1'],
    run: (app, { args: [id = ''] }) => retryExport(app, { export: toId(id) }),
  });
}

export function addMailCommands(program: Commands): void {
  const noun = program.addNoun('mails', 'mails to recipients', 'mails list --status failed');
  noun.add({
    name: 'list',
    summary: 'list mails, newest first, without their addresses',
    options: [
      ACCOUNT,
      ['--license <key-or-id>', 'only those of this license'],
      ['--status <status>', 'pending, sent, failed or skipped'],
    ],
    examples: ['mails list --status failed', 'mails list --license blue-hfd --json'],
    columns: ['id', 'account_id', 'shipment', 'event', 'status', 'attempts', 'last_error', 'created_at'],
    run: (app, { options }) => mailList(app, options),
  });
  noun.add({
    name: 'show <id>',
    summary: 'show a mail',
    examples: ['mails show 1'],
    run: (app, { args: [id = ''] }) => showMail(app, { mail: toId(id) }),
  });
  noun.addChange({
    name: 'retry <id>',
    summary: 'send a mail that failed or was skipped once more',
    examples: ['mails retry 1'],
    run: (app, { args: [id = ''] }) => retryMail(app, { mail: toId(id) }),
  });
}

export function addKeyCommands(program: Commands): void {
  const noun = program.addNoun('keys', 'keys of APP_KEY and TEMPORAL_PAYLOAD_KEY', 'keys status');
  noun.add({
    name: 'status',
    summary: 'list them with what still needs each: stored values, or open runs and Schedules',
    examples: ['keys status', 'keys status --json'],
    columns: ['variable', 'key', 'does', 'needs', 'ending', 'removable', 'example'],
    run: listKeys,
  });
  noun.addChange({
    name: 're-encrypt',
    summary: 'seal with the first key of APP_KEY what others have sealed; it may be stopped and repeated',
    examples: ['keys re-encrypt'],
    run: async (app) => {
      const done = await reEncrypt(app);
      if (done.unreadable > 0) process.exitCode = 1;
      return done;
    },
  });
}
