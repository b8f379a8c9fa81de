import { randomUUID } from 'node:crypto';
import test from 'ava';
import { prefersPdf } from '../../src/api/v2/labels/accept.js';
import { carrierLabelKey, LABELS } from '../../src/documents/labels/stored.js';
import { DEFAULT_LABEL_OPTIONS, type LabelOptions } from '../../src/domain/labels.js';
import { type HttpAccount, type HttpLicense, type HttpStack, startHttp } from '../support/http.js';
import { type Linked, linkDocuments } from '../support/links.js';
import { PRINTED } from '../support/run-doubles.js';

const SET = '5f0c1f7a-2b64-4f5c-9a3d-6c1f0a7be211';

let http: HttpStack;
let account: HttpAccount;
let license: HttpLicense;
let linked: Linked;
let uuid: string;
/** With what the engine was asked to print, oldest first. */
const printed: LabelOptions[] = [];

test.before(async () => {
  http = await startHttp({ onPrint: ({ options }) => void printed.push(options) });
  account = await http.account();
  license = await http.license(account.id);
  linked = await linkDocuments(http, account, license);
  uuid = linked.uuid;
  const document = linked.document.split(/[/.]/).at(-2) ?? '';
  await http.app.storage.write(carrierLabelKey(document), PRINTED, 'application/pdf');
});
test.after.always(() => http?.close());

