import { ConfigError, type Environment } from './environment.js';

/** The OpenID provider at which users of the panel sign in. */
export interface PanelProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What the button calls it. */
  readonly name: string;
}

/** Null without its variables. @throws ConfigError where only some are set */
export function panelProviderOf(read: Environment): PanelProvider | null {
  const {
    PANEL_OIDC_ISSUER: issuer = '',
    PANEL_OIDC_CLIENT_ID: clientId,
    PANEL_OIDC_CLIENT_SECRET: clientSecret,
    PANEL_OIDC_NAME: name,
  } = read;
  const needed = {
    PANEL_OIDC_ISSUER: issuer,
    PANEL_OIDC_CLIENT_ID: clientId,
    PANEL_OIDC_CLIENT_SECRET: clientSecret,
  };
  const missing = Object.entries(needed).flatMap(([variable, value]) => (value === '' ? [variable] : []));
  if (missing.length === Object.keys(needed).length && name === '') return null;
  if (missing.length > 0) {
    throw new ConfigError(`The sign-in of the panel by OpenID Connect also needs ${missing.join(' and ')}.`);
  }
  return { issuer, clientId, clientSecret, name: name === '' ? new URL(issuer).host : name };
}
