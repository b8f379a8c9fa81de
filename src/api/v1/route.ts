import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import type { TokenOwner } from '../../db/queries/access-tokens.js';
import type { KeyedLicense } from '../../db/queries/keyed-licenses.js';
import { compileOnUse } from '../../lib/schema.js';
import type { CarrierFeature } from '../../services/carrier-features.js';
import type { CreateShipmentOutcome } from '../../services/create-shipment.js';
import type { HttpApp } from '../http-app.js';
import {
  checkAppSecret,
  checkLicense,
  checkProvider,
  needRecipient,
  needUser,
  type TokenUser,
} from './guards.js';
import type { Input } from './input.js';
import { messagesOf } from './messages/catalogues.js';
import type { Messages } from './messages/messages.js';
import { refuseAppFields, refuseFields } from './refusals.js';
import type { Refusal, Reply } from './reply.js';
import { GUARD_RESPONSES, type Responses, UNSUPPORTED_RESPONSE } from './responses.js';
import type { Unreadable } from './unreadable.js';
import { type CrossRule, inputCheck } from './validate.js';

/**
 * What a route asks of its caller: nothing; a usable license by `license_key` and `domain`; a token of a merchant's user;
 * the secret of the recipient app; or that secret and a recipient's bearer token.
 */
export type Guard = keyof typeof GUARD_RESPONSES;

/** What is published of a route, and what the pipeline needs to know before it runs. */
export interface RouteMeta {
  /** Parameters of a GET come from the query or a JSON body, those of a POST from a body of JSON or of a form, or the query. */
  method: 'get' | 'post';
  /** Path below `/api`, parameters in braces: `/shipping/{shipment}/status`. */
  path: string;
  operationId: string;
  tag: 'Licenses' | 'Shipping' | 'Express' | 'Recipient app';
  summary: string;
  description?: string;
  /** True in the shipping group, whose answers are normalised and logged. */
  normalised?: boolean;
  /** Answers beside those of the guard. */
  responses: Responses;
  inputExample?: unknown;
}

/** A request whose rate was counted and whose parameters were read. */
export interface V1Request {
  /** Path and query as sent, without origin. */
  url: string;
  headerValues(name: string): readonly string[];
  params: Readonly<Record<string, unknown>>;
  input: Input;
  /** Why its body could not be read; null where it was, or there is none. */
  unreadable: Unreadable | null;
  /** Whose valid token came along: in `token` or as the bearer, on routes of recipients as the bearer alone. */
  caller: TokenOwner | null;
  /** Whether `Accept` names JSON. */
  wantsJson: boolean;
  /** What the log says of the request, filled in as it becomes known. */
  facts: { licenseId: number | null; accountId: number | null };
  /**
   * Waits for others, such as a carrier, while `wait` runs; meanwhile the request does not count as work of the process.
   * @throws Overloaded where the caller has as many waits as it may, before `wait` is called
   */
  whileWaiting: <T>(wait: () => Promise<T>) => Promise<T>;
  /**
   * Looks for what a license key stands for; a key that `find` answers with null counts as a failed authentication of the
   * caller's address.
   * @throws AppError `rate_limited` where the address has sent too many of them, for any but a right key
   */
  byKey: <T>(key: string, find: () => Promise<T | null>) => Promise<T | null>;
  /** Names the shipment in the request's log line. */
  onShipment: (created: CreateShipmentOutcome) => void;
}

/** What a handler works with: everything checked and typed. */
export interface Context<I> {
  app: HttpApp;
  request: V1Request;
  say: Messages;
  input: I;
}

/** A {@link Context} behind the license check. */
export interface LicensedContext<I> extends Context<I> {
  license: KeyedLicense;
  /** The merchant's user whose token came along. */
  user: TokenUser | null;
}

/** A {@link Context} behind a recipient's token. */
export interface RecipientContext<I> extends Context<I> {
  recipient: Extract<TokenOwner, { kind: 'recipient' }>;
}

/** A route as it is mounted and published. */
export interface V1Route extends RouteMeta {
  guard: Guard;
  /** Every parameter but those of the path. */
  input: TSchema;
  /** Checks the credentials where they are in the headers; the body is read afterwards. @throws Refusal */
  checkHeaders?(request: V1Request, app: HttpApp): Promise<void>;
  /** Checks in the guard's order, then works. @throws Refusal or AppError */
  execute(request: V1Request, app: HttpApp): Promise<Reply>;
  /** @throws Error when the JSON text does not match the published schema of its status. */
  checkResponse(status: number, text: string | undefined): void;
}

type InputOf<P extends TProperties> = Static<ReturnType<typeof Type.Object<P>>>;

/** Parameters of a route, and rules over several of them. */
interface Takes<P extends TProperties> {
  input: P;
  rules?: readonly CrossRule[];
}

/** The parameters of every route behind the license check. */
const CREDENTIALS = {
  license_key: Type.String({ description: 'The carrier account.', examples: ['lic-main'] }),
  domain: Type.String({
    description: "The calling store's domain; any text.",
    examples: ['demo-shop.example'],
  }),
  token: Type.Optional(
    Type.String({
      description:
        "Personal access token of a merchant's user, `id|secret`; else that of `Authorization: Bearer`.",
    }),
  ),
};

/** A route without guard: validation, then work. */
export function defineOpenRoute<P extends TProperties>(
  meta: RouteMeta & Takes<P>,
  handle: (context: Context<InputOf<P>>) => Promise<Reply>,
): V1Route {
  const schema = Type.Object(meta.input);
  const check = inputCheck<InputOf<P>>(schema, meta.rules);
  return published('none', meta, schema, async (request, app) => {
    const say = messagesOf(app.config.locale);
    const checked = check(request.input, say);
    if (!checked.ok) throw refuseFields(checked.errors, request, say);
    return handle({ app, request, say, input: checked.input });
  });
}

