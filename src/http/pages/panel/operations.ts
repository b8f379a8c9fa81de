import type { Static, TSchema } from 'typebox';
import { parseJson, type RequestBody } from '../../../api/json-body.js';
import type { CheckedRequest, Route } from '../../../api/route.js';
import { createAccountExport } from '../../../api/v2/exports/account-export.js';
import { v2Routes } from '../../../api/v2/routes.js';
import type { AccountRecord } from '../../../db/queries/accounts/accounts.js';
import { listLicenseSummaries } from '../../../db/queries/accounts/credentials.js';
import type { Actor } from '../../../domain/audit.js';
import { AppError } from '../../../domain/errors.js';
import { problem } from '../../../domain/problems/problem.js';
import { compileOnUse } from '../../../lib/schema.js';
import { auditedAct } from '../../../services/admin/audited.js';
import type { MountedApp } from '../../mounted-app.js';
import { countRequest, selectFor } from '../../v2/dialect.js';

/** What an operation is given, as API v2 takes it. */
interface OperationInput {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
  headers?: Record<string, string>;
}

/** Who calls, and for which account. */
interface Caller {
  account: AccountRecord;
  actor: Actor;
  whileWaiting: CheckedRequest['whileWaiting'];
  /** Whether it counts for the account as a request to the API: not what an open page asks for by itself. */
  isCounted: boolean;
}

/**
 * Calls an operation of API v2 for an account, without HTTP: what a merchant does in the panel follows the rules of the
 * API. `answer`: the schema of its JSON, a constant. @throws AppError as the API answers it
 */
export type Operations = <T extends TSchema>(
  operationId: string,
  input: OperationInput,
  answer: T,
) => Promise<Static<T>>;

/** Those of API v2, and what is offered in the panel alone. */
const ROUTES = new Map([...v2Routes, createAccountExport].map((route) => [route.operationId, route]));
/** Routes that read, by path. */
const READERS = new Map(
  v2Routes.filter(({ method }) => method === 'get').map((route) => [route.path, route]),
);

/** The operations for one account. Those that change something are recorded in the audit. */
export function operationsOf(app: MountedApp, caller: Caller): Operations {
  return async <S>(operationId: string, input: OperationInput, answer: TSchema): Promise<S> => {
    const route = ROUTES.get(operationId);
    if (route === undefined) throw new Error(`API v2 has no operation ${operationId}.`);
    if (caller.isCounted) countRequest(app, { accountId: caller.account.id });
    const sent = await recorded(app, caller, route, input);
    const check = compileOnUse<S>(answer)();
    if (check(sent)) return sent;
    throw new Error(`${operationId} does not match its schema: ${JSON.stringify(check.errors)}`);
  };
}

/** Calls a route and returns the JSON of its answer. */
function callOf(app: MountedApp, { account, whileWaiting }: Caller) {
  return async (route: Route, input: OperationInput): Promise<unknown> => {
    const { params = {}, query = {}, body = {}, headers = {} } = input;
    if (account.disabledAt !== null) throw new AppError('forbidden', problem('account_disabled'));
    const licenses = await listLicenseSummaries(app.db, account.id);
    const headerValues = (name: string) => (headers[name] === undefined ? [] : [headers[name]]);
    const bytes = Buffer.from(JSON.stringify(body));
    const sender = { app, accountId: account.id, headerValues, query };
    const {
      value,
      unsafeTexts,
      fingerprint = '',
    }: RequestBody = route.readBody === undefined ? parseJson(bytes) : await route.readBody(bytes, sender);
    const request: CheckedRequest = {
      unsafeTexts,
      url: route.path,
      headers,
      headerValues,
      params,
      query,
      body: value,
      fingerprint,
      accountId: account.id,
      licenses: [],
      whileWaiting,
      onShipment: () => undefined,
    };
    request.licenses = selectFor(route, { licenses }, request);
    const { json, text = JSON.stringify(json ?? null) } = await route.execute(request, app);
    return JSON.parse(text);
  };
}

/**
 * Calls an operation and returns the JSON of its answer. One that changes something leaves an entry in the audit: with
 * the values before and after, where API v2 can read what is changed; with the id of something new.
 */
async function recorded(
  app: MountedApp,
  caller: Caller,
  route: Route,
  input: OperationInput,
): Promise<unknown> {
  const { account, actor } = caller;
  const call = callOf(app, caller);
  const { method, path, operationId, audit } = route;
  if (method === 'get') return await call(route, input);
  const noun = nounOf(path);
  if (audit === undefined) throw new Error(`${operationId} has no name in the audit.`);
  const [id] = Object.values(input.params ?? {});
  const target = id === undefined ? { kind: 'account', id: account.id } : { kind: singular(noun), id };
  const reader = method === 'post' ? undefined : READERS.get(path);
  const before = reader === undefined ? undefined : valuesOf(await call(reader, readingOf(input)));
  return await auditedAct(
    { db: app.db, actor },
    audit,
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
