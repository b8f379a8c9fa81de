import { Type } from 'typebox';
import type { Executor } from '../../db/database.js';
import { findServiceSecret, putServiceSecret } from '../../db/queries/accounts/service-secrets.js';
import type { AuditAction } from '../../domain/audit.js';
import { SERVICE_SECRETS } from '../../domain/service-secrets.js';
import { digestOf } from '../../lib/digest.js';
import { randomToken } from '../../lib/secrets.js';
import type { App } from '../app.js';
import { type ActingApp, audited } from './audited.js';
import { type Given, requestCheck } from './check.js';

/** Sent by the recipient app as `X-App-Secret`. */
const NAME = SERVICE_SECRETS.app;

const checkKept = requestCheck({
  secret: Type.String({ 'x-secret': true, pattern: '^[\\x21-\\x7e]+$', minLength: 16, maxLength: 255 }),
});

/** Creates a new app secret, shown only now; the old one becomes invalid at once. */
export async function rotateAppSecret(
  app: ActingApp & Pick<App<'appKeys'>, 'config'>,
): Promise<{ appSecret: string }> {
  const appSecret = randomToken('as_');
  await put(app, 'app-secret.rotate', appSecret);
  return { appSecret };
}

/** Sets a secret that apps already have; the old one becomes invalid at once. @throws AppError `validation_failed` */
export async function setAppSecret(
  app: ActingApp & Pick<App<'appKeys'>, 'config'>,
  request: Given<typeof checkKept>,
) {
  const { secret } = checkKept(request);
  return await put(app, 'app-secret.set', secret);
}

async function put(app: ActingApp & Pick<App<'appKeys'>, 'config'>, action: AuditAction, secret: string) {
  const sealed = app.config.appKeys.seal('app secret', digestOf(secret));
  return await audited(app, action, async (db) => {
    const before = await appSecretState({ db });
    await putServiceSecret(db, { name: NAME, sealed, secretLast4: secret.slice(-4) });
    return {
      result: await appSecretState({ db }),
      target: { kind: 'service', id: NAME },
      accountId: null,
      after: { secret: before.isSet ? 'changed' : 'set' },
    };
  });
}

/** Whether a secret is set, its last four characters, and when it was set (ISO 8601 UTC). */
export async function appSecretState({ db }: { db: Executor }) {
  const found = await findServiceSecret(db, NAME);
  return {
    isSet: found !== null,
    last4: found?.secretLast4 ?? null,
    updatedAt: found?.updatedAt ?? null,
  };
}
