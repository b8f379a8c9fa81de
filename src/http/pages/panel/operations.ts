import type { Static, TSchema } from 'typebox';
import { parseJson, type RequestBody } from '../../../api/json-body.js';
import type { CheckedRequest, Route } from '../../../api/route.js';
import { v2Routes } from '../../../api/v2/routes.js';
import { listLicenseSummaries } from '../../../db/queries/accounts/credentials.js';
import { AppError } from '../../../domain/errors.js';
import { compileOnUse } from '../../../lib/schema.js';
import type { MountedApp } from '../../mounted-app.js';
import { selectFor } from '../../v2/dialect.js';
import { type Caller, type OperationInput, recorded } from './recorded-operation.js';

/**
 * Calls an operation of API v2 for an account, without HTTP: what a merchant does in the panel follows the rules of the
 * API. `answer`: the schema of its JSON, a constant. @throws AppError as the API answers it
 */
export type Operations = <T extends TSchema>(
  operationId: string,
  input: OperationInput,
  answer: T,
) => Promise<Static<T>>;

const ROUTES = new Map(v2Routes.map((route) => [route.operationId, route]));

/** The operations for one account. Those that change something are recorded in the audit. */
export function operationsOf(app: MountedApp, caller: Caller): Operations {
  return async (operationId, input, answer) => {
    const route = ROUTES.get(operationId);
    if (route === undefined) throw new Error(`API v2 has no operation ${operationId}.`);
    const sent = await recorded(app, caller, { route, input, call: callOf(app, caller) });
    const check = compileOnUse<Static<typeof answer>>(answer)();
    if (check(sent)) return sent;
    throw new Error(`${operationId} does not match its schema: ${JSON.stringify(check.errors)}`);
  };
}

/** Calls a route and returns the JSON of its answer. */
function callOf(app: MountedApp, { account, whileWaiting }: Caller) {
  return async (route: Route, input: OperationInput): Promise<unknown> => {
    const { params = {}, query = {}, body = {}, headers = {} } = input;
    if (account.disabledAt !== null) throw new AppError('forbidden', 'The account is disabled.');
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
