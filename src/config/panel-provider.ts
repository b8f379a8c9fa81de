import { ConfigError, type Environment } from './environment.js';

/** The OpenID provider at which users of the panel sign in; `name` is what the button calls it. */
export type PanelProvider = NonNullable<ReturnType<typeof panelProviderOf>>;

/** Null without its variables. @throws ConfigError where only some are set */
export function panelProviderOf({
  PANEL_OIDC_ISSUER = '',
  PANEL_OIDC_CLIENT_ID,
  PANEL_OIDC_CLIENT_SECRET,
  PANEL_OIDC_NAME: name,
}: Environment) {
  const needed = { PANEL_OIDC_ISSUER, PANEL_OIDC_CLIENT_ID, PANEL_OIDC_CLIENT_SECRET };
  const missing = Object.entries(needed).flatMap(([variable, value]) => (value === '' ? [variable] : []));
  if (missing.length === Object.keys(needed).length && name === '') return null;
  if (missing.length > 0) {
    throw new ConfigError(`The sign-in of the panel by OpenID Connect also needs ${missing.join(' and ')}.`);
  }
  return {
    issuer: PANEL_OIDC_ISSUER,
    clientId: PANEL_OIDC_CLIENT_ID,
    clientSecret: PANEL_OIDC_CLIENT_SECRET,
    name: name === '' ? new URL(PANEL_OIDC_ISSUER).host : name,
  };
}
