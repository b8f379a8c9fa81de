import { generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Owner } from './clean-ups.js';
import { temporaryFolder } from './processes.js';

const KEY_ID = 'cluster';
const DAY_S = 86_400;

/** Keys of API for a Temporal that checks them by itself. */
export interface EngineTokens {
  /** Where the server reads by what they are checked. */
  keySource: string;
  /** A key with permissions, each `namespace:role`; the namespace `temporal-system` stands for all. */
  tokenFor(permissions: readonly string[]): string;
}

/** Makes a key pair, and tokens that it signs (ES256). */
export function makeEngineTokens(owner: Owner): EngineTokens {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const file = join(temporaryFolder(owner), 'keys.json');
  const key = { ...publicKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'ES256', use: 'sig' };
  writeFileSync(file, JSON.stringify({ keys: [key] }));
  return {
    keySource: pathToFileURL(file).href,
    tokenFor(permissions) {
      const exp = Math.floor(Date.now() / 1000) + DAY_S;
      const text = [
        { alg: 'ES256', typ: 'JWT', kid: KEY_ID },
        { sub: 'parcelworks', exp, permissions },
      ]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.');
      const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${text}.${signature.toString('base64url')}`;
    },
  };
}
