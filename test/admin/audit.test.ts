import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import test from 'ava';
import type { Command } from 'commander';
import { createProgram } from '../../src/admin/program.js';
import { listAudit } from '../../src/db/queries/accounts/audit-log.js';
import { runAdmin } from '../support/admin.js';
import { startBareBuilds } from '../support/bare-builds.js';
import { insertTestAccount, insertTestLicense, insertTestShipment } from '../support/factories.js';
import { insertRow } from '../support/rows.js';
import { startStack, type TestStack } from '../support/stack.js';

/** No part of it may be in the audit. */
const CANARY = 'canary-8431';

let stack: TestStack;
test.before(async () => {
  stack = await startStack({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } });
});
test.after.always(() => stack?.close());

/** The output of a command. */
async function admin(args: readonly string[], input = ''): Promise<string> {
  const { code, out, err } = await runAdmin(args, stack.env, input);
  if (code !== 0) throw new Error(err.trimEnd());
  return out;
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

function calls(ids: (kind: string) => string, made: Fixtures): Record<string, () => Call> {
  const account = () => ids('account');
  const license = () => ids('license');
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
    'credentials rotate': () => ({ args: [made.clientId], action: 'credentials.rotate' }),
    'credentials revoke': () => ({ args: [made.clientId], action: 'credentials.revoke' }),
    'credentials disable': () => ({ args: [account()], action: 'credentials.disable' }),
    'companies create': () => ({
      args: ['--carrier', 'lionwheel', '--name', 'Express'],
      action: 'companies.create',
    }),
    'companies change': () => ({ args: [ids('company'), '--premium', 'true'], action: 'companies.change' }),
    'companies delete': () => ({ args: [made.company], action: 'companies.delete' }),
    'licenses create': () => ({
      args: [
        ...optionsOf({ account: account(), name: 'Main', secret: 'key' }),
        ...optionsOf({ carrier: 'lionwheel', 'company-name': 'Express' }),
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
    'recipients erase': () => ({
      args: ['--phone', '+972 54-000-8431', '--yes'],
      action: 'recipients.erase',
    }),
    'tokens issue': () => ({
      args: ['--user', 'dana@blue.example', '--name', 'plugin'],
      action: 'tokens.issue',
    }),
    'tokens revoke': () => ({ args: [ids('token')], action: 'tokens.revoke' }),
    'app-secret rotate': () => ({ args: [], action: 'app-secret.rotate' }),
    'app-secret set': () => ({ args: [], input: `${CANARY}-app-secret\n`, action: 'app-secret.set' }),
    'keys re-encrypt': () => ({ args: [], action: 'keys.re-encrypt' }),
    'deploy set-current': () => ({ args: ['1.4.2'], action: 'deploy.set-current' }),
    'deploy ramp': () => ({ args: ['1.5.0', '--percent', '10'], action: 'deploy.ramp' }),
    'deploy back': () => ({ args: [], action: 'deploy.back' }),
    'deploy hand-over': () => ({ args: ['1.5.0'], action: 'deploy.hand-over' }),
    'deploy clean-up': () => ({ args: [], action: 'deploy.clean-up' }),
    'shipments set-status': () => ({
      args: [made.parcel, 'delivered', '--note', 'At the door'],
      action: 'shipments.set-status',
    }),
    'webhooks ping': () => ({ args: [made.webhook], action: 'webhooks.ping' }),
    'webhooks retry': () => ({ args: [made.webhook, made.delivery], action: 'webhooks.redeliver' }),
    'webhooks replay': () => ({
      args: [made.webhook, '--since', '2020-01-01'],
      action: 'webhooks.replay',
    }),
    'webhooks disable': () => ({ args: [made.webhook], action: 'webhooks.change' }),
    'webhooks enable': () => ({ args: [made.webhook], action: 'webhooks.change' }),
    'batches cancel': () => ({ args: [made.batch], action: 'batches.cancel' }),
    'batches retry': () => ({ args: [made.batch], action: 'batches.retry' }),
    'exports retry': () => ({ args: [made.export], action: 'exports.retry' }),
    'mails retry': () => ({ args: [made.mail], action: 'mails.retry' }),
    resolve: () => ({
      args: [made.unclaimed, '--give-up', 'ordered twice', '--attempt', '1'],
      action: 'bookings.resolve',
    }),
    reconcile: () => ({ args: ['--apply'], action: 'service.reconcile' }),
  };
}

interface Fixtures {
  /** A parcel of the own couriers. */
  parcel: string;
  /** One that the carrier booked after the shipment was given up. */
  unclaimed: string;
  webhook: string;
  delivery: string;
  batch: string;
  export: string;
  mail: string;
  /** Credentials. */
  clientId: string;
  /** One without licenses. */
  company: string;
}

async function fixtures(): Promise<Fixtures> {
  const { db } = stack;
  const { accountId, clientId } = await insertTestAccount(db);
  const license = await insertTestLicense(db, { accountId });
  const { licenseId } = license;
  const { id, uuid: parcel } = await insertTestShipment(db, license);
  const { uuid: unclaimed } = await insertTestShipment(db, license, {
    state: 'refused',
    tracking_code: null,
    status_code: 'needs_attention',
  });
  await db.run(
    `INSERT INTO carrier_attempts (shipment_uuid, operation, number, state) VALUES (?, 'book', 1, 'accepted')`,
    [unclaimed],
  );
  const [webhook, delivery, batch] = [randomUUID(), randomUUID(), randomUUID()];
  const owner = { account_id: accountId, license_id: licenseId };
  await insertRow(db, 'webhook_subscriptions', {
    id: webhook,
    ...owner,
    url: `http://127.0.0.1:9/${CANARY}`,
    events: '["shipment.delivered"]',
    secret: stack.config.appKeys.seal('webhook secret', 'whsec_AAAA'),
  });
  await insertRow(db, 'webhook_deliveries', {
    uuid: delivery,
    subscription_id: webhook,
    account_id: accountId,
    event: 'shipment.delivered',
    event_id: randomUUID(),
    payload: '{}',
    status: 'failed',
    attempts: 1,
    attempts_allowed: 1,
  });
  const batchId = await insertRow(db, 'batches', {
    uuid: batch,
    ...owner,
    license_key: license.key,
    total: 1,
    pending_count: 1,
    payload_bytes: 2,
  });
  await insertRow(db, 'batch_items', { batch_id: batchId, position: 0, payload: '{}', fingerprint: '' });
  const madeExport = await insertRow(db, 'exports', {
    ...owner,
    format: 'csv',
    filter: '{}',
    status: 'failed',
  });
  const mail = await insertRow(db, 'notification_logs', {
    ...owner,
    shipment_id: id,
    event: 'shipment.delivered',
    event_id: randomUUID(),
    data: '{}',
    recipient: `${CANARY}@example.test`,
    status: 'failed',
  });
  const company = await insertRow(db, 'companies', { carrier_id: license.carrierId, name: 'Nobody' });
  const ids = { export: String(madeExport), mail: String(mail), clientId, company: String(company) };
  return { parcel, unclaimed, webhook, delivery, batch, ...ids };
}

const program = createProgram(() => Promise.reject(new Error('not to be opened')));

test.serial('every command that changes something leaves one row, without a secret', async (t) => {
  const { db } = stack;
  await startBareBuilds(t, stack, ['1.4.2', '1.5.0']);
  const newest: Record<string, string> = {};
  const all = calls((kind) => newest[kind] ?? 'none', await fixtures());
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

test.serial('operators see webhooks, mails, batches and exports, but no address and no path', async (t) => {
  const made = await fixtures();
  const shown = [
    [made.webhook, ['webhooks', 'list'], ['webhooks', 'show', made.webhook, '--status', 'failed']],
    [made.mail, ['mails', 'list', '--status', 'failed'], ['mails', 'show', made.mail]],
    [made.batch, ['batches', 'list', '--open'], ['batches', 'show', made.batch]],
    [made.export, ['exports', 'list'], ['exports', 'show', made.export]],
  ] as const;

  for (const [id, list, show] of shown) {
    const listed: { id: string | number }[] = JSON.parse(await admin([...list, '--json']));
    const one = await admin([...show, '--json']);

    t.true(
      listed.some((row) => String(row.id) === id),
      list.join(' '),
    );
    t.is(String(JSON.parse(one).id), id);
    t.false((JSON.stringify(listed) + one).includes(CANARY), list.join(' '));
    await t.throwsAsync(admin([...show.slice(0, 2), '77']), { message: /must be the id of/ });
  }
  t.like(JSON.parse(await admin(['webhooks', 'show', made.webhook, '--json'])), {
    host: '127.0.0.1:9',
    failed: 1,
    deliveries: [{ uuid: made.delivery, status: 'failed' }],
  });
});

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
  await t.throwsAsync(admin(['audit', 'list', '--format', 'xlsx']), { message: 'admin: format must be csv' });
});
