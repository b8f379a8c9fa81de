import { randomBytes } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import test from 'ava';
import type { Command } from 'commander';
import { createProgram } from '../../src/admin/program.js';
import { allCarriers } from '../../src/carriers/registry.js';
import { loadConfig } from '../../src/config/config.js';
import { syncCarriers } from '../../src/db/migrate.js';
import { listAudit } from '../../src/db/queries/accounts/audit-log.js';
import { createGuardedClient } from '../../src/outbound/guarded-client.js';
import { openTemporal } from '../../src/temporal/client.js';
import { runAdminHere } from '../support/admin.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { insertTestAccount, insertTestLicense, insertTestShipment } from '../support/factories.js';

const appKey = randomBytes(32);
/** No part of it may be in the audit. */
const CANARY = 'canary-8431';

let database: TestDatabase;
test.before(async () => {
  database = await createTestDatabase();
  await syncCarriers(
    database.db,
    allCarriers().map(({ provider, displayName }) => ({ provider, name: displayName })),
  );
});
test.after.always(() => database.drop());

/** What a command prints. */
async function admin(args: readonly string[], input = ''): Promise<string> {
  const config = loadConfig({
    DATABASE_URL: database.url,
    APP_KEY: appKey.toString('base64'),
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  });
  const temporal = openTemporal(config);
  const trackingPage = (code: string) => `http://127.0.0.1/track/${code}`;
  const temporalUi = { url: null, namespace: 'none' };
  const app = {
    db: database.db,
    temporal,
    temporalUi,
    trackingPage,
    config,
    adapters: allCarriers(),
    outbound: createGuardedClient({ allowedRanges: config.webhookAllowCidrs }),
    wake: () => undefined,
  };
  try {
    return await runAdminHere((work) => work(app), args, input);
  } finally {
    await temporal.connection.close();
  }
}

function changingCommands(command: Command, path: readonly string[] = []): string[] {
  if (command.commands.length === 0) {
    return command.options.some(({ long }) => long === '--as') ? [path.join(' ')] : [];
  }
  return command.commands.flatMap((one) => changingCommands(one, [...path, one.name()]));
}

function optionsOf(values: Record<string, string>): string[] {
  return Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]);
}

/** One call of each command that changes something. `id` in the arguments is the newest target of that kind. */
interface Call {
  args: readonly string[];
  input?: string;
  action: string;
}

