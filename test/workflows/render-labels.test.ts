import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { workflowIds } from '../../src/contracts/ids.js';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { keepHistory } from '../support/histories.js';
import { readPdf } from '../support/pdf.js';
import { startStack, type TestStack } from '../support/stack.js';

let stack: TestStack;
let api: ApiClient;
let stopWorkers: () => Promise<void>;

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test.before(async () => {
  stack = await startStack();
  stopWorkers = await stack.startWorkers();
  api = new ApiClient(await stack.startApi(), stack.account);
});
test.after.always(() => stack?.close());

async function created(
  provider: string,
  overrides: { order?: object; ship_data?: object } = {},
): Promise<string> {
  const { status, body, text } = await api.create(shipmentBody(stack.account, provider, overrides));
  if (status !== 201) throw new Error(text);
  return body.data.uuid;
}

/** The document behind an address, fetched without credentials. */
async function open(address: string, query = ''): Promise<Response> {
  return await fetch(`${api.url}${new URL(address).pathname}${query}`);
}

async function pagesOf(response: Response) {
  return await readPdf(new Uint8Array(await response.arrayBuffer()));
}

function storagePath(): string {
  return stack.env.STORAGE_DIR ?? '';
}

test.serial(
  'a label is printed once, marks its shipment, and is answered from the store ever after',
  async (t) => {
    const uuid = await created('independent');
    const before = (await api.get(`/shipments/${uuid}`)).body.data;

    const first = await api.get(`/shipments/${uuid}/label`);
    const second = await api.get(`/shipments/${uuid}/label`);
    const pdf = await open(first.body.data.url);

    const after = (await api.get(`/shipments/${uuid}`)).body.data;
    t.is(first.status, 200);
    t.like(first.body.data, { label_type: 'thermal', source: 'builtin' });
    t.is(first.text, second.text);
    t.false(first.body.data.url.includes(uuid));
    t.deepEqual([before.label_generated, before.ready_at], [false, null]);
    t.true(after.label_generated);
    t.regex(after.ready_at, /^\d{4}-/);
    const [page, ...others] = await pagesOf(pdf);
    t.is(others.length, 0);
    const codes = (await page?.codes()) ?? [];
    t.true(codes.some(({ text }) => text === after.tracking_code));
    t.true(codes.some(({ text }) => text === `${stack.config.baseUrl}/track/${after.short_tracking_code}`));
    const handle = stack.temporal.workflow.getHandle(workflowIds.renderLabels(printedHashes()[0] ?? ''));
    t.is((await handle.describe()).status.name, 'COMPLETED');
    await keepHistory(handle, 'renderLabels', 'printed');
  },
);

test.serial('the PDF itself has a strong tag that lasts', async (t) => {
  const uuid = await created('independent');
  const headers = { ...credentials(), accept: 'application/pdf' };
  const url = `${api.url}/api/v2/shipments/${uuid}/label`;

  const first = await fetch(url, { headers });
  const etag = first.headers.get('etag') ?? '';
  const second = await fetch(url, { headers: { ...headers, 'if-none-match': etag } });

  const { tracking_code: code } = (await api.get(`/shipments/${uuid}`)).body.data;
  t.is(first.headers.get('content-type'), 'application/pdf');
  t.is(first.headers.get('content-disposition'), `inline; filename="label-${code}.pdf"`);
  t.regex(etag, /^"[\w-]+"$/);
  t.is((await pagesOf(first)).length, 1);
  t.is(second.status, 304);
});

test.serial('requests at the same time share one run', async (t) => {
  const uuid = await created('independent');
  const before = printedHashes().length;

  const answers = await Promise.all(Array.from({ length: 8 }, () => api.get(`/shipments/${uuid}/label`)));

  t.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  t.is(new Set(answers.map(({ text }) => text)).size, 1);
  t.is(printedHashes().length, before + 1);
});

