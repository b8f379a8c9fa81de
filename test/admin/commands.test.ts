import { randomBytes } from 'node:crypto';
import test from 'ava';
import type { Command } from 'commander';
import { createProgram } from '../../src/admin/program.js';
import { allCarriers } from '../../src/carriers/registry.js';
import { syncCarriers } from '../../src/db/migrate.js';
import { findByClientId } from '../../src/db/queries/accounts/credentials.js';
import { getCarrierAccount } from '../../src/db/queries/accounts/licenses.js';
import { findServiceSecret } from '../../src/db/queries/accounts/service-secrets.js';
import { AppKeys } from '../../src/lib/app-keys.js';
import { digestOf } from '../../src/lib/digest.js';
import { israelDayEnd } from '../../src/lib/israel-time.js';
import { dayInJerusalem } from '../../src/lib/time.js';
import { resolveToken } from '../../src/services/accounts/access-tokens.js';
import { type AdminRun, runAdmin } from '../support/admin.js';
import { createTestDatabase } from '../support/database.js';
import { appKeysOf } from '../support/factories.js';

const appKey = randomBytes(32);
const appKeys = appKeysOf(appKey);
const RUN_SETTINGS = {
  base_url: 'http://127.0.0.1:4010',
  customer_number: '1234',
  shipment_type: '35',
  cargo_type_out: '10',
};

const database = await createTestDatabase();
await syncCarriers(
  database.db,
  allCarriers().map(({ provider, displayName }) => ({ provider, name: displayName })),
);
test.after.always(() => database.drop());

function admin(args: readonly string[], input = '', env: Record<string, string> = {}): Promise<AdminRun> {
  const settings = {
    DATABASE_URL: database.url,
    APP_KEY: appKey.toString('base64'),
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    ...env,
  };
  return runAdmin(args, settings, input);
}

/** JSON output of a command that must succeed. */
async function json(args: readonly string[], input = '') {
  const { code, out, err } = await admin([...args, '--json'], input);
  if (code !== 0) throw new Error(`${args.join(' ')}: ${err}`);
  return JSON.parse(out);
}

async function newAccount(): Promise<string> {
  const { id } = await json(['accounts', 'create', '--name', 'Blue', '--email', 'ops@blue.example']);
  return String(id);
}

/** Arguments of a license at a new company of the carrier. */
async function newCompany(account: string, { carrier, key }: { carrier: string; key: string }) {
  const { id } = await json(['companies', 'create', '--carrier', carrier, '--name', 'HFD']);
  const place = ['--account', account, '--company', String(id)];
  return [...place, '--name', 'Main', '--key', key, '--short-key'];
}

async function newLicense(key: string): Promise<{ account: string; id: number }> {
  const account = await newAccount();
  const args = await newCompany(account, { carrier: 'run', key });
  const settings = JSON.stringify({ ...RUN_SETTINGS, token: 'carrier-token-1' });
  const { id } = await json(['licenses', 'create', ...args, '--settings', '-'], settings);
  return { account, id };
}

function commandsOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(commandsOf)];
}

const program = createProgram(() => Promise.reject(new Error('not to be opened')));
for (const command of commandsOf(program)) {
  const names: string[] = [];
  for (let one: Command | null = command; one !== null; one = one.parent) names.unshift(one.name());
  test(`${names.join(' ')}: --help has examples${command.commands.length === 0 ? ' and --json' : ''}`, (t) => {
    let text = '';
    command.configureOutput({ writeOut: (part) => (text += part) });

    command.outputHelp();

    t.true(text.includes(`Examples:\n  ${names.join(' ')}`), text);
    if (command.commands.length === 0) t.regex(text, /--json/);
  });
}

test('accounts create and change: shows the changed fields and keeps the others', async (t) => {
  const id = await newAccount();

  await json(['accounts', 'change', id, '--locale', 'he', '--display-order-product', 'true']);
  const shown = await json(['accounts', 'show', id]);

  t.like(shown, { name: 'Blue', email: 'ops@blue.example', locale: 'he', display_order_product: true });
  t.is(shown.enable_api, true);
  t.is((await json(['accounts', 'disable-api', id])).enable_api, false);
});

