import type { Command } from 'commander';
import { createRecipient, recipientList, requireRecipient } from '../services/admin/recipients.js';
import { addChangeCommand, addCommand, addNoun, PAGE_OPTIONS, type Session } from './command.js';

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
}
