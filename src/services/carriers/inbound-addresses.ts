import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../config/config.js';
import type { Executor } from '../../db/database.js';
import { findInboundLicense, rotateInboundAddress } from '../../db/queries/accounts/licenses.js';
import { deriveKey } from '../../lib/app-keys.js';
import { lastingKey } from '../accounts/lasting-key.js';
import type { App } from '../app.js';

/** A license's webhook address. Rotation increments the generation. */
export interface InboundAddress {
  provider: string;
  licenseId: number;
  generation: number;
}

/**
 * The URL to configure at the carrier. Its last part is a secret: for carriers that sign nothing, it is the
 * only proof.
 */
export async function inboundUrl(
  { db, config }: { db: Executor; config: Pick<Config, 'baseUrl' | 'appKeys'> },
  address: InboundAddress,
): Promise<string> {
  const { provider, licenseId, generation } = address;
  const proof = proofOf(await lastingKey(db, config.appKeys), address);
  return `${config.baseUrl}/carriers/${provider}/${licenseId}-${generation}-${proof}`;
}

/** Parses a path; null when its proof is wrong. `lasting`: the database's own secret. No queries, constant time. */
export function readInboundAddress(
  lasting: Buffer,
  path: { provider: string; token: string },
): InboundAddress | null {
  const [, license = '', generation = '', sent = ''] =
    /^([1-9]\d{0,14})-([1-9]\d{0,8})-([\w-]{32})$/.exec(path.token) ?? [];
  const address = {
    provider: path.provider,
    licenseId: Number(license),
    generation: Number(generation),
  };
  const expected = Buffer.from(proofOf(lasting, address), 'ascii');
  const given = Buffer.alloc(32);
  given.write(sent, 'ascii');
  return timingSafeEqual(given, expected) ? address : null;
}

type AddressApp = Pick<App<'baseUrl' | 'appKeys'>, 'config' | 'carriers'> & { db: Executor };

/**
 * The URL to configure at a license's carrier; null for an unknown license, one without settings, or a carrier
 * without webhooks.
 */
export async function licenseInboundUrl(app: AddressApp, licenseId: number): Promise<string | null> {
  const license = await findInboundLicense(app.db, licenseId);
  if (license === null || app.carriers(license.provider).webhook === undefined) return null;
  const { provider, generation } = license;
  return await inboundUrl(app, { provider, licenseId, generation });
}

/** Invalidates a license's URL and returns the next; null as in {@link licenseInboundUrl}. */
export async function rotateInboundUrl(app: AddressApp, licenseId: number): Promise<string | null> {
  await rotateInboundAddress(app.db, licenseId);
  return await licenseInboundUrl(app, licenseId);
}

/** An address stays the same when `APP_KEY` changes: a person has entered it at the carrier. */
function proofOf(lasting: Buffer, address: InboundAddress): string {
  const { provider, licenseId, generation } = address;
  return createHmac('sha256', deriveKey(lasting, 'inbound address'))
    .update(`inbound/${provider}/${licenseId}/${generation}`, 'utf8')
    .digest('base64url')
    .slice(0, 32);
}