test('credentials: several, named, replaced with an overlap, revoked, disabled', async (t) => {
  const id = await newAccount();
  const { db } = database;
  const hashIn = async (clientId: string) => {
    const found = await findByClientId(db, clientId);
    return found === null ? undefined : appKeys.open('client secret', found.secretHash);
  };

  const first = await json(['credentials', 'create', id]);
  const limits = ['--read-only', '--expires', '2999-01-01'];
  const report = await json(['credentials', 'create', id, '--name', 'report', ...limits]);
  const today = dayInJerusalem(new Date());
  const brief = await json(['credentials', 'create', id, '--name', 'brief', '--expires', today]);
  t.is(brief.expires_at, israelDayEnd(today), 'through the day named');
  await json(['credentials', 'revoke', brief.client_id]);
  const second = await json(['credentials', 'rotate', first.client_id]);
  const [old, read, now] = await json(['credentials', 'list', id]);

  t.like(first, { account_name: 'Blue', name: 'main', is_read_only: false, expires_at: null });
  t.deepEqual(await hashIn(second.client_id), digestOf(second.client_secret));
  t.deepEqual(await hashIn(first.client_id), digestOf(first.client_secret), 'for a day');
  const until = Date.parse(old.expires_at) - Date.now();
  t.true(until > 23 * 3_600_000 && until <= 24 * 3_600_000);
  t.like(read, { name: 'report', client_id: report.client_id, is_read_only: true, last_used_at: null });
  t.like(now, { name: 'main', client_id: second.client_id, expires_at: null });

  const renewed = await json(['credentials', 'rotate', report.client_id, '--overlap', 'none']);
  t.is(await hashIn(report.client_id), undefined);
  t.like(renewed, { name: 'report', is_read_only: true, expires_at: '2999-01-01T21:59:59.999999Z' });
  await json(['credentials', 'revoke', renewed.client_id]);
  t.is(await hashIn(renewed.client_id), undefined);
  await db.run('UPDATE client_credentials SET expires_at = NOW(6) WHERE client_id = ?', [first.client_id]);
  t.is(await hashIn(first.client_id), undefined);
  await json(['credentials', 'disable', id]);
  t.is(await hashIn(second.client_id), undefined);
  t.truthy((await json(['credentials', 'create', id])).client_secret);
});

test('credentials: wrong requests are refused', async (t) => {
  const id = await newAccount();
  const { client_id: clientId } = await json(['credentials', 'create', id]);
  const cases: [args: string[], message: RegExp][] = [
    [['rotate', clientId, '--overlap', 'long'], /^admin: overlap must be like 24h or none$/m],
    [['rotate', clientId, '--expires', '2020-01-01'], /^admin: expires must be in the future$/m],
    [['rotate', '1'], /^admin: client-id must be like ci_0123456789abcdef$/m],
    [['revoke', 'ci_unknown0000'], /^admin: client-id must be one of credentials list;/m],
    [['create', '999999'], /^admin: account must be the id of an account;/m],
  ];
  for (const [args, message] of cases) {
    const { code, err } = await admin(['credentials', ...args]);
    t.is(code, 2, args.join(' '));
    t.regex(err, message);
  }
});

test('licenses create: a carrier gets no secrets in clear text beyond this machine', async (t) => {
  const account = await newAccount();
  const company = await json(['companies', 'create', '--carrier', 'run', '--name', 'HFD']);
  const args = ['--account', account, '--company', String(company.id), '--name', 'Main', '--settings', '-'];
  const create = (base_url: string) =>
    admin(
      ['licenses', 'create', ...args],
      JSON.stringify({ ...RUN_SETTINGS, base_url, token: 'carrier-token' }),
    );

  const [clear, sealed, here] = [
    await create('http://carrier.example/run'),
    await create('https://carrier.example/run'),
    await create('http://localhost:4010'),
  ];

  t.is(clear.code, 2);
  t.is(clear.err, 'admin: settings.base_url must begin with https:// unless it leads to this machine\n');
  t.deepEqual([sealed.code, here.code], [0, 0], sealed.err + here.err);
});

test('licenses create: names the field of each broken rule and stores nothing', async (t) => {
  const account = await newAccount();
  const company = await json(['companies', 'create', '--carrier', 'run', '--name', 'HFD']);
  const args = ['--account', account, '--company', String(company.id), '--name', 'Main'];
  const set = ['--set', 'customer_number=12x', '--set', 'base_url=http://x', '--set', 'shipment_type=35'];
  const more = ['--set', 'timeout_ms=5', '--set', 'colour=red', '--set', 'request_charset=latin1'];

  const { code, out, err } = await admin(
    ['licenses', 'create', ...args, ...set, ...more, '--secret', 'token'],
    'a secret with blanks\n',
  );

  t.is(code, 2);
  t.is(out, '');
  t.regex(err, /^admin: settings\.customer_number must be like 1234$/m);
  t.regex(err, /^admin: settings\.cargo_type_out is required$/m);
  t.regex(err, /^admin: settings\.colour is not known; there are: base_url, /m);
  t.regex(err, /^admin: settings\.timeout_ms must be >= 100$/m);
  t.regex(err, /^admin: settings\.request_charset must be one of: utf-8, windows-1255$/m);
  t.regex(err, /^admin: settings\.token must be letters, digits and signs, without blanks$/m);
  t.false(err.includes('a secret with blanks'));
  t.deepEqual(await json(['licenses', 'list', '--account', account]), []);
});