test.serial('a set is printed in the order asked for, or by warehouse, on the paper asked for', async (t) => {
  const located = (at: string) =>
    created('independent', { order: { meta_data: { warehouse_location: at } } });
  const [ten, two] = [await located('A-10'), await located('A-2')];
  const body = { license_key: stack.account.licenseKeys.independent, shipments: [ten, two] };

  const plain = await api.post('/shipments/labels', body);
  const sorted = await api.post('/shipments/labels', { ...body, enable_sort_by_warehouse: true });
  const sheet = await api.post('/shipments/labels', { ...body, label_type: 'A4', position: 8 });

  const shelves = async (address: string, query = '') =>
    (await pagesOf(await open(address, query))).map((page) => /A-\d+/.exec(page.text)?.[0]);
  t.deepEqual([plain.status, plain.body.data.count], [200, 2]);
  const { headers } = await open(plain.body.data.url);
  t.is(headers.get('content-disposition'), 'inline; filename="labels-2.pdf"');
  t.deepEqual(await shelves(plain.body.data.url), ['A-10', 'A-2']);
  t.deepEqual(await shelves(sorted.body.data.url), ['A-2', 'A-10']);
  t.deepEqual(await shelves(plain.body.data.url, '?sort_by_warehouse=asc'), ['A-10', 'A-2']);
  t.deepEqual(await shelves(plain.body.data.url, '?enable_sort_by_warehouse=true'), ['A-2', 'A-10']);
  t.deepEqual(await shelves(sorted.body.data.url, '?sort_by_warehouse=desc'), ['A-10', 'A-2']);
  const sheets = await pagesOf(await open(sheet.body.data.url));
  t.is(sheets.length, 2);
  t.true(Math.abs((sheets[0]?.widthMm ?? 0) - 210) < 0.3);
  t.is((await pagesOf(await open(sheet.body.data.url, '?position=1'))).length, 1);
  const html = await (await open(plain.body.data.url, '?output=html')).text();
  t.regex(html, /^<!doctype html>/);
});

test.serial(
  'a shipment of another license is refused at its path, and a repeated one counts once',
  async (t) => {
    const [own, foreign] = [await created('independent'), await created('run')];
    const license_key = stack.account.licenseKeys.independent;

    const refused = await api.post('/shipments/labels', { license_key, shipments: [own, foreign] });
    const repeated = await api.post('/shipments/labels', {
      license_key,
      shipments: [own, own.toUpperCase()],
    });

    t.is(refused.status, 422);
    t.deepEqual(Object.keys(refused.body.error.fields), ['shipments.1']);
    t.is(repeated.body.data.count, 1);
  },
);

test.serial('HTML of more labels than a page can hold is refused', async (t) => {
  const many = await Promise.all(
    Array.from({ length: 3 }, () => created('independent', { ship_data: { packages: 99 } })),
  );
  await stack.db.run('UPDATE shipments SET packages = 1 WHERE uuid IN (?, ?, ?)', many);
  const license_key = stack.account.licenseKeys.independent;
  const { body } = await api.post('/shipments/labels', { license_key, shipments: many });
  const few = await open(body.data.url, '?output=html');
  await stack.db.run('UPDATE shipments SET packages = 99 WHERE uuid IN (?, ?, ?)', many);

  const refused = await open(body.data.url, '?output=html');

  t.is(few.status, 200);
  t.is(refused.status, 422);
});

test.serial('an order that changes has its label printed again at the same address', async (t) => {
  const uuid = await created('independent');
  const first = await api.get(`/shipments/${uuid}/label`);
  await stack.db.run(
    'UPDATE orders o JOIN shipments s ON s.order_id = o.id SET o.number = ? WHERE s.uuid = ?',
    ['N-4711', uuid],
  );

  const second = await api.get(`/shipments/${uuid}/label`);

  t.is(first.text, second.text);
  const [page] = await pagesOf(await open(second.body.data.url));
  t.regex(page?.text ?? '', /N-4711/);
});

