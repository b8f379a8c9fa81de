/** The person or program that makes a change, and its place. */
export interface Actor {
  kind: 'admin' | 'panel' | 'mcp';
  /** User of the operating system, or the name given by `--as`; in the panel the user's e-mail; by MCP the client id. */
  name: string;
  /** Host of the program; in the panel and by MCP the address of the caller. */
  origin: string;
}

/** The name of an act, the same by each of them. */
export type AuditAction =
  | 'accounts.change'
  | 'accounts.create'
  | 'accounts.disable'
  | 'accounts.enable'
  | 'app-secret.rotate'
  | 'app-secret.set'
  | 'keys.re-encrypt'
  | 'batches.cancel'
  | 'batches.create'
  | 'batches.retry'
  | 'bookings.resolve'
  | 'companies.change'
  | 'companies.create'
  | 'companies.delete'
  | 'credentials.create'
  | 'credentials.disable'
  | 'credentials.revoke'
  | 'credentials.rotate'
  | 'credentials.set'
  | 'deploy.back'
  | 'deploy.clean-up'
  | 'deploy.ramp'
  | 'deploy.hand-over'
  | 'deploy.set-current'
  | 'exports.create'
  | 'exports.retry'
  | 'licenses.change'
  | 'licenses.create'
  | 'licenses.rotate-webhook-url'
  | 'mails.retry'
  | 'notifications.change-settings'
  | 'panel-users.accept-invitation'
  | 'panel-users.change'
  | 'panel-users.change-password'
  | 'panel-users.create'
  | 'panel-users.end-sessions'
  | 'panel-users.invite'
  | 'panel-users.renew-authenticator'
  | 'panel-users.renew-recovery-codes'
  | 'panel-users.sign-in'
  | 'panel-users.sign-out'
  | 'panel-users.wrong-code'
  | 'recipients.create'
  | 'recipients.erase'
  | 'service.reconcile'
  | 'shipments.cancel'
  | 'shipments.create'
  | 'shipments.print'
  | 'shipments.set-status'
  | 'store-sites.change'
  | 'store-sites.create'
  | 'templates.change'
  | 'templates.create'
  | 'templates.delete'
  | 'templates.preview'
  | 'tokens.issue'
  | 'tokens.revoke'
  | 'users.change'
  | 'users.create'
  | 'webhooks.change'
  | 'webhooks.create'
  | 'webhooks.delete'
  | 'webhooks.ping'
  | 'webhooks.redeliver'
  | 'webhooks.replay'
  | 'webhooks.rotate-secret';

/** The object of a change: `license` and its id. */
export interface AuditTarget {
  kind: string;
  id: number | string;
}

/** Values without secrets, by names in snake case. */
export type AuditValues = Readonly<Record<string, unknown>>;

/** The values before and after a change. */
export interface AuditChange {
  action: AuditAction;
  target: AuditTarget;
  /** Null for what belongs to no account. */
  accountId: number | null;
  before: AuditValues | null;
  after: AuditValues | null;
}

/** Kept by a change itself, so no news of it. */
const STAMPS: ReadonlySet<string> = new Set(['createdAt', 'updatedAt']);
/** Values of a carrier's or merchant's own names. */
const OWN_NAMES: ReadonlySet<string> = new Set(['settings', 'secrets', 'trackerPageContactInfo']);

/**
 * The values that differ, by names in snake case. Without `before` the values that a new object has, without `after`
 * those of one that is gone; both leave out empty ones.
 */
export function differences(
  before: object | undefined,
  after: object | undefined,
): Pick<AuditChange, 'before' | 'after'> {
  if (before === undefined || after === undefined) {
    return {
      before: before === undefined ? null : filled(before),
      after: after === undefined ? null : filled(after),
    };
  }
  return changed(before, after, snake);
}

function changed(before: object, after: object, rename: (name: string) => string) {
  const old = new Map<string, unknown>(Object.entries(before));
  const now = new Map<string, unknown>(Object.entries(after));
  const found: { before: Record<string, unknown>; after: Record<string, unknown> } = {
    before: {},
    after: {},
  };
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const was: unknown = old.get(name);
    const is: unknown = now.get(name);
    if (STAMPS.has(name) || JSON.stringify(was) === JSON.stringify(is)) continue;
    const inner =
      isRecord(was) && isRecord(is)
        ? changed(was, is, OWN_NAMES.has(name) ? same : rename)
        : { before: was, after: is };
    if (!isNothing(inner.before)) found.before[rename(name)] = inner.before;
    if (!isNothing(inner.after)) found.after[rename(name)] = inner.after;
  }
  return found;
}

function filled(values: object): Record<string, unknown> {
  const entries = Object.entries(values).filter(([name, value]) => !STAMPS.has(name) && !isEmpty(value));
  return Object.fromEntries(entries.map(([name, value]) => [snake(name), value]));
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === '' || value === false;
}

/** Undefined, or an object of which nothing differs. */
export function isNothing(value: unknown): boolean {
  return value === undefined || (isRecord(value) && Object.keys(value).length === 0);
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function same(name: string): string {
  return name;
}