/** GET of a page, outside the API. */
async function page(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(http.url + path, { method, headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test('GET /shipments/{uuid}/label answers where the label is', async (t) => {
  const answer = await http.send('GET', `/shipments/${uuid}/label`, { as: account });

  t.is(answer.status, 200);
  t.deepEqual(Object.keys(answer.body.data), ['url', 'label_type', 'source']);
  t.regex(answer.headers.get('vary') ?? '', /Accept/);
});

test('GET /shipments/{uuid}/label gives the PDF to who asks for it, with a strong tag', async (t) => {
  const headers = { accept: 'application/pdf' };
  const path = `/shipments/${uuid}/label`;

  const answer = await http.send('GET', path, { as: account, headers });
  const etag = answer.headers.get('etag') ?? '';
  const again = await http.send('GET', path, { as: account, headers: { ...headers, 'if-none-match': etag } });

  t.is(answer.status, 200);
  t.is(answer.headers.get('content-type'), 'application/pdf');
  t.regex(etag, /^"[\w-]+"$/);
  t.regex(answer.text, /^%PDF-/);
  t.is(again.status, 304);
});

test('a text that is no uuid, and a shipment that is not booked, have no label', async (t) => {
  const reserved = await http.shipment(account.id, license, {
    columns: { state: 'reserved', tracking_code: null },
  });

  for (const path of [
    '/shipments/1/label',
    `/shipments/${reserved.uuid}/label`,
    `/shipments/${randomUUID()}/label`,
  ]) {
    const answer = await http.send('GET', path, { as: account });
    t.is(answer.status, 404, path);
    t.is(answer.body.error.code, 'not_found');
  }
});

for (const [code, status] of [
  ['carrier_rejected', 422],
  ['service_unavailable', 503],
] as const) {
  test(`GET /shipments/{uuid}/label can answer ${status} ${code}`, async (t) => {
    const refused = await http.shipment(account.id, license, { columns: { tracking_code: code } });

    const answer = await http.send('GET', `/shipments/${refused.uuid}/label`, { as: account });

    t.is(answer.status, status);
    t.is(answer.body.error.code, code);
    if (status === 503) t.truthy(answer.headers.get('retry-after'));
  });
}

test('POST /shipments/labels answers one address for all', async (t) => {
  const other = await http.shipment(account.id, license);

  const answer = await http.send('POST', '/shipments/labels', {
    as: account,
    json: {
      license_key: null,
      shipments: [uuid, other.uuid.toUpperCase()],
      label_type: 'A4',
      position: 3,
      enable_sort_by_warehouse: true,
      sort_by_warehouse: 'desc',
    },
  });

  t.is(answer.status, 200);
  t.is(answer.body.data.count, 2);
  t.regex(answer.body.data.url, /\/shipping\/label\//);
});

for (const method of ['GET', 'DELETE', 'PUT']) {
  test(`${method} /shipments/labels gets the methods of that path, not of a shipment's`, async (t) => {
    const answer = await http.send(method, '/shipments/labels', { as: account });

    t.is(answer.status, 405, answer.text);
    t.is(answer.headers.get('allow'), 'POST');
  });
}

test('POST /shipments/labels names a foreign shipment at its path', async (t) => {
  const stranger = await http.account();
  const foreign = await http.shipment(stranger.id, await http.license(stranger.id));

  const answer = await http.send('POST', '/shipments/labels', {
    as: account,
    json: { shipments: [foreign.uuid] },
  });

  t.is(answer.status, 422);
  t.deepEqual(Object.keys(answer.body.error.fields), ['shipments.0']);
});

const INVALID: [string, object, string][] = [
  ['no shipments', {}, 'shipments'],
  ['an empty list', { shipments: [] }, 'shipments'],
  ['too many', { shipments: Array.from({ length: 101 }, () => randomUUID()) }, 'shipments'],
  ['what is no uuid', { shipments: ['x'] }, 'shipments.0'],
  ['another paper', { shipments: [SET], label_type: 'A5' }, 'label_type'],
  ['a slot that there is not', { shipments: [SET], position: 9 }, 'position'],
  ['slot 0', { shipments: [SET], position: 0 }, 'position'],
  ['another direction', { shipments: [SET], sort_by_warehouse: 'up' }, 'sort_by_warehouse'],
  ['another switch', { shipments: [SET], enable_sort_by_warehouse: 'yes' }, 'enable_sort_by_warehouse'],
];

for (const [what, json, field] of INVALID) {
  test(`POST /shipments/labels validates: ${what}`, async (t) => {
    const answer = await http.send('POST', '/shipments/labels', { as: account, json });

    t.is(answer.status, 422);
    t.deepEqual(Object.keys(answer.body.error.fields), [field]);
  });
}

test('POST /shipments/labels names the values that a field may have, null too', async (t) => {
  const json = { shipments: [SET], label_type: 'A5' };

  const answer = await http.send('POST', '/shipments/labels', { as: account, json });

  t.deepEqual(answer.body.error.fields, {
    label_type: ['The label_type field must be one of: thermal, A4, null.'],
  });
});

test('Accept decides between the address and the document', (t) => {
  t.true(prefersPdf('application/pdf'));
  t.true(prefersPdf('application/pdf, */*;q=0.5'));
  t.true(prefersPdf('application/json;q=0.5, application/pdf'));
  t.false(prefersPdf(undefined));
  t.false(prefersPdf('*/*'));
  t.false(prefersPdf('application/json, application/pdf'));
  t.false(prefersPdf('application/pdf;q=0'));
  t.false(prefersPdf('application/pdf;q=x, text/html'));
});

test("a label's address needs no credentials, and is not kept or indexed", async (t) => {
  const answer = await page(linked.label);
  const again = await page(linked.label, { 'if-none-match': answer.headers.get('etag') ?? '' });

  t.is(answer.status, 200);
  t.is(answer.headers.get('content-type'), 'application/pdf');
  t.is(answer.headers.get('x-content-type-options'), 'nosniff');
  t.is(answer.headers.get('content-disposition'), 'inline; filename="label-74100231.pdf"');
  t.is(answer.headers.get('cache-control'), 'private, no-cache');
  t.regex(answer.headers.get('x-robots-tag') ?? '', /noindex/);
  t.is(again.status, 304);
  t.is(again.text, '');
  for (const name of ['content-security-policy', 'content-disposition']) {
    t.is(again.headers.get(name), answer.headers.get(name));
  }
});

test("a label's address gives HTML under a policy that runs and fetches nothing", async (t) => {
  const answer = await page(`${linked.label}?output=html`);

  t.is(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  t.regex(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  t.notRegex(answer.headers.get('content-security-policy') ?? '', /script-src|connect-src/);
});

test.serial("a label's address passes on what is chosen, and refuses what there is not", async (t) => {
  const plain = await page(linked.label);
  printed.length = 0;
  const queries = [
    '',
    '?position=8&output=pdf',
    '?enable_sort_by_warehouse=true',
    '?enable_sort_by_warehouse=true&sort_by_warehouse=desc',
    '?enable_sort_by_warehouse=false&sort_by_warehouse=desc',
    '?sort_by_warehouse=desc',
    '?output=&position=&enable_sort_by_warehouse=&sort_by_warehouse=',
  ];

  for (const query of queries) {
    await forgetPrinted();
    await page(linked.label + query);
  }
  const refused = [];
  for (const query of [
    '?position=9',
    '?position=0',
    '?position=x',
    '?position=1&position=2',
    '?sort_by_warehouse=up',
  ]) {
    refused.push((await page(linked.label + query)).status);
  }

  t.is(plain.status, 200);
  t.deepEqual(printed, [
    DEFAULT_LABEL_OPTIONS,
    { ...DEFAULT_LABEL_OPTIONS, position: 8 },
    { ...DEFAULT_LABEL_OPTIONS, sort: 'asc' },
    { ...DEFAULT_LABEL_OPTIONS, sort: 'desc' },
    { ...DEFAULT_LABEL_OPTIONS, sort: null },
    { ...DEFAULT_LABEL_OPTIONS, direction: 'desc' },
    // Empty ones count as not given, as in every request of API v1.
    DEFAULT_LABEL_OPTIONS,
  ]);
  t.deepEqual(refused, [422, 422, 422, 422, 422]);
});

test('addresses of another form lead nowhere, and take no other method', async (t) => {
  const paths = [
    '/shipping/label/1',
    `/shipping/label/${uuid.replace(/-4/, '-7')}x`,
    '/shipping/label/..%2f..%2fetc%2fpasswd',
    `/storage/document/${SET}`,
    '/storage/document/..%2f..%2fpackage.json',
    '/storage/document/label.pdf',
    `/storage/document/${SET}.pdf.pdf`,
  ];

  for (const path of paths) t.is((await page(path)).status, 404, path);
  t.is((await page(linked.label, {}, 'POST')).status, 405);
  t.is((await page(linked.document)).headers.get('content-type'), 'application/pdf');
});

async function forgetPrinted(): Promise<void> {
  for await (const _ of http.app.storage.deleteOld(LABELS, Number.POSITIVE_INFINITY)) continue;
}
