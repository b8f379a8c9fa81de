import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import type { TokenOwner } from '../../db/queries/accounts/access-tokens.js';
import { findLicenseByKey, type KeyedLicense } from '../../db/queries/accounts/keyed-licenses.js';
import { isUsable } from '../../domain/license.js';
import { nowIso } from '../../lib/time.js';
import type { HttpApp } from '../http-app.js';
import {
  type BaseRequest,
  type MountedRoute,
  type Operation,
  type Reply,
  responseCheck,
} from '../operation.js';
import {
  type CarrierFeature,
  checkAppSecret,
  needRecipient,
  needUser,
  premiumText,
  type TokenUser,
  userOf,
} from './guards.js';
import type { Input } from './input.js';
import { type Messages, messagesOf } from './messages/messages.js';
import { failed, normalised, Refusal, refuseAppFields, refuseFields } from './reply.js';
import { GUARD_RESPONSES } from './responses.js';
import type { Unreadable } from './unreadable.js';
import { type CrossRule, type FieldTexts, inputCheck } from './validate.js';

/**
 * The credentials that a route requires: none; a usable license by `license_key` and `domain`; a token of a merchant's
 * user; the secret of the recipient app; or that secret and a recipient's bearer token.
 */
type Guard = keyof typeof GUARD_RESPONSES;

/** The published part of a route, and the pipeline's settings. */
interface RouteMeta extends Operation {
  /** A GET takes its parameters from the query or a JSON body, a POST from a JSON or form body, or the query. */
  method: 'get' | 'post';
  tag: 'Licenses' | 'Shipping' | 'Express' | 'Recipient app';
  /** True in the shipping group, whose answers are normalised and logged: by default on licensed routes. */
  normalised?: boolean;
  /** Of the body of a POST; on licensed routes without the credentials. */
  inputExample?: Record<string, unknown> | undefined;
}

/** A request with counted rate and read parameters. */
export interface V1Request extends BaseRequest {
  input: Input;
  /** Why its body could not be read; null if it was, or there is none. */
  unreadable: Unreadable | null;
  /** Owner of the valid token, in `token` or as the bearer; on routes of recipients only as the bearer. */
  caller: TokenOwner | null;
  /** Whether `Accept` names JSON. */
  wantsJson: boolean;
  /** The request's log fields, filled in as they become known. */
  facts: { licenseId: number | null; accountId: number | null };
  /**
   * Looks up a license key; one for which `find` returns null counts as a failed authentication of the caller's
   * address.
   * @throws AppError `rate_limited` for any but a valid key, once the address has sent too many of them
   */
  byKey: <T>(key: string, find: () => Promise<T | null>) => Promise<T | null>;
}

/** The handler's input: everything checked and typed. */
interface Context<I> {
  app: HttpApp;
  request: V1Request;
  say: Messages;
  input: I;
}

/** A {@link Context} behind the license check. */
export interface LicensedContext<I> extends Context<I> {
  license: KeyedLicense;
  /** The merchant's user of the sent token. */
  user: TokenUser | null;
}

/** A route as mounted and published. */
export interface V1Route extends RouteMeta, Pick<MountedRoute<V1Request>, 'execute' | 'checkResponse'> {
  guard: Guard;
  /** All parameters except those of the path. */
  input: TSchema;
  /** Checks credentials in the headers; the body is read afterwards. @throws Refusal */
  checkHeaders?(request: V1Request, app: HttpApp): Promise<void>;
}

/** Parameters of a route, and rules across them. */
interface Spec<P extends TProperties> extends RouteMeta {
  input: P;
  rules?: readonly CrossRule[];
}

/** `Found`: what the guard found out. */
type Handle<P extends TProperties, Found> = (context: Context<Static<TObject<P>>> & Found) => Promise<Reply>;

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

const CREDENTIALS_EXAMPLE = { license_key: 'lic-main', domain: 'demo-shop.example' };

/** A route without guard: validates, then runs. */
export function defineOpenRoute<P extends TProperties>(spec: Spec<P>, handle: Handle<P, unknown>): V1Route {
  return guarded('none', spec, async () => ({}), handle);
}

/**
 * A route behind the license check. In order: `license_key` and `domain` are present (422), the license is usable
 * (403), its carrier offers `provider` (400), the rest is valid (422).
 */