test('licenses: secrets are sealed, never shown, and kept when other settings change', async (t) => {
  const { id } = await newLicense('sealed-key');

  const shown = await admin(['licenses', 'show', 'sealed-key']);
  const changed = await json([
    'licenses',
    'change',
    'sealed-key',
    '--set',
    'shipment_type=36',
    '--expires',
    '2031-01-31',
  ]);
  const stored = await getCarrierAccount(database.db, { licenseId: id, provider: 'run' });

  t.false(shown.out.includes('carrier-token-1'));
  t.like(changed, { expires_at: '2031-01-31T21:59:59.999999Z', secrets: ['token'] });
  t.deepEqual(stored?.settings, { ...RUN_SETTINGS, shipment_type: '36' });
  t.deepEqual(JSON.parse(appKeys.openText('carrier settings', stored?.secrets ?? Buffer.alloc(0))), {
    token: 'carrier-token-1',
  });
});

test('licenses change: reads a secret from standard input, and takes none on the command line', async (t) => {
  const { id } = await newLicense('secret-key');

  const unseen = await admin(['licenses', 'change', 'secret-key', '--secret', 'token'], 'second\n');
  const second = await getCarrierAccount(database.db, { licenseId: id, provider: 'run' });
  const seen = await admin(['licenses', 'change', 'secret-key', '--set', 'token=third']);
  const none = await admin(['licenses', 'change', 'secret-key', '--secret', 'token']);

  t.is(unseen.err, '');
  t.is(appKeys.openText('carrier settings', second?.secrets ?? Buffer.alloc(0)), '{"token":"second"}');
  t.is(seen.code, 2);
  t.is(
    seen.err,
    "admin: settings.token is a secret and would stay in the shell's history: --secret token reads it unseen\n",
  );
  t.is(none.code, 2);
  t.is(none.err, 'admin: token is missing: standard input must hold a line for each secret\n');
});

test('licenses webhook-url: shows and rotates the URL of carriers with webhooks', async (t) => {
  const { account } = await newLicense('no-webhooks');
  const args = await newCompany(account, { carrier: 'lionwheel', key: 'webhook-key' });
  const lacking = await admin(['licenses', 'create', ...args, '--set', 'base_url=http://127.0.0.1:9']);
  await admin(
    ['licenses', 'create', ...args, '--set', 'base_url=http://127.0.0.1:9', '--secret', 'key'],
    'c_key_1\n',
  );

  const shown = await json(['licenses', 'webhook-url', 'webhook-key']);
  const again = await json(['licenses', 'webhook-url', 'webhook-key']);
  const rotated = await json(['licenses', 'webhook-url', 'webhook-key', '--rotate']);
  const none = await admin(['licenses', 'webhook-url', 'no-webhooks']);

  t.is(lacking.code, 2);
  t.regex(lacking.err, /settings\.key is required/);
  t.regex(String(shown.url), /\/carriers\/lionwheel\/\d+-1-[\w-]{32}$/);
  t.deepEqual(again, shown);
  t.regex(String(rotated.url), /\/carriers\/lionwheel\/\d+-2-[\w-]{32}$/);
  t.is(none.code, 2);
  t.is(none.err, 'admin: license must be of a carrier that posts webhooks, and have settings; run is not\n');
});

test('licenses: flags, blocked statuses, an existing key, disabling by id', async (t) => {
  const { account, id } = await newLicense('taken-key');

  const flags = ['--flag', 'print_products=true', '--flag', 'enable_cod=true'];
  const blocked = ['--blocked-status', 'pending', '--blocked-status', 'on-hold'];
  const change = ['licenses', 'change', 'taken-key'];
  const changed = await json([...change, ...flags, ...blocked, '--collect-city', 'Haifa']);
  const wrong = await admin(['licenses', 'change', 'taken-key', '--flag', 'print_all=true']);
  const company = await json(['companies', 'create', '--carrier', 'independent', '--name', 'Own']);
  const args = ['--account', account, '--company', String(company.id), '--name', 'B'];
  const taken = await admin(['licenses', 'create', ...args, '--key', 'taken-key', '--short-key']);
  const short = await admin(['licenses', 'create', ...args, '--key', 'blue-hfd']);
  const moved = await admin(['licenses', 'change', 'taken-key', '--company', String(company.id)]);
  // A user-chosen key must not match before another license's id.
  await json(['licenses', 'create', ...args, '--key', String(id), '--short-key']);
  const byKey = await json(['licenses', 'show', `key:${id}`]);
  const disabled = await json(['licenses', 'disable', String(id)]);

  t.is(short.code, 2);
  t.not(byKey.id, id);
  t.is(disabled.id, id);
  t.regex(short.err, /^admin: key must have 16 characters or more/);
  t.like(changed, { blocked_statuses: ['pending', 'on-hold'], collect_city: 'Haifa' });
  t.like(changed.flags, { print_products: true, enable_cod: true, print_variations: false });
  t.regex(wrong.err, /^admin: flags\.print_all is not known; there are: print_products, /);
  t.is(taken.err, 'admin: key must be unique among all licenses; another one has it\n');
  t.is(moved.err, "admin: company must be of the license's carrier, run; it is of independent\n");
  t.is(disabled.is_active, false);
});

