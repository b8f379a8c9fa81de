import { randomUUID } from 'node:crypto';
import { failExport, insertExport } from '../../src/db/queries/exports/exports.js';
import { insertTemplate, listTemplates } from '../../src/db/queries/mails/notification-templates.js';
import { insertPing } from '../../src/db/queries/webhooks/delivery-sending.js';
import { insertWebhook } from '../../src/db/queries/webhooks/webhooks.js';
import type { HttpAccount, HttpLicense, HttpStack } from './http.js';

/** Creates an object and returns the path parameters that name it. */
export type PathObject = (
  http: HttpStack,
  account: HttpAccount,
  license: HttpLicense,
) => Promise<Record<string, string>>;

/** By the first path segment below `/api/v2`. */
export const PATH_OBJECTS: Readonly<Record<string, PathObject>> = {
  webhooks: async (http, account, license) => {
    const key = { accountId: account.id, licenseId: license.id, id: randomUUID() };
    const values = {
      url: 'https://receiver.example.test/',
      events: ['shipment.created'],
      secret: http.config.appKeys.seal('webhook secret', 'whsec_1'),
      limit: 100,
    };
    await insertWebhook(http.db, key, values);
    const { accountId, id: subscriptionId } = key;
    const ping = { accountId, subscriptionId, payload: '{}', eventId: randomUUID() };
    return { id: subscriptionId, delivery: (await insertPing(http.db, ping)).uuid };
  },
  shipments: async (http, account, license) => ({ uuid: (await http.shipment(account.id, license)).uuid }),
  batches: async (http, account, license) => ({ uuid: await batchOf(http, account, license) }),
  exports: async (http, account, license) => {
    const args = { accountId: account.id, licenseId: license.id, format: 'csv', filter: {} } as const;
    const exportId = await insertExport(http.db, args);
    await failExport(http.db, { accountId: account.id, exportId, error: 'for a test' });
    return { export: String(exportId) };
  },
  orders: async (http, account, license) => ({
    order: (await http.shipment(account.id, license)).orderId,
  }),
  notifications: async (http, account, license) => {
    const scope = { accountId: account.id, licenseId: license.id };
    const template = { event: 'shipment.created', locale: 'en', subject: 'News', body: 'Hello' } as const;
    await insertTemplate(http.db, { ...scope, template });
    const [first] = await listTemplates(http.db, scope);
    return { id: String(first?.id) };
  },
  tracking: async (http, account, license) => {
    const trackingCode = randomUUID();
    await http.shipment(account.id, license, { columns: { tracking_code: trackingCode } });
    return { tracking_code: trackingCode };
  },
};

/** Fills in a path's parameters. */
export function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for {${name}} of ${path}; see PATH_OBJECTS`);
    return value;
  });
}

/** Values of the same form that name nothing. */
export function missingValues(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      /^\d+$/.test(value) ? '4503599627370000' : randomUUID(),
    ]),
  );
}

/** The factory for a route's path; throws if none is registered. */
export function pathObjectOf(path: string): PathObject {
  const segment = path.split('/')[1] ?? '';
  const make = PATH_OBJECTS[segment];
  if (make === undefined) throw new Error(`no object for /${segment}; see PATH_OBJECTS`);
  return make;
}

async function batchOf(http: HttpStack, account: HttpAccount, license: HttpLicense): Promise<string> {
  const json = { license_key: license.key, shipments: [{ order: { id: randomUUID() } }] };
  const answer = await http.send('POST', '/batches', { as: account, json });
  return answer.body.data.id;
}