export function defineLicensedRoute<P extends TProperties>(
  { provider, ...spec }: Spec<P> & { provider?: CarrierFeature },
  handle: Handle<P, Pick<LicensedContext<unknown>, 'license' | 'user'>>,
): V1Route {
  const input = { ...CREDENTIALS, ...spec.input };
  const inputExample = spec.inputExample && { ...CREDENTIALS_EXAMPLE, ...spec.inputExample };
  const enter = async ({ app, request, say }: Call) => {
    const credentials = checkCredentials(request.input, say);
    if (!credentials.ok) throw refuseFields(credentials.errors, request, say);
    const { license_key: key } = credentials.input;
    const license = await request.byKey(key, () => findLicenseByKey(app.db, key));
    const now = nowIso();
    // Unknown, inactive and expired ones are refused alike.
    if (license === null || !isUsable(license, now)) throw new Refusal(failed(403, say.invalidLicenseKey));
    const user = userOf(request.caller);
    const refused = premiumText(license, user, now, say);
    if (refused !== null) throw new Refusal(failed(403, refused));
    request.facts.licenseId = license.id;
    request.facts.accountId = license.accountId;
    if (provider !== undefined && app.carriers(license.carrier.provider)[provider] === undefined) {
      throw new Refusal(failed(400, say.notSupportedForProvider));
    }
    return { license, user };
  };
  return guarded('license', { normalised: true, ...spec, input, inputExample }, enter, handle);
}

const checkCredentials = inputCheck<{ license_key: string; domain: string }>(Type.Object(CREDENTIALS));

/** A route of a merchant's user: requires their token (401). */
export function defineUserRoute(meta: RouteMeta, handle: Handle<TProperties, { user: TokenUser }>): V1Route {
  const enter = async ({ request, say }: Call) => ({ user: needUser(request.caller, say) });
  return guarded('user', { ...meta, input: { token: CREDENTIALS.token } }, enter, handle);
}

/** A route of the recipient app: checks the secret (500), then the parameters (422). */
export function defineAppRoute<P extends TProperties>(spec: Spec<P>, handle: Handle<P, unknown>): V1Route {
  return {
    ...guarded('app', spec, async () => ({}), handle),
    checkHeaders: (request, app) => checkAppSecret(request.headerValues, app, messagesOf(app.config.locale)),
  };
}

/** A route of one recipient: checks their bearer (401), then as the app's. */
export function defineRecipientRoute<P extends TProperties>(
  spec: Spec<P>,
  handle: Handle<P, { recipient: Extract<TokenOwner, { kind: 'recipient' }> }>,
): V1Route {
  const enter = async ({ request, say }: Call) => ({ recipient: needRecipient(request.caller, say) });
  return {
    ...guarded('recipient', spec, enter, handle),
    checkHeaders: async (request, app) => {
      const say = messagesOf(app.config.locale);
      needRecipient(request.caller, say);
      await checkAppSecret(request.headerValues, app, say);
    },
  };
}

type Call = Omit<Context<unknown>, 'input'>;

/** `enter`: the guard's checks before the parameters; its result goes to the handler. */
function guarded<I, E>(
  guard: Guard,
  spec: Spec<TProperties>,
  enter: (call: Call) => Promise<E>,
  handle: (context: Context<I> & E) => Promise<Reply>,
): V1Route {
  const input = Type.Object(spec.input);
  const check = inputCheck<I>(input, spec.rules);
  const responses = { ...GUARD_RESPONSES[guard], ...spec.responses };
  return {
    ...spec,
    guard,
    input,
    responses,
    execute: async (request, app) => {
      const say = messagesOf(app.config.locale);
      const refuse = (errors: FieldTexts): Refusal =>
        guard === 'app' || guard === 'recipient'
          ? refuseAppFields(errors)
          : refuseFields(errors, request, say);
      const { unreadable } = request;
      if (unreadable !== null) throw refuse({ body: [say.unreadableBody(unreadable)] });
      const entered = await enter({ app, request, say });
      const checked = check(request.input, say);
      if (!checked.ok) throw refuse(checked.errors);
      const reply = await handle({ app, request, say, input: checked.input, ...entered });
      return spec.normalised ? normalised(reply) : reply;
    },
    checkResponse: responseCheck({ operationId: spec.operationId, responses }),
  };
}
