import { createHash } from 'node:crypto';
import { digestOf } from '../../src/lib/digest.js';
import { eventually } from '../support/conditions.js';
import type { TestStack } from '../support/stack.js';
import { IS_EFFECT, type Seen } from './hands.js';

/** Faults that are left when everything has come to rest. */
export async function troublesAfter(stack: TestStack, seen: Seen): Promise<string[]> {
  await untilAtRest(stack);
  return [
    ...[...seen.troubles].map(([text, times]) => `${text}, ${times} times`),
    ...(await doubled(stack, seen)),
    ...(await lostSecrets(stack, seen)),
    ...(await undone(stack, seen)),
  ];
}

/** No batch has an item whose outcome is open, and no parcel is being booked. */
async function untilAtRest({ db }: TestStack): Promise<void> {
  await eventually(
    async () => {
      const [row] = await db.select(
        `SELECT (SELECT COALESCE(SUM(pending_count), 0) FROM batches WHERE cancelled_at IS NULL) +
           (SELECT COUNT(*) FROM shipments WHERE state = 'reserved') AS open_count`,
      );
      return Number(row?.open_count) === 0;
    },
    'batches and bookings to end',
    120_000,
  );
}

/** Parcels, batches and drafts that are there twice, or not at all. */
async function doubled({ db, sandbox, account }: TestStack, seen: Seen): Promise<string[]> {
  const troubles: string[] = [];
  const rows = await db.select(
    `SELECT o.order_id AS asked, s.uuid, s.tracking_code AS code, l.license_key AS license
     FROM shipments s JOIN orders o ON o.id = s.order_id JOIN licenses l ON l.id = s.license_id
     WHERE s.account_id = ? AND s.state = 'created'`,
    [account.id],
  );
  const times = new Map<string, number>();
  for (const { asked } of rows) times.set(String(asked), (times.get(String(asked)) ?? 0) + 1);
  const twice = [...times].filter(([, found]) => found > 1);
  if (twice.length > 0) troubles.push(`${twice.length} orders have several parcels`);
  const missing = [...seen.orders].filter((order) => !times.has(order));
  if (missing.length > 0) troubles.push(`${missing.length} orders that were accepted have no parcel`);

  const ledger = await sandbox.ledger();
  const repeated = ledger.filter(({ requests }) => requests !== 1);
  if (repeated.length > 0) troubles.push(`${repeated.length} parcels were asked for more than once`);
  const booked = rows
    .filter(({ license }) => license === account.licenseKeys.run)
    .map(({ code }) => String(code));
  const known = new Set(booked);
  const unknown = ledger.filter(({ code }) => !known.has(code));
  if (unknown.length > 0) troubles.push(`${unknown.length} parcels of the carrier are in no shipment`);
  if (ledger.length !== booked.length) {
    troubles.push(`the carrier has ${ledger.length} parcels, and ${booked.length} are recorded`);
  }

  for (const [kind, table] of [
    ['batches', 'batches'],
    ['imports', 'import_drafts'],
  ]) {
    const made = await db.select(`SELECT uuid FROM ${table} WHERE account_id = ?`, [account.id]);
    const unseen = made.filter(({ uuid }) => !seen.made.has(`${kind} ${uuid}`));
    if (unseen.length > 0)
      troubles.push(`${unseen.length} ${kind} of ${made.length} were made and never seen`);
  }
  return troubles;
}

/** Changes whose answer alone shows a secret. */
const SECRET_MADE = [
  'credentials.create',
  'credentials.rotate',
  'panel-users.create',
  'panel-users.invite',
  'panel-users.renew-recovery-codes',
  'tokens.issue',
  'webhooks.create',
  'webhooks.rotate-secret',
];

/** Secrets that were made and that nobody has seen; those in force are compared themselves. */
async function lostSecrets({ db, config, account }: TestStack, seen: Seen): Promise<string[]> {
  const troubles: string[] = [];
  const marks = (values: readonly unknown[]) => values.map(() => '?').join(', ');
  const users = [...seen.users];
  const made = await db.select(
    `SELECT action, COUNT(*) AS found FROM audit_log WHERE action IN (${marks(SECRET_MADE)}) AND actor_name IN (${marks(users)}) AND ${IS_EFFECT}
     GROUP BY action`,
    [...SECRET_MADE, ...users],
  );
  const total = made.reduce((sum, { found }) => sum + Number(found), 0);
  if (total !== seen.secrets.size) {
    const shown = new Map<string, number>();
    for (const form of seen.secrets.values()) shown.set(form, (shown.get(form) ?? 0) + 1);
    troubles.push(`secrets were made by ${JSON.stringify(made)}, and seen by ${JSON.stringify([...shown])}`);
  }
  const texts = [...seen.secrets.keys()].flatMap((html) =>
    [...html.matchAll(/class="code">([^<]+)</g)].map(([, text = '']) => text),
  );
  const hashes = new Set(texts.map((text) => digestOf(text).toString('hex')));
  const tokens = new Set(
    texts.map((text) =>
      createHash('sha256')
        .update(text.split('|')[1] ?? '')
        .digest('hex'),
    ),
  );
  const plain = new Set(texts);
  const stored: [string, (value: Buffer) => boolean, string][] = [
    [
      'credentials',
      (sealed) => hashes.has(config.appKeys.open('client secret', sealed).toString('hex')),
      'SELECT client_secret_hash AS secret FROM client_credentials WHERE account_id = ? AND id > (SELECT MIN(id) FROM client_credentials WHERE account_id = ?)',
    ],
    [
      'webhooks',
      (sealed) => plain.has(config.appKeys.openText('webhook secret', sealed)),
      'SELECT secret FROM webhook_subscriptions WHERE account_id = ? AND account_id = ? AND store_site_id IS NULL',
    ],
    [
      'tokens',
      (hash) => tokens.has(hash.toString('hex')),
      'SELECT t.token_hash AS secret FROM personal_access_tokens t JOIN users u ON u.id = t.user_id WHERE u.account_id = ? AND u.account_id = ?',
    ],
  ];
  for (const [what, isSeen, sql] of stored) {
    const found = await db.select(sql, [account.id, account.id]);
    const lost = found.filter(({ secret }) => !isSeen(secret as Buffer));
    if (lost.length > 0)
      troubles.push(`${lost.length} of ${found.length} ${what} in force have a secret that nobody saw`);
  }
  return troubles;
}

/** Settings of the account that are not what was saved last. */
async function undone({ db, account }: TestStack, { values }: Seen): Promise<string[]> {
  const [row = {}] = await db.select('SELECT * FROM accounts WHERE id = ?', [account.id]);
  return Object.entries(row).flatMap(([column, is]) => {
    const field = column.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
    const saved = values.get(`/panel/a/${account.id}/settings ${field}`);
    return saved === undefined || saved === is ? [] : [`${field} is ${String(is)}, saved was ${saved}`];
  });
}