test('users: premium with its end; an existing e-mail, an invalid day', async (t) => {
  const account = await newAccount();
  const create = ['users', 'create', '--account', account, '--name', 'Dana', '--email', 'dana@blue.example'];

  const user = await json([...create, '--premium', 'true', '--premium-until', '2030-06-30T22:00:00+02:00']);
  const taken = await admin(create);
  const noDay = await admin(['users', 'change', 'dana@blue.example', '--premium-until', '2030-02-30']);
  const ended = await json(['users', 'change', String(user.id), '--premium-until', 'never']);

  t.like(user, { is_premium: true, premium_until: '2030-06-30T20:00:00.000000Z' });
  t.is(taken.err, 'admin: email must be unique among all users; another one has it\n');
  t.regex(noDay.err, /^admin: premium-until must be a date like /);
  t.is(noDay.code, 2);
  t.like(ended, { is_premium: true, premium_until: null });
});

test('tokens: issued to users and recipients, listed without secrets, revoked', async (t) => {
  const account = await newAccount();
  await json(['users', 'create', '--account', account, '--name', 'T', '--email', 't@blue.example']);
  await json(['recipients', 'create', '--name', 'Noa', '--phone', '0547654321']);
  const { db } = database;

  const mine = await json(['tokens', 'issue', '--user', 't@blue.example', '--name', 'plugin']);
  const hers = await json(['tokens', 'issue', '--recipient', '0547654321', '--name', 'phone']);
  const listed = await admin(['tokens', 'list', '--user', 't@blue.example', '--json']);

  t.like(await resolveToken(db, mine.token), { kind: 'user', accountId: Number(account) });
  t.like(await resolveToken(db, hers.token), { kind: 'recipient', phone: '0547654321' });
  t.false(listed.out.includes(mine.token.split('|')[1]));
  const [{ id }] = JSON.parse(listed.out);
  await json(['tokens', 'revoke', String(id)]);
  t.is(await resolveToken(db, mine.token), null);
  t.is((await admin(['tokens', 'issue', '--name', 'x'])).err, 'admin: user or recipient is required\n');
});

test('store-sites: connects once, to public addresses only, and disconnects', async (t) => {
  const { account } = await newLicense('site-key');
  const create = [
    'store-sites',
    'create',
    '--account',
    account,
    '--platform',
    'shopify',
    '--domain',
    'b.example',
  ];

  const inside = await admin([...create, '--callback-url', 'http://10.0.0.1/hook']);
  const site = await json([
    ...create,
    '--license',
    'site-key',
    '--callback-url',
    'http://127.0.0.1:8025/hook',
  ]);
  const again = await admin(create);
  const disabled = await json(['store-sites', 'disable', String(site.id)]);

  t.regex(inside.err, /^admin: callback-url must lead to a public address/);
  t.is(again.err, 'admin: domain must be unique within the account; it has this one\n');
  t.like(disabled, { is_active: false, callback_url: 'http://127.0.0.1:8025/hook' });
});

