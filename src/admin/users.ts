import { changeUser, createUser, requireUser, userList } from '../services/admin/users.js';
import { type CommandOption, type Commands, PAGE_OPTIONS, toBoolean, toId } from './command.js';

const PREMIUM: readonly CommandOption[] = [
  ['--premium <true|false>', 'whether the user is a premium member', toBoolean],
  [
    '--premium-until <date|never>',
    'when premium ends: 2027-01-31 (the end of that day in Israel) or 2027-01-31T22:00:00Z',
  ],
];

export function addUserCommands(program: Commands): void {
  const noun = program.addNoun('users', 'people of a merchant', 'users list --account 1');
  noun.addChange({
    name: 'create',
    summary: 'make a user of an account',
    options: [
      ['--account <id>', 'required', toId],
      ['--name <text>', 'required'],
      ['--email <address>', 'required; unique among all users'],
      ...PREMIUM,
    ],
    examples: [
      "users create --account 1 --name 'Dana Levi' --email dana@blue.example",
      "users create --account 1 --name 'Dana Levi' --email dana@blue.example --premium true --premium-until 2027-12-31",
    ],
    run: (app, { options }) => createUser(app, options),
  });
  noun.add({
    name: 'list',
    summary: 'list users by id',
    options: [['--account <id>', 'only those of this account', toId], ...PAGE_OPTIONS],
    examples: ['users list', 'users list --account 1 --json'],
    columns: ['id', 'account_id', 'name', 'email', 'is_premium', 'premium_until'],
    run: (app, { options }) => userList(app, options),
  });
  noun.add({
    name: 'show <id-or-email>',
    summary: 'show a user',
    examples: ['users show dana@blue.example'],
    run: (app, { args: [user = ''] }) => requireUser(app, user),
  });
  noun.addChange({
    name: 'change <id-or-email>',
    summary: 'change what is named, leave the rest',
    options: [['--name <text>', ''], ['--email <address>', ''], ...PREMIUM],
    examples: [
      'users change 1 --premium true --premium-until never',
      'users change dana@blue.example --premium false',
    ],
    run: (app, { args: [user = ''], options }) => changeUser(app, { ...options, user }),
  });
}
