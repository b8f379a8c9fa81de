import type { ClientAuth, Configuration } from 'openid-client';
import type { PanelProvider } from '../../config/panel-provider.js';
import { unavailable } from '../../domain/errors.js';
import { isLanguage, type Language } from '../../domain/recipient-words/language.js';
import type { AppKeys } from '../../lib/app-keys.js';
import { inTime } from '../../lib/in-time.js';
import { LIMITS } from '../../lib/limits/values.js';

/** A sign-in that a browser has begun at the provider, which the browser keeps sealed until it comes back. */
interface BegunSignIn {
  state: string;
  nonce: string;
  /** Proves to the provider that the code comes back from where the sign-in began (PKCE). */
  verifier: string;
  language: Language;
  /** The page that it leads to; empty where none was asked for. */
  to: string;
}

/**
 * Why nobody comes in. `denied`: by the person or the provider. `unproven`: the answer fails a check. `unverified`: no
 * e-mail that the provider confirms. `away`: no answer, or one that the settings do not fit.
 */
type Refused = 'denied' | 'unproven' | 'unverified' | 'away';

/** Nobody comes in, with the error for the log. `providerCode`: the provider's own word, such as `invalid_client`. */
export interface ProviderRefusal {
  kind: 'refused';
  why: Refused;
  error?: unknown;
  providerCode?: string | undefined;
}

/** A provider's proof: an e-mail. */
type Proof = { kind: 'proven'; email: string } | ProviderRefusal;

/** Errors of the library that say that an answer is not what was asked for. */
const DOUBT = /^OAUTH_(JWT|JSON_ATTRIBUTE|INVALID_RESPONSE|KEY_SELECTION)/;

interface ProviderApp {
  readProvider: ReturnType<typeof createProviderReader>;
}

/** How a sign-in begins. `isAgain`: the provider asks who it is even where it knows. */
interface Asked {
  provider: PanelProvider;
  /** Address of ours to which the provider leads back. */
  backTo: string;
  language: Language;
  isAgain: boolean;
  /** As in {@link BegunSignIn}. Holds no blank. */
  to: string;
}

/** Begins a sign-in. `to`: the provider's page. Throws nothing. */
export async function beginAtProvider(
  { readProvider }: ProviderApp,
  asked: Asked,
): Promise<{ kind: 'begun'; to: string; begun: BegunSignIn } | ProviderRefusal> {
  try {
    return await begin(await answered(readProvider(asked.provider)), asked);
  } catch (error) {
    return { kind: 'refused', why: 'away', error };
  }
}

async function begin(configuration: Configuration, { backTo, language, isAgain, to }: Asked) {
  const oidc = await import('openid-client');
  const verifier = oidc.randomPKCECodeVerifier();
  const begun = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier, language, to };
  const { href } = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: backTo,
    scope: 'openid email',
    state: begun.state,
    nonce: begun.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ui_locales: language,
    ...(isAgain ? { prompt: 'login' } : {}),
  });
  return { kind: 'begun', to: href, begun } as const;
}

/** Checks with the provider what a browser has brought back to `address`. Throws nothing. */
export async function proofOf(
  { readProvider }: ProviderApp,
  { provider, begun, address }: { provider: PanelProvider; begun: BegunSignIn; address: URL },
): Promise<Proof> {
  try {
    const configuration = await answered(readProvider(provider));
    try {
      return await answered(exchange(configuration, begun, address));
    } catch (error) {
      return await refusalOf(error);
    }
  } catch (error) {
    return { kind: 'refused', why: 'away', error };
  }
}

