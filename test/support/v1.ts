import { randomBytes, randomInt } from 'node:crypto';
import { digestOf } from '../../src/lib/digest.js';
import { issueToken } from '../../src/services/accounts/access-tokens.js';
import type { HttpStack } from './http.js';
import { type HttpAnswer, type SendOptions, send } from './http-send.js';
import { insertRow } from './rows.js';

/** Headers that v1 documents for every caller. */
export const JSON_HEADERS = { accept: 'application/json' };

/** Sends a request to API v1; `path` is below `/api`. Does not follow redirects. */
export function sendV1(
  stack: Pick<HttpStack, 'url'>,
  method: string,
  path: string,
  { headers, ...options }: SendOptions = {},
): Promise<HttpAnswer> {
  return send(`${stack.url}/api${path}`, method, { ...options, headers: { ...JSON_HEADERS, ...headers } });
}

/** A delivery as a shop sends it in Hebrew. */
export const HEBREW_SHIP_DATA = {
  contact_name: 'דנה',
  contact_phone: '050-1234567',
  street: 'הרצל',
  number: '1',
  city: 'חיפה',
};

/** Calls an action of API v1 as a shop of the license does. */
export function sendAsShop(
  stack: Pick<HttpStack, 'url'>,
  license: { key: string },
  action: string,
  parts: object = {},
): Promise<HttpAnswer> {
  const json = { license_key: license.key, domain: 'shop.test', ...parts };
  return sendV1(stack, 'POST', `/shipping/${action}`, { json });
}

/** A form like PHP's `http_build_query`: flags are 1 and 0, null and empty lists are left out. */
export function formOf(fields: object): string {
  const pairs = (prefix: string, value: unknown): string[] => {
    if (value === null || value === undefined) return [];
    if (typeof value === 'object') {
      return Object.entries(value).flatMap(([key, one]) => pairs(`${prefix}[${key}]`, one));
    }
    const text = typeof value === 'boolean' ? String(Number(value)) : String(value);
    return [`${phpEncoded(prefix)}=${phpEncoded(text)}`];
  };
  return Object.entries(fields)
    .flatMap(([name, value]) => pairs(name, value))
    .join('&');
}

function phpEncoded(text: string): string {
  return new URLSearchParams({ a: text }).toString().slice(2).replaceAll('*', '%2A');
}

/** Posts a form to API v1, from fields or raw. */
export function sendForm(
  stack: HttpStack,
  path: string,
  form: object | string,
  type = 'application/x-www-form-urlencoded',
): Promise<HttpAnswer> {
  const raw = typeof form === 'string' ? form : formOf(form);
  return sendV1(stack, 'POST', path, { raw, headers: { 'content-type': type } });
}

export function query(parameters: Record<string, string | number | boolean>): string {
  const pairs = Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]);
  return `?${new URLSearchParams(pairs)}`;
}

export function insertUser(
  stack: Pick<HttpStack, 'db'>,
  accountId: number,
  columns: Record<string, string | number | boolean | null> = {},
): Promise<number> {
  return insertRow(stack.db, 'users', {
    account_id: accountId,
    name: 'Merchant',
    email: `${randomBytes(6).toString('hex')}@example.test`,
    ...columns,
  });
}

/** A user of the account with a token. */
export async function userToken(
  stack: Pick<HttpStack, 'db'>,
  accountId: number,
  columns: Record<string, string | number | boolean | null> = {},
): Promise<string> {
  const userId = await insertUser(stack, accountId, columns);
  return issueToken(stack.db, { userId, name: 'plugin' });
}

/** A user of the recipient app with a token. */
export async function recipientToken(
  stack: HttpStack,
  phone = `05${randomInt(1e7, 1e8)}`,
): Promise<{ id: number; phone: string; token: string; bearer: { authorization: string } }> {
  const id = await insertRow(stack.db, 'recipients', { name: 'Dana Levi', phone });
  const token = await issueToken(stack.db, { recipientId: id, name: 'phone' });
  return { id, phone, token, bearer: { authorization: `Bearer ${token}` } };
}

export async function setAppSecret(stack: Pick<HttpStack, 'db' | 'config'>, secret: string): Promise<void> {
  await stack.db.run(`DELETE FROM service_secrets WHERE name = 'app_secret'`);
  await insertRow(stack.db, 'service_secrets', {
    name: 'app_secret',
    sealed: stack.config.appKeys.seal('app secret', digestOf(secret)),
    secret_last4: secret.slice(-4),
  });
}