/**
 * A route behind the license check: `license_key` and `domain` are there (422), the license is usable (403), its
 * carrier offers `provider` (400), the rest is valid (422), then work.
 */
export function defineLicensedRoute<P extends TProperties>(
  meta: RouteMeta & Takes<P> & { provider?: CarrierFeature },
  handle: (context: LicensedContext<InputOf<P>>) => Promise<Reply>,
): V1Route {
  const schema = Type.Object({ ...CREDENTIALS, ...meta.input });
  const check = inputCheck<InputOf<P>>(schema, meta.rules);
  const responses =
    meta.provider === undefined ? meta.responses : { ...UNSUPPORTED_RESPONSE, ...meta.responses };
  return published('license', { ...meta, responses }, schema, async (request, app) => {
    const say = messagesOf(app.config.locale);
    const credentials = checkCredentials(request.input, say);
    if (!credentials.ok) throw refuseFields(credentials.errors, request, say);
    const { license, user } = await checkLicense(credentials.input.license_key, request, app, say);
    request.facts.licenseId = license.id;
    request.facts.accountId = license.accountId;
    if (meta.provider !== undefined) checkProvider(license, meta.provider, app, say);
    const checked = check(request.input, say);
    if (!checked.ok) throw refuseFields(checked.errors, request, say);
    return handle({ app, request, say, input: checked.input, license, user });
  });
}

/** A route of a merchant's user: the token is theirs (401), then work. */
export function defineUserRoute(
  meta: RouteMeta,
  handle: (context: Context<unknown> & { user: TokenUser }) => Promise<Reply>,
): V1Route {
  return published('user', meta, Type.Object({ token: CREDENTIALS.token }), async (request, app) => {
    const say = messagesOf(app.config.locale);
    const user = needUser(request, say);
    return handle({ app, request, say, input: {}, user });
  });
}

/** A route of the recipient app: the secret is right (500), the parameters are valid (422), then work. */
export function defineAppRoute<P extends TProperties>(
  meta: RouteMeta & Takes<P>,
  handle: (context: Context<InputOf<P>>) => Promise<Reply>,
): V1Route {
  const schema = Type.Object(meta.input);
  const check = inputCheck<InputOf<P>>(schema, meta.rules);
  const route = published('app', meta, schema, async (request, app) => {
    const say = messagesOf(app.config.locale);
    const checked = check(request.input, say);
    if (!checked.ok) throw refuseAppFields(checked.errors);
    return handle({ app, request, say, input: checked.input });
  });
  return {
    ...route,
    checkHeaders: (request, app) => checkAppSecret(request, app, messagesOf(app.config.locale)),
  };
}

/** A route of one recipient: the bearer is theirs (401), the secret is right (500), then as the app's. */
export function defineRecipientRoute<P extends TProperties>(
  meta: RouteMeta & Takes<P>,
  handle: (context: RecipientContext<InputOf<P>>) => Promise<Reply>,
): V1Route {
  const schema = Type.Object(meta.input);
  const check = inputCheck<InputOf<P>>(schema, meta.rules);
  const route = published('recipient', meta, schema, async (request, app) => {
    const say = messagesOf(app.config.locale);
    const recipient = needRecipient(request, say);
    const checked = check(request.input, say);
    if (!checked.ok) throw refuseAppFields(checked.errors);
    return handle({ app, request, say, input: checked.input, recipient });
  });
  return {
    ...route,
    checkHeaders: async (request, app) => {
      const say = messagesOf(app.config.locale);
      needRecipient(request, say);
      await checkAppSecret(request, app, say);
    },
  };
}

const checkCredentials = inputCheck<{ license_key: string; domain: string }>(Type.Object(CREDENTIALS));

function published(guard: Guard, meta: RouteMeta, schema: TSchema, execute: V1Route['execute']): V1Route {
  const responses: Responses = { ...GUARD_RESPONSES[guard], ...meta.responses };
  const checks = new Map(
    Object.entries(responses).map(([status, spec]) => [
      Number(status),
      spec.schema === undefined ? undefined : compileOnUse<unknown>(spec.schema),
    ]),
  );
  return {
    ...meta,
    guard,
    input: schema,
    responses,
    execute: async (request, app) => {
      if (request.unreadable !== null) throw refuseBody(guard, request.unreadable, { request, app });
      return await execute(request, app);
    },
    checkResponse: (status, text) => {
      const what = `${meta.operationId} ${status}`;
      if (!checks.has(status)) throw new Error(`${what} is not published.`);
      const check = checks.get(status)?.();
      if (check === undefined && text === undefined) return;
      const body: unknown = text === undefined ? undefined : JSON.parse(text);
      if (check?.(body) === true) return;
      throw new Error(`${what} does not match its schema: ${JSON.stringify(check?.errors)}`);
    },
  };
}

/** A body that cannot be read, as a validation failure in the shape of the group. */
function refuseBody(
  guard: Guard,
  why: Unreadable,
  { request, app }: Pick<Context<unknown>, 'request' | 'app'>,
): Refusal {
  const say = messagesOf(app.config.locale);
  const errors = { body: [say.unreadableBody(why)] };
  return guard === 'app' || guard === 'recipient'
    ? refuseAppFields(errors)
    : refuseFields(errors, request, say);
}