test.serial('a label that was lost from the store, or kept in part, is printed again', async (t) => {
  const uuid = await created('independent');
  const { body } = await api.get(`/shipments/${uuid}/label`);
  const files = readdirSync(join(storagePath(), 'labels'), { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.pdf'))) {
    writeFileSync(join(storagePath(), 'labels', file), '%PDF-1.4 half');
  }

  const inPart = await open(body.data.url);
  rmSync(join(storagePath(), 'labels'), { recursive: true });
  const lost = await open(body.data.url);

  t.is((await pagesOf(inPart)).length, 1);
  t.is((await pagesOf(lost)).length, 1);
});

test.serial('a label that is kept marks its shipment where the run could not', async (t) => {
  const uuid = await created('independent');
  await api.get(`/shipments/${uuid}/label`);
  await stack.db.run('UPDATE shipments SET label_generated = FALSE, ready_at = NULL WHERE uuid = ?', [uuid]);

  const again = await api.get(`/shipments/${uuid}/label`);

  t.is(again.status, 200, again.text);
  const { body } = await api.get(`/shipments/${uuid}`);
  t.true(body.data.label_generated);
  t.regex(body.data.ready_at, /^\d{4}-/);
});

test.serial('a label that was printed without its logo is printed again once there is one', async (t) => {
  const address = 'http://127.0.0.1:9/logo.png';
  await stack.db.run('UPDATE accounts SET company_logo = ?', [address]);
  const uuid = await created('independent');
  const etagAt = async (client: ApiClient) => {
    const answer = await fetch(`${client.url}/api/v2/shipments/${uuid}/label`, {
      headers: { ...client.headers, accept: 'application/pdf' },
    });
    return [answer.status, answer.headers.get('etag')];
  };
  const [status, without] = await etagAt(api);
  const same = await etagAt(api);
  mkdirSync(join(storagePath(), 'logos'), { recursive: true });
  writeFileSync(join(storagePath(), 'logos', createHash('sha256').update(address).digest('hex')), PIXEL);
  // A process asks for what was missing again after a minute; a new one asks at once.
  await stopWorkers();
  stopWorkers = await stack.startWorkers();
  const restarted = new ApiClient(await stack.startApi(), stack.account);

  const withLogo = await etagAt(restarted);
  const later = await etagAt(restarted);

  await stack.db.run("UPDATE accounts SET company_logo = ''");
  t.is(status, 200);
  t.deepEqual(same, [200, without]);
  t.is(withLogo[0], 200);
  t.not(withLogo[1], without);
  t.deepEqual(later, withLogo);
});

test.serial("a license with the carrier's labels gets those, checked and kept", async (t) => {
  const uuid = await created('run');
  await useCarrierLabels(true);
  t.teardown(() => useCarrierLabels(false));

  const first = await api.get(`/shipments/${uuid}/label`);
  const second = await api.get(`/shipments/${uuid}/label`);
  const pdf = await open(first.body.data.url);

  t.like(first.body.data, { source: 'carrier', label_type: 'thermal' });
  t.regex(first.body.data.url, /\/storage\/document\/[0-9a-f-]{36}\.pdf$/);
  t.is(first.text, second.text);
  t.is(pdf.headers.get('content-type'), 'application/pdf');
  const { tracking_code: code, label_generated: generated } = (await api.get(`/shipments/${uuid}`)).body.data;
  t.true(generated);
  t.is(pdf.headers.get('content-disposition'), `inline; filename="label-${code}.pdf"`);
  t.true((await pagesOf(pdf))[0]?.text.includes(code));
  await keepHistory(
    stack.temporal.workflow.getHandle(workflowIds.fetchCarrierLabel(uuid)),
    'fetchCarrierLabel',
    'fetched',
  );
});

test.serial("a carrier's refusal is reported, an unavailable carrier is asked again", async (t) => {
  const [refused, late] = [await created('run'), await created('run')];
  await useCarrierLabels(true);
  t.teardown(() => useCarrierLabels(false));

  await stack.sandbox.fault({ operation: 'label', kind: 'error_in_200', value: 0 });
  const no = await api.get(`/shipments/${refused}/label`);
  await stack.sandbox.fault({ operation: 'label', kind: 'truncate' });
  const yes = await api.get(`/shipments/${late}/label`);

  t.is(no.status, 422, no.text);
  t.is(no.body.error.code, 'carrier_rejected');
  t.is(yes.status, 200, yes.text);
  await keepHistory(
    stack.temporal.workflow.getHandle(workflowIds.fetchCarrierLabel(refused)),
    'fetchCarrierLabel',
    'refused',
  );
});

test.serial('a carrier without labels leaves them to our renderer', async (t) => {
  const uuid = await created('independent');
  await stack.db.run("UPDATE accounts SET label_method = 'carrier' WHERE id = ?", [stack.account.id]);
  t.teardown(() =>
    stack.db.run("UPDATE accounts SET label_method = 'builtin' WHERE id = ?", [stack.account.id]),
  );

  const answer = await api.get(`/shipments/${uuid}/label`);

  t.is(answer.body.data.source, 'builtin');
});

test.serial('a run whose set is gone ends, and says so', async (t) => {
  const handle = await stack.temporal.workflow.start('renderLabels', {
    taskQueue: 'shipments',
    workflowId: 'labels/gone',
    args: [
      {
        accountId: stack.account.id,
        labelSetUuid: '5f0c1f7a-2b64-4f5c-9a3d-6c1f0a7be211',
        baseUrl: 'https://parcels.test',
        options: { labelType: null, position: 1 },
        contentHash: 'gone',
        labels: 1,
        shipmentUuid: null,
      },
    ],
  });

  await t.throwsAsync(handle.result());
  await keepHistory(handle, 'renderLabels', 'gone');
  t.is((await open('http://x/shipping/label/5f0c1f7a-2b64-4f5c-9a3d-6c1f0a7be211')).status, 404);
});

function credentials(): Record<string, string> {
  return { 'x-client-id': stack.account.clientId, 'x-client-secret': stack.account.clientSecret };
}

async function useCarrierLabels(on: boolean): Promise<void> {
  await stack.db.run(
    `UPDATE license_settings t JOIN licenses l ON l.id = t.license_id SET t.label_method = ?
     WHERE l.license_key = ?`,
    [on ? 'carrier' : '', stack.account.licenseKeys.run ?? ''],
  );
}

/** Hashes of the labels that the store holds. */
function printedHashes(): string[] {
  return readdirSync(join(storagePath(), 'labels'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.pdf'))
    .map((file) => file.slice(file.lastIndexOf('/') + 1, -'.pdf'.length));
}
