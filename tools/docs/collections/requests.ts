import type { Json } from '../../../src/api/openapi-document.js';
import { textAt } from '../../../src/lib/json.js';
import { at, listAt, resolved } from '../json.js';
import { operationsOf, type PublishedOperation, publishedApis } from '../reference.js';

/** A request of a collection, whatever program the collection is for. `{{name}}` stands for a variable. */
export interface CollectedRequest {
  folder: string;
  name: string;
  method: string;
  /** From the root, with parameters as `:name`. */
  path: string;
  docs: string;
  headers: readonly Given[];
  query: readonly Given[];
  params: readonly Given[];
  /** Indented JSON. */
  body: string | null;
  /** Variables that a success sets: name → path of keys in the answer. */
  kept: Readonly<Record<string, string>>;
}

/** A header or parameter with its value. */
interface Given {
  name: string;
  value: string;
  description: string;
  isSent: boolean;
}

/** Headers of each request. */
export const CREDENTIALS = { 'X-Client-Id': '{{client_id}}', 'X-Client-Secret': '{{client_secret}}' };

/** Variables with their first values. Addresses and license are those of the service that gives the collection out. */
export const VARIABLES: Readonly<Record<string, string>> = {
  base_url: 'https://parcels.example.com',
  client_id: '',
  client_secret: '',
  license_key: 'lic_main',
  order_id: '1001',
  webhook_url: 'https://shop.example/hooks/parcels',
  shipment_uuid: '',
  tracking_code: '',
  batch_uuid: '',
  export_id: '',
  template_id: '',
  webhook_id: '',
  delivery_id: '',
};

/** Variables in place of what is in the examples of the document: text → variable. */
const IN_EXAMPLES: readonly (readonly [text: RegExp, variable: string])[] = [
  [/"license_key": "[^"]*"/g, '"license_key": "{{license_key}}"'],
  [/("order": \{\s*"id": )"[^"]*"/g, '$1"{{order_id}}"'],
  [/https:\/\/shop\.acme\.test\/hooks\/parcels/g, '{{webhook_url}}'],
  [/"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"/g, '"{{shipment_uuid}}"'],
];

/** The variable of a path's parameter, by the beginning of the path. */
const IN_PATHS: readonly (readonly [path: RegExp, parameter: string, variable: string])[] = [
  [/^\/shipments/, 'uuid', 'shipment_uuid'],
  [/^\/batches/, 'uuid', 'batch_uuid'],
  [/^\/orders/, 'order', 'order_id'],
  [/^\/exports/, 'export', 'export_id'],
  [/^\/tracking/, 'tracking_code', 'tracking_code'],
  [/^\/notifications/, 'id', 'template_id'],
  [/^\/webhooks/, 'id', 'webhook_id'],
  [/^\/webhooks/, 'delivery', 'delivery_id'],
];

/** Values that the answer of a request gives for those behind it. */
const KEPT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'POST /shipments': { shipment_uuid: 'data.uuid', tracking_code: 'data.tracking_code' },
  'POST /batches': { batch_uuid: 'data.id' },
  'POST /exports': { export_id: 'data.id' },
  'POST /notifications/templates': { template_id: 'data.id' },
  'POST /webhooks': { webhook_id: 'data.id' },
  'POST /webhooks/{id}/ping': { delivery_id: 'data.id' },
};

/** In a group what needs a thing goes after what makes it, and what ends it goes last. A dry run asks before. */
const FIRST = 'POST /shipments/dry-run';
const LAST = ['DELETE', 'POST /webhooks/{id}/deliveries', 'GET /webhooks/{id}/deliveries/{delivery}'];

/** All requests of API v2, in an order in which each finds what it is about. */
export function collectedRequests(): CollectedRequest[] {
  const { v2 } = publishedApis();
  const operations = operationsOf(v2.document);
  return listAt(v2.document, 'tags').flatMap((tag) => {
    const own = operations.filter((one) => one.tag === textAt(tag, 'name'));
    return own.toSorted((one, other) => rank(one) - rank(other)).map((one) => requestOf(v2.document, one));
  });
}

function rank({ method, path }: PublishedOperation): number {
  const name = `${method} ${path}`;
  if (name === FIRST) return -1;
  if (method === 'DELETE') return 3;
  if (LAST.some((one) => name.startsWith(one))) return 2;
  return KEPT[name] !== undefined && !path.includes('{') ? 0 : 1;
}

function requestOf(document: Json, { method, path, tag, operation }: PublishedOperation): CollectedRequest {
  const base = textAt({ server: listAt(document, 'servers')[0] }, 'server', 'url');
  const parameters = listAt(operation, 'parameters').map((parameter) => at(resolved(document, parameter)));
  const given = (place: string) =>
    parameters
      .filter((parameter) => textAt(parameter, 'in') === place)
      .map((parameter) => givenOf(path, place, parameter));
  return {
    folder: tag,
    name: textAt(operation, 'summary'),
    method,
    path: `${base}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    docs: textAt(operation, 'description'),
    headers: given('header').filter(({ name }) => name === 'Idempotency-Key'),
    query: given('query'),
    params: given('path'),
    body: bodyOf(document, at(operation, 'requestBody', 'content', 'application/json')),
    kept: KEPT[`${method} ${path}`] ?? {},
  };
}

/** Only the license is chosen from the start: an account may have several. */
function givenOf(path: string, place: string, parameter: Json): Given {
  const name = textAt(parameter, 'name');
  const variable =
    place === 'path' ? IN_PATHS.find(([start, own]) => own === name && start.test(path))?.[2] : undefined;
  const isLicense = name === 'license_key';
  const value = isLicense ? '{{license_key}}' : variable === undefined ? '' : `{{${variable}}}`;
  return {
    name,
    value,
    description: textAt(parameter, 'description'),
    isSent: place === 'path' || isLicense,
  };
}

function bodyOf(document: Json, { schema, example }: Json): string | null {
  if (example === undefined) return null;
  const takesLicense = Object.hasOwn(at(resolved(document, schema), 'properties'), 'license_key');
  const whole = takesLicense ? { license_key: '', ...at(example) } : example;
  const text = JSON.stringify(whole, null, 2);
  return IN_EXAMPLES.reduce((known, [found, variable]) => known.replaceAll(found, variable), text);
}
