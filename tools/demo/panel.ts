import { Secret, TOTP } from 'otpauth';
import type { ActingCliApp } from '../../src/admin/command.js';
import { findPanelUser } from '../../src/db/queries/accounts/panel-users.js';
import type { Role } from '../../src/domain/panel-roles.js';
import type { Language } from '../../src/domain/recipient-words/language.js';
import { acceptInvitation } from '../../src/services/panel/sign-in.js';
import { createPanelUser, invitePanelUser } from '../../src/services/panel/users.js';
import type { PanelProofs } from '../launcher/state.js';

type PanelApp = Pick<ActingCliApp, 'db' | 'actor'> & {
  config: Pick<ActingCliApp['config'], 'appKeys' | 'baseUrl'>;
};

interface DemoUser {
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly language: Language;
}

const STEP_MS = 30_000;
const ADMINISTRATOR: DemoUser = {
  name: 'Noa Demo',
  email: 'admin@demo.example',
  role: 'administrator',
  language: 'en',
};
const OWNER: DemoUser = { name: 'רונית ברק', email: 'owner@demo.example', role: 'owner', language: 'he' };

/** E-mails of {@link ensurePanelUsers}. */
export const PANEL_EMAILS = { administrator: ADMINISTRATOR.email, owner: OWNER.email } as const;

/** The six digits that an authenticator app would show at a time, in ms since 1970. */
export function codeOf(totpSecret: string, atMs = Date.now()): string {
  return new TOTP({ secret: Secret.fromBase32(totpSecret) }).generate({ timestamp: atMs });
}

/** An administrator, and an owner of the account, who can sign in; one who has set up another password keeps it. */
export async function ensurePanelUsers(app: PanelApp, proofs: PanelProofs, account: number): Promise<void> {
  await ensureUser(app, proofs, ADMINISTRATOR);
  await ensureUser(app, proofs, OWNER, account);
}

async function ensureUser(
  app: PanelApp,
  { password, totpSecret }: PanelProofs,
  { name, email, role, language }: DemoUser,
  account?: number,
): Promise<void> {
  const known = await findPanelUser(app.db, { email });
  if (known?.isEnrolled) return;
  const { invitation } =
    known === null
      ? await createPanelUser(app, { name, email, role, language, account })
      : await invitePanelUser(app, { user: email });
  const token = new URL(invitation).pathname.split('/').at(-1) ?? '';
  // A code is taken once: this one of the step before leaves those from now on.
  const code = codeOf(totpSecret, Date.now() - STEP_MS);
  const visitor = { address: '127.0.0.1', browser: 'npm start' };
  await acceptInvitation(app, { token, password, secret: totpSecret, code, language }, visitor);
}