async function exchange(configuration: Configuration, begun: BegunSignIn, address: URL): Promise<Proof> {
  const oidc = await import('openid-client');
  const tokens = await oidc.authorizationCodeGrant(configuration, address, {
    expectedState: begun.state,
    expectedNonce: begun.nonce,
    pkceCodeVerifier: begun.verifier,
  });
  const claims = tokens.claims();
  if (claims === undefined) return { kind: 'refused', why: 'unproven' };
  const isThin = claims.email === undefined || claims.email_verified === undefined;
  const isElsewhere = isThin && configuration.serverMetadata().userinfo_endpoint !== undefined;
  // Both claims come from one place: a confirmation is of the e-mail beside it.
  const { email, email_verified: verified }: Record<string, unknown> = isElsewhere
    ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)
    : claims;
  const isDenied = claims.email_verified !== undefined && !isTrue(claims.email_verified);
  if (typeof email !== 'string' || !isTrue(verified) || isDenied) {
    return { kind: 'refused', why: 'unverified' };
  }
  return { kind: 'proven', email };
}

/** Some providers send a claim as text. */
function isTrue(claim: unknown): boolean {
  return claim === true || claim === 'true';
}

async function refusalOf(error: unknown): Promise<ProviderRefusal> {
  const { AuthorizationResponseError, ClientError, ResponseBodyError } = await import('openid-client');
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    const why =
      error.error === 'access_denied' ? 'denied' : error.error === 'invalid_grant' ? 'unproven' : 'away';
    // A browser can write anything there.
    const providerCode = /^[a-z_]{1,40}$/.test(error.error) ? error.error : undefined;
    return { kind: 'refused', why, error, providerCode };
  }
  const isDoubt = error instanceof ClientError && DOUBT.test(error.code ?? '');
  return { kind: 'refused', why: isDoubt ? 'unproven' : 'away', error };
}

/** The reader of a provider's own description, which it reads once. */
export function createProviderReader(): (provider: PanelProvider) => Promise<Configuration> {
  const configurations = new Map<PanelProvider, Promise<Configuration>>();
  return async (provider) => {
    const known = configurations.get(provider);
    if (known !== undefined) return await known;
    const found = discover(provider);
    configurations.set(provider, found);
    // The next sign-in asks again.
    found.catch(() => configurations.delete(provider));
    return await found;
  };
}

async function discover({ issuer, clientId, clientSecret }: PanelProvider): Promise<Configuration> {
  const oidc = await import('openid-client');
  const server = new URL(issuer);
  const authenticate: ClientAuth = (metadata, ...rest) => {
    const ways = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    // Providers differ in how they read characters of a secret in the header.
    const way = ways.includes('client_secret_post') ? oidc.ClientSecretPost : oidc.ClientSecretBasic;
    way(clientSecret)(metadata, ...rest);
  };
  return await oidc.discovery(server, clientId, undefined, authenticate, {
    timeout: LIMITS.panel.providerMs / 1000,
    execute: [
      oidc.enableNonRepudiationChecks,
      ...(server.protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
    ],
  });
}

async function answered<T>(work: Promise<T>): Promise<T> {
  return await inTime(LIMITS.panel.providerMs, work, () =>
    unavailable('The OpenID provider does not answer in time.'),
  );
}

/** A begun sign-in as its browser keeps it. `atMs`: now, as ms since 1970. */
export function sealBegun(begun: BegunSignIn, appKeys: AppKeys, atMs = Date.now()): string {
  const { state, nonce, verifier, language, to } = begun;
  const endsAt = atMs + LIMITS.panel.providerSeconds * 1000;
  const text = [state, nonce, verifier, language, endsAt, to].join(' ');
  return appKeys.seal('provider sign-in', text).toString('base64url');
}

/** The reverse of {@link sealBegun}; null for a text that is not ours, or too old. */
export function openBegun(sealed: string, appKeys: AppKeys): BegunSignIn | null {
  const [state = '', nonce = '', verifier = '', language = '', endsAt = '', to = ''] = textOf(
    sealed,
    appKeys,
  ).split(' ');
  return Number(endsAt) > Date.now() && isLanguage(language)
    ? { state, nonce, verifier, language, to }
    : null;
}

function textOf(sealed: string, appKeys: AppKeys): string {
  try {
    return appKeys.openText('provider sign-in', Buffer.from(sealed, 'base64url'));
  } catch {
    return '';
  }
}
