import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TYPESCRIPT_CLIENT } from '../../tools/clients/build.js';
import type { TestAccount } from './stack.js';

/** The client as it is published: `npm test` makes it first. Here without types. */
export const client: any = await import(pathToFileURL(join(TYPESCRIPT_CLIENT, 'esm/index.js')).href);

/** A client of the stack's account. */
export function clientOf(baseUrl: string, account: TestAccount, options: object = {}): any {
  const { clientId, clientSecret } = account;
  return new client.Parcelworks({ baseUrl, clientId, clientSecret, ...options });
}
