import type { Command } from 'commander';
import { eraseData, previewErasure } from '../services/admin/erase.js';
import { createRecipient, recipientList, requireRecipient } from '../services/admin/recipients.js';
import { addChangeCommand, addCommand, addNoun, PAGE_OPTIONS, type Session, toId } from './command.js';

export function addRecipientCommands(program: Command, session: Session): void {
  const noun = addNoun(program, 'recipients', "users of the recipients' app", 'recipients list');
  addChangeCommand(noun, session, {
    name: 'create',
    summary: 'register a recipient, as the app does by itself',
    options: [
      ['--name <text>', 'required'],
      ['--phone <phone>', 'required; unique'],
    ],
    examples: ["recipients create --name 'Noa Cohen' --phone 0547654321"],
    run: (app, { options }) => createRecipient(app, options),
  });
  addCommand(noun, session, {
    name: 'list',
    summary: 'list recipients by id',
    options: PAGE_OPTIONS,
    examples: ['recipients list', 'recipients list --limit 10 --json'],
    columns: ['id', 'name', 'phone', 'created_at'],
    run: (app, { options }) => recipientList(app, options),
  });
  addCommand(noun, session, {
    name: 'show',
    arguments: ['<phone-or-id>'],
    summary: 'show a recipient',
    examples: ['recipients show 0547654321'],
    run: (app, { args: [recipient = ''] }) => requireRecipient(app, recipient),
  });
  addChangeCommand(noun, session, {
    name: 'erase',
    summary: 'erase whose parcels they were, of one person or order; without --yes show what would be erased',
    options: [
      ['--phone <phone>', 'of the recipient, as anybody would write it'],
      ['--email <address>', 'of the recipient; takes a while, since every shipment is read'],
      ['--order <id>', "the shop's order id"],
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
