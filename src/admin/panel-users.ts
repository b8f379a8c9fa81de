import {
  changePanelUser,
  createPanelUser,
  invitePanelUser,
  panelUserList,
  requirePanelUser,
} from '../services/panel/users.js';
import { type CommandOption, type Commands, PAGE_OPTIONS, toBoolean, toId } from './command.js';

const LANGUAGE: CommandOption = ['--language <en|he|ar>', "the panel's language for the user"];
const ROLE = 'administrator, operator (all accounts, no credentials), owner or staff (of one account)';
const ONCE = 'The address is shown once: there the user chooses a password and sets up an authenticator app.';

export function addPanelUserCommands(program: Commands): void {
  const noun = program.addNoun('panel-users', 'people who sign in to /panel', 'panel-users list');
  noun.addChange({
    name: 'create',
    summary: 'make a user of the panel, and print the address at which it sets itself up',
    options: [
      ['--email <address>', 'required; unique in the panel'],
      ['--name <text>', 'required'],
      ['--role <role>', `required: ${ROLE}`],
      ['--account <id>', 'required for owner and staff', toId],
      LANGUAGE,
    ],
    examples: [
      "panel-users create --email ops@parcels.example --name 'Noa Ops' --role administrator",
      "panel-users create --email dana@blue.example --name 'Dana Levi' --role owner --account 1 --language he",
    ],
    run: async (app, { options }) => flat(await createPanelUser(app, options)),
    note: ONCE,
  });
  noun.addChange({
    name: 'invite <id-or-email>',
    summary: 'print a new address for a user who has lost the phone or the password',
    examples: ['panel-users invite dana@blue.example'],
    run: async (app, { args: [user = ''] }) => flat(await invitePanelUser(app, { user })),
    note: ONCE,
  });
  noun.add({
    name: 'list',
    summary: 'list users of the panel by id',
    options: [['--account <id>', 'only those of this account', toId], ...PAGE_OPTIONS],
    examples: ['panel-users list', 'panel-users list --account 1 --json'],
    columns: ['id', 'email', 'name', 'role', 'account', 'is_enrolled', 'is_active'],
    run: (app, { options }) => panelUserList(app, options),
  });
  noun.add({
    name: 'show <id-or-email>',
    summary: 'show a user of the panel',
    examples: ['panel-users show dana@blue.example'],
    run: (app, { args: [user = ''] }) => requirePanelUser(app, user),
  });
  noun.addChange({
    name: 'change <id-or-email>',
    summary: 'change what is named, leave the rest; a new role and --active false end all sessions',
    options: [
      ['--name <text>', ''],
      ['--role <role>', ROLE],
      LANGUAGE,
      ['--active <true|false>', 'whether the user may sign in', toBoolean],
    ],
    examples: ['panel-users change dana@blue.example --active false'],
    run: (app, { args: [user = ''], options: { active: isActive, ...options } }) =>
      changePanelUser(app, { ...options, isActive, user }),
  });
}

function flat<T extends object>({
  user,
  ...rest
}: {
  user: T;
  invitation: string;
}): T & { invitation: string } {
  return { ...user, ...rest };
}
