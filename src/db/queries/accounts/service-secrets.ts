import type { Executor } from '../../database.js';
import { serviceSecrets } from '../../tables/index.js';

/** A secret of the whole service, without the secret. `updatedAt`: ISO 8601 UTC. */
interface ServiceSecretState {
  last4: string;
  updatedAt: string;
}

/** Sets a secret, or replaces it: the old one stops working at once. */
export async function putServiceSecret(
  db: Executor,
  secret: { name: string; secretHash: Buffer; last4: string },
): Promise<void> {
  await db.run(
    `INSERT INTO service_secrets (name, secret_hash, secret_last4) VALUES (?, ?, ?)
     ON DUPLICATE KEY UPDATE secret_hash = VALUES(secret_hash), secret_last4 = VALUES(secret_last4)`,
    [secret.name, secret.secretHash, secret.last4],
  );
}

/** Sets a secret unless its name exists. */
export async function keepServiceSecret(
  db: Executor,
  secret: { name: string; secretHash: Buffer; last4: string },
): Promise<void> {
  await db.run(
    `INSERT INTO service_secrets (name, secret_hash, secret_last4) VALUES (?, ?, ?)
     ON DUPLICATE KEY UPDATE name = VALUES(name)`,
    [secret.name, secret.secretHash, secret.last4],
  );
}

/** The state of the named secret; null when it is not set. */
export async function findSecretState(db: Executor, name: string): Promise<ServiceSecretState | null> {
  const found = await serviceSecrets.findOne(db, serviceSecrets.pick('secretLast4', 'updatedAt'), { name });
  return found && { last4: found.secretLast4, updatedAt: found.updatedAt };
}

/** The keyed hash (32 bytes) of a secret of the whole service, such as `app_secret`; null when it is not set. */
export async function findServiceSecret(db: Executor, name: string): Promise<Buffer | null> {
  const found = await serviceSecrets.findOne(db, serviceSecrets.pick('secretHash'), { name });
  return found && found.secretHash;
}