function calls(
  ids: (kind: string) => string,
  { parcel, unclaimed }: { parcel: string; unclaimed: string },
): Record<string, () => Call> {
  const account = () => ids('account');
  const license = () => ids('license');
  // The first credentials that a rotation kept.
  const others = () => '1';
  return {
    'accounts create': () => ({
      args: ['--name', 'Blue', '--email', 'ops@blue.example'],
      action: 'accounts.create',
    }),
    'accounts change': () => ({ args: [account(), '--locale', 'he'], action: 'accounts.change' }),
    'accounts disable-api': () => ({ args: [account()], action: 'accounts.change' }),
    'accounts enable-api': () => ({ args: [account()], action: 'accounts.change' }),
    'accounts disable': () => ({ args: [account()], action: 'accounts.disable' }),
    'accounts enable': () => ({ args: [account()], action: 'accounts.enable' }),
    'credentials create': () => ({ args: [account()], action: 'credentials.create' }),
    'credentials rotate': () => ({ args: [account(), '--overlap', '24h'], action: 'credentials.rotate' }),
    'credentials revoke': () => ({ args: [others()], action: 'credentials.revoke' }),
    'credentials disable': () => ({ args: [account()], action: 'credentials.disable' }),
    'companies create': () => ({
      args: ['--carrier', 'lionwheel', '--name', 'Express'],
      action: 'companies.create',
    }),
    'companies change': () => ({ args: [ids('company'), '--premium', 'true'], action: 'companies.change' }),
    'licenses create': () => ({
      args: [
        ...optionsOf({ account: account(), company: ids('company'), name: 'Main', secret: 'key' }),
        ...optionsOf({ key: `${CANARY}-license-key`, set: 'base_url=http://127.0.0.1:9' }),
      ],
      input: `${CANARY}-1\n`,
      action: 'licenses.create',
    }),
    'licenses change': () => ({
      args: [license(), '--secret', 'key', '--order-prefix', 'B-', '--key', `${CANARY}-license-key-2`],
      input: `${CANARY}-2\n`,
      action: 'licenses.change',
    }),
    'licenses webhook-url': () => ({ args: [license(), '--rotate'], action: 'licenses.rotate-webhook-url' }),
    'licenses disable': () => ({ args: [license()], action: 'licenses.change' }),
    'licenses enable': () => ({ args: [license()], action: 'licenses.change' }),
    'store-sites create': () => ({
      args: [
        ...optionsOf({ account: account(), platform: 'woocommerce', domain: 'b.example' }),
        ...optionsOf({
          'callback-url': `http://127.0.0.1:8025/${CANARY}`,
          'store-url': 'http://127.0.0.1:8025',
        }),
        '--rest-keys',
      ],
      input: `ck_${CANARY}\ncs_${CANARY}\n`,
      action: 'store-sites.create',
    }),
    'store-sites change': () => ({
      args: [ids('store-site'), '--callback-url', `http://127.0.0.1:8025/${CANARY}-2`],
      action: 'store-sites.change',
    }),
    'store-sites disable': () => ({ args: [ids('store-site')], action: 'store-sites.change' }),
    'store-sites enable': () => ({ args: [ids('store-site')], action: 'store-sites.change' }),
    'users create': () => ({
      args: ['--account', account(), '--name', 'Dana', '--email', 'dana@blue.example'],
      action: 'users.create',
    }),
    'users change': () => ({ args: ['dana@blue.example', '--premium', 'true'], action: 'users.change' }),
    'panel-users create': () => ({
      args: ['--email', 'noa@ops.example', '--name', 'Noa', '--role', 'operator'],
      action: 'panel-users.create',
    }),
    'panel-users invite': () => ({ args: ['noa@ops.example'], action: 'panel-users.invite' }),
    'panel-users change': () => ({
      args: ['noa@ops.example', '--active', 'false'],
      action: 'panel-users.change',
    }),
    'recipients create': () => ({
      args: ['--name', CANARY, '--phone', '0547654321'],
      action: 'recipients.create',
    }),
    'tokens issue': () => ({
      args: ['--user', 'dana@blue.example', '--name', 'plugin'],
      action: 'tokens.issue',
    }),
    'tokens revoke': () => ({ args: [ids('token')], action: 'tokens.revoke' }),
    'app-secret rotate': () => ({ args: [], action: 'app-secret.rotate' }),
    'app-secret set': () => ({ args: [], input: `${CANARY}-app-secret\n`, action: 'app-secret.set' }),
    'shipments set-status': () => ({
      args: [parcel, 'delivered', '--note', 'At the door'],
      action: 'shipments.set-status',
    }),
    resolve: () => ({ args: [unclaimed, '--give-up', 'ordered twice'], action: 'bookings.resolve' }),
  };
}

/** A parcel of the own couriers, and one that the carrier booked after the shipment was given up. */
async function parcels(): Promise<{ parcel: string; unclaimed: string }> {
  const { accountId } = await insertTestAccount(database.db);
  const license = await insertTestLicense(database.db, { accountId });
  const { uuid: parcel } = await insertTestShipment(database.db, license);
  const { uuid } = await insertTestShipment(database.db, license, {
    state: 'refused',
    tracking_code: null,
    status_code: 'needs_attention',
  });
  await database.db.run(
    `INSERT INTO carrier_attempts (shipment_uuid, operation, number, state) VALUES (?, 'book', 1, 'accepted')`,
    [uuid],
  );
  return { parcel, unclaimed: uuid };
}

