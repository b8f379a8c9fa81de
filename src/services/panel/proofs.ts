import { hash, verify } from '@node-rs/argon2';
import { Secret, TOTP } from 'otpauth';
import { type AppKeys, UnreadableSecret } from '../../lib/app-keys.js';
import { digestOf } from '../../lib/digest.js';
import { randomToken } from '../../lib/secrets.js';

/** OWASP's parameters of argon2id, which is the default; `memoryCost` in KiB. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const PERIOD_SECONDS = 30;
const RECOVERY_CODES = 10;

/** The hash of a random text that nobody has kept: what a password is compared with where none is stored. */
export const NO_PASSWORD =
  '$argon2id$v=19$m=19456,t=2,p=1$Ucc7GManAXfPEthyDJVUCg$YbG95FVxerZ3rQfXYoeJJes/GP3+jqsf7lqkWvhNIJI';

/** The hash to store of a password. */
export async function hashPassword(password: string): Promise<string> {
  return await hash(password, ARGON2);
}

/** Whether the password is right. It takes as long where none is stored. */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  const isRight = await verify(stored ?? NO_PASSWORD, password);
  return isRight && stored !== null;
}

/** A new TOTP secret in base 32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The address that authenticator apps read from a QR code. */
export function totpUri(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/**
 * The time step of a code of six digits, of now or of the step before or after; null for a wrong one.
 * `atMs`: now, as ms since 1970.
 */
export function totpStepOf(secret: string, code: string, atMs = Date.now()): number | null {
  const delta = totpOf(secret).validate({ token: code.replaceAll(/\s/g, ''), window: 1, timestamp: atMs });
  return delta === null ? null : Math.floor(atMs / 1000 / PERIOD_SECONDS) + delta;
}

/** Whether a text is a secret that {@link newTotpSecret} can have made. */
export function isTotpSecret(text: string): boolean {
  return /^[A-Z2-7]{32}$/.test(text);
}

function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({
    issuer: 'Parcelworks',
    label,
    secret: Secret.fromBase32(secret),
    period: PERIOD_SECONDS,
  });
}

/** A TOTP secret as it is stored. */
export function sealTotp(secret: string, appKeys: AppKeys): Buffer {
  return appKeys.seal('totp secret', secret);
}

/** The reverse of {@link sealTotp}. @throws UnreadableSecret */
export function openTotp(sealed: Buffer, appKeys: AppKeys): string {
  return appKeys.openText('totp secret', sealed);
}

/** Recovery codes like `k3m9x-7q2wd`, each for one sign-in without the phone, and their hashes. */
export function newRecoveryCodes(appKeys: AppKeys): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () => {
    const letters = randomToken('', 16)
      .toLowerCase()
      .replaceAll(/[^a-z2-9]/g, '');
    return `${letters.slice(0, 5)}-${letters.slice(5, 10)}`;
  });
  const sealed = codes.map((code) => appKeys.seal('recovery code', recoveryDigest(code)));
  return { codes, hashes: sealed.map((one) => one.toString('base64')) };
}

/** Whether a stored hash is that of a recovery code. One whose key is missing is of none: other codes still sign in. */
export function isRecoveryCode(hash: string, code: string, appKeys: AppKeys): boolean {
  try {
    return appKeys.open('recovery code', Buffer.from(hash, 'base64')).equals(recoveryDigest(code));
  } catch (error) {
    if (error instanceof UnreadableSecret) return false;
    throw error;
  }
}

function recoveryDigest(code: string): Buffer {
  return digestOf(code.trim().toLowerCase());
}
