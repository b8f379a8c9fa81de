import { listLicenseSummaries } from '../db/queries/accounts/credentials.js';
import type { HttpApp } from './http-app.js';
import { parseJson, type RequestBody, unsafeTextsOf } from './json-body.js';
import { type CheckedRequest, licenseKeyIn, type Route, selectFor } from './route.js';

/**
 * Input as a form gives it: its fields are those of the schema. Which of them are there, and which texts and numbers
 * they may be, is checked as for any request.
 */
type Sent<T> = T extends string
  ? string
  : T extends number
    ? number
    : T extends readonly (infer E)[]
      ? readonly Sent<E>[]
      : T extends object
        ? SentFields<T>
        : T;
type SentFields<T> = { readonly [K in keyof T]?: Sent<T[K]> | undefined };

interface Call<P = object, Q = object, B = unknown> {
  params?: P;
  query?: SentFields<Q>;
  body?: Sent<B>;
  /** The body as JSON text, for a route that reads it by itself. */
  text?: string;
  /** Key of the license, instead of one in query or body. */
  license?: string;
  /** The `Idempotency-Key`. */
  key?: string;
}

/** The arguments of a call of a route. */
export type CallOf<P, Q, B> = Call<P, Q, B> & (Partial<P> extends P ? unknown : { params: P });

/** Who calls. */
export interface Caller extends Pick<CheckedRequest, 'accountId' | 'whileWaiting'> {
  app: HttpApp;
}

/** Calls a route without HTTP. Its answer is the value that the handler made. @throws AppError as the API answers it */
export async function callRoute<P extends object, Q extends object, B, Answer>(
  route: Route<P, Q, B, Answer>,
  call: CallOf<P, Q, B>,
  caller: Caller,
): Promise<Answer> {
  const { status, json, text } = await route.execute(await requestOf(route, call, caller), caller.app);
  return json ?? route.checkResponse(status, text);
}

async function requestOf(route: Route, call: Call, caller: Caller): Promise<CheckedRequest> {
  const { app, accountId, whileWaiting } = caller;
  const { params = {}, body = {}, text, key } = call;
  const query = { ...call.query };
  const headerValues = (name: string) => (name === 'idempotency-key' && key !== undefined ? [key] : []);
  const sender = { app, accountId, headerValues, query };
  const {
    value,
    unsafeTexts,
    fingerprint = '',
  }: RequestBody = text === undefined
    ? { value: body, unsafeTexts: unsafeTextsOf(body) }
    : await (route.readBody?.(Buffer.from(text), sender) ?? parseJson(Buffer.from(text)));
  const request: CheckedRequest = {
    url: route.path,
    address: '',
    headers: {},
    headerValues,
    params: { ...params },
    query,
    body: value,
    unsafeTexts,
    fingerprint,
    accountId,
    licenses: [],
    isReadOnly: false,
    whileWaiting,
    onShipment: () => undefined,
  };
  if (route.license !== 'none') {
    const licenses = await listLicenseSummaries(app.db, accountId);
    request.licenses = selectFor(route, licenses, call.license ?? licenseKeyIn(route, request));
  }
  return request;
}