const program = createProgram(() => Promise.reject(new Error('not to be opened')));

test.serial('every command that changes something leaves one row, without a secret', async (t) => {
  const { db } = database;
  const newest: Record<string, string> = {};
  const all = calls((kind) => newest[kind] ?? 'none', await parcels());
  let last = 0;

  for (const [name, call] of Object.entries(all)) {
    const { args, input, action } = call();
    const out = await admin([...name.split(' '), ...args, '--as', 'dana', '--json'], input);
    const rows = (await listAudit(db, {}, { limit: 10 })).filter(({ id }) => id > last);
    t.is(rows.length, 1, name);
    const [row] = rows;
    t.like(row, { action, actor: { kind: 'admin', name: 'dana', origin: hostname() } }, name);
    const values = JSON.stringify([row?.before, row?.after]);
    t.false(values.includes(CANARY), `${name}: ${values}`);
    for (const secret of secretsIn(out)) t.false(values.includes(secret), `${name}: ${values}`);
    if (row !== undefined) newest[row.target.kind] = row.target.id;
    last = row?.id ?? last;
  }

  t.deepEqual(Object.keys(all).sort(), changingCommands(program).sort());
});

/** Secrets in what a command shows once. */
function secretsIn(out: string): string[] {
  return [...out.matchAll(/"(?:client_secret|token|app_secret|url)": "([^"]+)"/g)].map(
    (match) => match[1] ?? '',
  );
}

test.serial('audit list: the values before and after, filters, pages and CSV', async (t) => {
  const { id } = JSON.parse(
    await admin(['accounts', 'create', '--name', '=Red', '--email', 'a@red.example', '--json']),
  );
  const account = String(id);
  await admin(['accounts', 'change', account, '--locale', 'ar', '--company-name', 'Red', '--as', 'noa']);
  await admin(['accounts', 'change', account, '--locale', 'ar']);
  await admin(['accounts', 'disable-api', account, '--as', 'noa']);
  const list = async (...args: string[]) =>
    JSON.parse(await admin(['audit', 'list', '--account', account, ...args, '--json']));

  const [switched, changed, made, ...none] = await list();
  const table = await admin(['audit', 'list', '--account', account, '--actor', 'noa', '--limit', '1']);
  const csv = await admin(['audit', 'list', '--account', account, '--format', 'csv']);

  t.deepEqual(none, [], 'a change to equal values is none');
  t.like(made, {
    actor: { kind: 'admin', name: userInfo().username, origin: hostname() },
    target: { kind: 'account', id: account },
    before: null,
    after: { name: '=Red', email: 'a@red.example' },
  });
  t.deepEqual(
    [changed.before, changed.after],
    [
      { company_name: '', locale: 'en' },
      { company_name: 'Red', locale: 'ar' },
    ],
  );
  t.deepEqual(switched.after, { enable_api: false });
  t.deepEqual(await list('--before-id', String(changed.id)), [made]);
  t.deepEqual(await list('--action', 'accounts.create'), [made]);
  t.is((await list('--action', 'accounts')).length, 3);
  t.deepEqual(await list('--action', 'account'), []);
  t.deepEqual(await list('--target', `account/${account}`, '--until', made.at), []);
  t.deepEqual(await list('--since', '2999-01-01'), []);
  t.regex(table, /^ID +AT +ACTOR +ACTION +TARGET +ACCOUNT_ID +CHANGES\n/);
  t.regex(table, /noa \(admin, .*accounts\.change.*enable_api: true → false\n$/);
  const [head, ...lines] = csv.trimEnd().split('\n');
  t.is(head, 'id,at,actor_kind,actor,origin,action,target,account_id,before,after');
  t.is(lines.length, 3);
  t.regex(lines[2] ?? '', /,"\{""name"":""=Red""/);
  await t.throwsAsync(admin(['audit', 'list', '--format', 'xlsx']), { message: 'format must be csv' });
});