test('store-sites: REST keys of WooCommerce are read hidden, sealed and never shown', async (t) => {
  const { account } = await newLicense('rest-key');
  const create = (platform: string, ...rest: string[]) => [
    'store-sites',
    'create',
    '--account',
    account,
    '--platform',
    platform,
    '--domain',
    `${platform}.example`,
    '--rest-keys',
    ...rest,
  ];
  const keys = 'ck_1\ncs_2\n';

  const inClear = await admin(create('woocommerce', '--store-url', 'http://192.0.2.1'), keys);
  const elsewhere = await admin(create('shopify'), keys);
  const missing = await admin(create('woocommerce'), 'ck_1\n');
  const made = await admin([...create('woocommerce'), '--json'], keys);
  const { id } = JSON.parse(made.out);
  const listed = await admin(['store-sites', 'list', '--account', account, '--json']);
  const [row] = await database.db.select(
    'SELECT secret, license_id, is_active FROM webhook_subscriptions WHERE store_site_id = ?',
    [id],
  );
  const removed = await json(['store-sites', 'change', String(id), '--remove-rest-keys']);

  t.regex(inClear.err, /^admin: store-url must (lead to a public address|begin with https)/);
  t.is(elsewhere.err, 'admin: platform must be woocommerce: only its plugin has REST keys\n');
  t.regex(missing.err, /^admin: consumer.secret is missing/);
  t.like(JSON.parse(made.out), { store_url: 'https://woocommerce.example', failing_since: null });
  t.false(/ck_1|cs_2/.test(made.out + made.err + listed.out));
  t.is(appKeys.openText('webhook secret', row?.secret as Buffer), 'ck_1:cs_2');
  t.like(row, { license_id: null, is_active: 1 });
  t.is(removed.store_url, null);
});

test('app-secret: rotates, is set from standard input, and is never shown again', async (t) => {
  const { app_secret } = await json(['app-secret', 'rotate']);
  const rotated = await findServiceSecret(database.db, 'app_secret');

  const state = await admin(['app-secret', 'set', '--json'], 'secret-of-old-apps-1\n');

  t.deepEqual(rotated && appKeys.open('app secret', rotated.sealed), digestOf(app_secret));
  const set = await findServiceSecret(database.db, 'app_secret');
  t.deepEqual(set && appKeys.open('app secret', set.sealed), digestOf('secret-of-old-apps-1'));
  t.like(JSON.parse(state.out), { is_set: true, last4: 'ps-1' });
});

test('carriers and companies: lists them with the rules of their settings', async (t) => {
  const shown = await json(['carriers', 'show', 'run']);
  const table = await admin(['carriers', 'list']);
  const wrong = await admin(['companies', 'create', '--carrier', 'nobody', '--name', 'X']);

  t.deepEqual(
    shown.settings
      .filter((one: { is_secret: boolean }) => one.is_secret)
      .map((one: { name: string }) => one.name),
    ['token'],
  );
  t.regex(table.out, /^ID +PROVIDER +NAME +AVAILABLE\n/);
  t.regex(wrong.err, /^admin: carrier must be one of: independent, run/);
});

test('invalid input exits with 2, a failure with 1, neither with a stack', async (t) => {
  await newLicense('other-seal');
  const lost = new AppKeys(new Map([['lost', randomBytes(32)]]));
  await database.db.run(
    `UPDATE license_settings SET secrets = ? WHERE license_id = (SELECT id FROM licenses WHERE license_key = 'other-seal')`,
    [lost.seal('carrier settings', '{"token":"t"}')],
  );
  const disabled = await admin(['licenses', 'disable', 'other-seal']);
  const results = {
    unknown: await admin(['nothing']),
    id: await admin(['accounts', 'show', 'x']),
    missing: await admin(['accounts', 'show', '999999']),
    away: await admin(['accounts', 'list'], '', { DATABASE_URL: 'mysql://root:pass-word@127.0.0.1:9/none' }),
    malformed: await admin(['accounts', 'list'], '', { DATABASE_URL: 'root:pass-word@127.0.0.1' }),
    unsealed: await admin(['licenses', 'show', 'other-seal']),
    waiting: await admin(['resolve', '01a1fca5-1a64-7202-906c-154e274a5396', '--retry', '--attempt', '1']),
    undecided: await admin(['resolve', '01a1fca5-1a64-7202-906c-154e274a5396']),
  };

  t.deepEqual(Object.fromEntries(Object.entries(results).map(([name, { code }]) => [name, code])), {
    unknown: 2,
    id: 2,
    missing: 2,
    away: 1,
    malformed: 1,
    unsealed: 1,
    waiting: 1,
    undecided: 2,
  });
  for (const { out, err } of Object.values(results)) {
    t.is(out, '');
    t.notRegex(err, /pass-word|\n\s+at /);
  }
  t.regex(results.away.err, /^admin: MySQL at DATABASE_URL does not answer/);
  t.regex(results.missing.err, /^admin: id must be the id of an account/);
  t.regex(results.unsealed.err, /APP_KEY: the key lost, which sealed this carrier settings, is missing/);
  t.is(disabled.code, 0);
  t.regex(disabled.out, /^is_active +false$/m);
  t.regex(disabled.err, /^Note: its secrets cannot be opened: APP_KEY lacks the key that sealed them/);
});
