import { eraseData, previewErasure } from '../services/admin/erase.js';
import { createRecipient, recipientList, requireRecipient } from '../services/admin/recipients.js';
import { type Commands, PAGE_OPTIONS, toId } from './command.js';

export function addRecipientCommands(program: Commands): void {
  const noun = program.addNoun('recipients', "users of the recipients' app", 'recipients list');
  noun.addChange({
    name: 'create',
    summary: 'register a recipient, as the app does by itself',
    options: [
      ['--name <text>', 'required'],
      ['--phone <phone>', 'required; unique'],
    ],
    examples: ["recipients create --name 'Noa Cohen' --phone 0547654321"],
    run: (app, { options }) => createRecipient(app, options),
  });
  noun.add({
    name: 'list',
    summary: 'list recipients by id',
    options: PAGE_OPTIONS,
    examples: ['recipients list', 'recipients list --limit 10 --json'],
    columns: ['id', 'name', 'phone', 'created_at'],
    run: (app, { options }) => recipientList(app, options),
  });
  noun.add({
    name: 'show <phone-or-id>',
    summary: 'show a recipient',
    examples: ['recipients show 0547654321'],
    run: (app, { args: [recipient = ''] }) => requireRecipient(app, recipient),
  });
  noun.addChange({
    name: 'erase',
    summary: 'erase whose parcels they were, of one person or order; without --yes show what would be erased',
    options: [
      ['--phone <phone>', 'of the recipient or payer, as anybody would write it; every shipment is read'],
      ['--email <address>', 'of the recipient or payer; every shipment is read'],
      ['--order <id>', "the shop's order id; --account is required with it"],
      ['--account <id>', 'with --order: of this account', toId],
      ['--yes', 'erase; there is no way back'],
    ],
    examples: [
      'recipients erase --phone 0547654321',
      'recipients erase --order 1001 --account 1 --yes --json',
    ],
    run: (app, { options: { yes, ...request } }) =>
      yes === true ? eraseData(app, request) : previewErasure(app, request),
  });
}
