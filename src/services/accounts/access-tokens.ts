import { randomInt } from 'node:crypto';
import type { Executor } from '../../db/database.js';
import {
  findToken,
  insertToken,
  type NewTokenOwner,
  type TokenOwner,
} from '../../db/queries/accounts/access-tokens.js';
import { touch } from '../../db/queries/accounts/credentials.js';
import { digestOf } from '../../lib/digest.js';
import { LIMITS } from '../../lib/limits/values.js';
import { isSameHash } from '../../lib/secrets.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const TOKEN = /^(\d{1,15})\|([A-Za-z0-9]{40})$/;

/**
 * Creates a personal access token and returns its only plain text, `id|secret`. Earlier tokens stay valid.
 * `name`: at most 255 characters. @throws DatabaseError when the owner does not exist
 */
export async function issueToken(db: Executor, request: NewTokenOwner & { name: string }): Promise<string> {
  const secret = randomSecret();
  // Plain SHA-256 suffices: the secret has 238 random bits.
  const id = await insertToken(db, { ...request, tokenHash: digestOf(secret) });
  return `${id}|${secret}`;
}

/** Whether the text has the form of a token. */
export function isTokenText(text: string): boolean {
  return TOKEN.test(text);
}

/**
 * The token's owner; null for an unknown token. Compares hashes in constant time and records the last use at
 * most once a minute.
 */
export async function resolveToken(db: Executor, plainText: string): Promise<TokenOwner | null> {
  const match = TOKEN.exec(plainText);
  if (match === null) return null;
  const [, id = '', secret = ''] = match;
  const token = await findToken(db, Number(id));
  const isRight = isSameHash(token?.hash, digestOf(secret));
  if (!token?.owner || !isRight) return null;
  if (isStale(token.lastUsedAt))
    await touch(db, 'personal_access_tokens', { id: token.id, seconds: LIMITS.callers.tokenUseSeconds });
  return token.owner;
}

function isStale(lastUsedAt: string | null): boolean {
  return lastUsedAt === null || Date.parse(lastUsedAt) <= Date.now() - LIMITS.callers.tokenUseSeconds * 1000;
}

function randomSecret(): string {
  return Array.from({ length: 40 }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}
