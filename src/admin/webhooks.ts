import {
  pingEndpoint,
  replayEndpoint,
  retryDelivery,
  showWebhook,
  switchEndpoint,
  webhookList,
} from '../services/admin/webhooks.js';
import { type Commands, textOption, toId } from './command.js';

const ID = '019aa5a6-7c3a-7d4e-8f00-3f1c1d2e4b5a';

export function addWebhookCommands(program: Commands): void {
  const noun = program.addNoun('webhooks', "merchants' endpoints", 'webhooks list --failing');
  noun.add({
    name: 'list',
    summary:
      "list endpoints, newest first; of the URL only the host, since its path may be the merchant's secret",
    options: [
      ['--account <id>', 'only those of this account', toId],
      ['--license <key-or-id>', 'only those of this license'],
      ['--failing', 'only those that fail, or turned themselves off'],
    ],
    examples: ['webhooks list --failing', 'webhooks list --account 1 --json'],
    columns: ['id', 'account_id', 'host', 'is_active', 'failing_since', 'disabled_reason'],
    run: (app, { options }) => webhookList(app, options),
  });
  noun.add({
    name: 'show <id>',
    summary: 'show an endpoint with its newest deliveries and their answers',
    options: [['--status <status>', 'only deliveries that are pending, succeeded or failed']],
    examples: [`webhooks show ${ID}`, `webhooks show ${ID} --status failed`],
    run: (app, { args: [webhook = ''], options }) =>
      showWebhook(app, { webhook, status: textOption(options, 'status') }),
  });
  addSending(noun);
  noun.addSwitch({
    argument: '<id>',
    example: ID,
    disable: 'turn an endpoint off; what waits for it is given up',
    enable: 'turn an endpoint on again',
    run: (app, webhook, isActive) => switchEndpoint(app, { webhook, isActive }),
  });
}

function addSending(noun: Commands): void {
  noun.addChange({
    name: 'ping <id>',
    summary: 'send a test event and show the answer',
    examples: [`webhooks ping ${ID}`],
    run: (app, { args: [webhook = ''] }) => pingEndpoint(app, { webhook }),
  });
  noun.addChange({
    name: 'retry <id> <delivery>',
    summary: 'send one delivery again',
    examples: [`webhooks retry ${ID} 019aa5a6-7c3a-7d4e-8f00-000000000001`],
    run: (app, { args: [webhook = '', delivery = ''] }) => retryDelivery(app, { webhook, delivery }),
  });
  noun.addChange({
    name: 'replay <id>',
    summary: 'send again what failed since a moment',
    options: [
      ['--since <date>', 'required: 2027-01-31 (the start of that day in Israel) or 2027-01-31T22:00:00Z'],
    ],
    examples: [`webhooks replay ${ID} --since 2027-01-31T22:00:00Z`],
    run: (app, { args: [webhook = ''], options }) =>
      replayEndpoint(app, { webhook, since: textOption(options, 'since') ?? '' }),
  });
}
