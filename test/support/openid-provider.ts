import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Provider from 'oidc-provider';
import type { PanelProvider } from '../../src/config/panel-provider.js';
import { listen } from './local-server.js';

/** An answer in place of the provider's, at one path. */
interface Fault {
  path: string;
  status: number;
  type: string;
  body: string;
}

/** An OpenID provider of this process. A login is an e-mail, confirmed unless it begins with `unverified`. */
export interface TestProvider {
  settings: PanelProvider;
  /** Answers instead of the provider while it is set. */
  fault: Fault | null;
  close(): Promise<void>;
}

interface EmailClaims {
  email?: string | undefined;
  email_verified?: boolean | undefined;
}

interface TokenOptions {
  hasClaimsInToken: boolean;
  inToken: (claims: EmailClaims) => EmailClaims;
}

/**
 * Starts a provider that leads back to one address. Another site than `127.0.0.1` for a browser. `hasClaimsInToken`:
 * whether the e-mail is in the ID token, not only in the provider's answer about the user. `inToken`: changes what the
 * token says of the e-mail.
 */
export async function startProvider(
  backTo: string,
  { hasClaimsInToken = false, inToken = (claims) => claims }: Partial<TokenOptions> = {},
): Promise<TestProvider> {
  let handle: (req: IncomingMessage, res: ServerResponse) => unknown = () => undefined;
  const server = createServer((req, res) => {
    const { fault } = provider;
    // Browsers ask every host for it.
    if (req.url === '/favicon.ico') res.writeHead(204).end();
    else if (fault === null || !req.url?.startsWith(fault.path)) handle(req, res);
    else res.writeHead(fault.status, { 'content-type': fault.type }).end(fault.body);
  });
  const { port, close } = await listen(server);
  const issuer = `http://localhost:${port}`;
  const provider: TestProvider = {
    settings: { issuer, clientId: 'panel', clientSecret: 'a secret/with+signs', name: 'Example ID' },
    fault: null,
    close,
  };
  handle = providerAt(provider.settings, backTo, { hasClaimsInToken, inToken }).callback();
  return provider;
}

function providerAt(
  settings: PanelProvider,
  backTo: string,
  { hasClaimsInToken, inToken }: TokenOptions,
): Provider {
  return new Provider(settings.issuer, {
    clients: [
      {
        client_id: settings.clientId,
        client_secret: settings.clientSecret,
        redirect_uris: [backTo],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { email: ['email', 'email_verified'] },
    conformIdTokenClaims: !hasClaimsInToken,
    // Browsers take the default, for use in frames, over https only.
    cookies: { keys: ['test'], long: { sameSite: 'lax' } },
    async findAccount(_ctx, login) {
      const email = login.includes('@')
        ? { email: login, email_verified: !login.startsWith('unverified') }
        : {};
      const claims = (use: string) => (use === 'id_token' ? inToken(email) : email);
      return { accountId: login, claims: async (use) => ({ sub: login, ...claims(use) }) };
    },
    // Nobody is asked for consent.
    async loadExistingGrant(ctx) {
      const { client, account } = ctx.oidc;
      const grant = new ctx.oidc.provider.Grant({
        accountId: account?.accountId ?? '',
        clientId: client?.clientId ?? '',
      });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
}

/** Goes through the provider's pages as a browser does, and returns where they lead back to. Null cancels. */
export async function signInAt(provider: TestProvider, to: string, login: string | null): Promise<URL> {
  const jar = new Map<string, string>();
  let url = to;
  let form: Record<string, string> | undefined;
  for (;;) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const kept of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(kept) ?? [];
      jar.set(name, value);
    }
    const text = await response.text();
    if (response.status >= 400) throw new Error(`the provider answers ${response.status}: ${text}`);
    const location = response.headers.get('location');
    if (location === null) {
      form = login === null ? undefined : { prompt: 'login', login, password: 'any' };
      if (login === null) url += '/abort';
      continue;
    }
    form = undefined;
    const next = new URL(location, url);
    if (next.origin !== provider.settings.issuer) return next;
    url = next.href;
  }
}
