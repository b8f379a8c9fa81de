import type { CheckedRequest, Route } from '../../../api/route.js';
import { v2Routes } from '../../../api/v2/routes.js';
import type { AccountRecord } from '../../../db/queries/accounts/accounts.js';
import type { Actor, AuditAction } from '../../../domain/audit.js';
import { auditedAct } from '../../../services/admin/audited.js';
import type { MountedApp } from '../../mounted-app.js';

/** What an operation is given, as API v2 takes it. */
export interface OperationInput {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
  headers?: Record<string, string>;
}

/** Who calls, and for which account. */
export interface Caller {
  account: AccountRecord;
  actor: Actor;
  whileWaiting: CheckedRequest['whileWaiting'];
}

interface OperationCall {
  route: Route;
  input: OperationInput;
  call: (route: Route, input: OperationInput) => Promise<unknown>;
}

/** Routes that read, by path. */
const READERS = new Map(
  v2Routes.filter(({ method }) => method === 'get').map((route) => [route.path, route]),
);

/**
 * Calls an operation and returns the JSON of its answer. One that changes something leaves an entry in the audit: with
 * the values before and after, where API v2 can read what is changed; with the id of something new.
 */
export async function recorded(
  app: MountedApp,
  { account, actor }: Caller,
  { route, input, call }: OperationCall,
): Promise<unknown> {
  const { method, path, operationId } = route;
  if (method === 'get') return await call(route, input);
  const noun = nounOf(path);
  const action: AuditAction = `${noun}.${/^[a-z]+/.exec(operationId)?.[0] ?? operationId}`;
  const [id] = Object.values(input.params ?? {});
  const target = id === undefined ? { kind: 'account', id: account.id } : { kind: singular(noun), id };
  const reader = method === 'post' ? undefined : READERS.get(path);
  const before = reader === undefined ? undefined : valuesOf(await call(reader, readingOf(input)));
  return await auditedAct(
    { db: app.db, actor },
    action,
    { target, accountId: account.id },
    () => call(route, input),
    (sent) => {
      if (before === undefined) return id === undefined ? madeOf(noun, sent) : 'done';
      return { outcome: 'done', before, after: method === 'delete' ? undefined : valuesOf(sent) };
    },
  );
}

/** `/notifications/templates/{id}` is about `notifications-templates`. */
function nounOf(path: string): string {
  const [fixed = ''] = path.split('/{');
  return fixed.slice(1).replaceAll('/', '-');
}

function singular(noun: string): string {
  return noun.replace(/(?<=ch)es$|s$/, '');
}

/** The same object, read. Its license stands in the query. */
function readingOf({ params = {}, query = {}, body = {} }: OperationInput): OperationInput {
  const key = 'license_key' in body ? body.license_key : undefined;
  return { params, query: typeof key === 'string' ? { ...query, license_key: key } : query };
}

/** What an answer says of an object, without the license key, which is a credential, and the time of each change. */
function valuesOf(sent: unknown): object {
  const { license_key: _key, updated_at: _stamp, ...values } = dataOf(sent);
  return values;
}

function madeOf(noun: string, sent: unknown): string {
  const { uuid, id = uuid } = dataOf(sent);
  return typeof id === 'string' || typeof id === 'number' ? `${singular(noun)} ${id}` : 'done';
}

function dataOf(sent: unknown): Record<string, unknown> {
  const data = typeof sent === 'object' && sent !== null && 'data' in sent ? sent.data : null;
  return typeof data === 'object' && data !== null ? { ...data } : {};
}
