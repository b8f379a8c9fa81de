import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadImage } from '@napi-rs/canvas';
import test from 'ava';
import { run } from '../../src/carriers/run/index.js';
import { LOGO_PATHS } from '../../tools/doubles/carriers/logo.js';
import { isSandboxProvider, type SandboxOptions, startSandbox } from '../../tools/doubles/carriers/server.js';
import { booking, context, parcel, runAccount } from '../carriers/support.js';

async function open(options: SandboxOptions = {}) {
  const sandbox = await startSandbox('run', options);
  const get = async (path: string) => (await fetch(sandbox.url + path)).json() as Promise<unknown>;
  const post = async (path: string, body: unknown) => {
    const reply = await fetch(sandbox.url + path, { method: 'POST', body: JSON.stringify(body) });
    return { status: reply.status, body: (await reply.json()) as unknown };
  };
  const account = runAccount(sandbox.url);
  return { ...sandbox, get, post, account };
}

test('the ledger has one entry a parcel and counts its requests', async (t) => {
  const { account, get, close } = await open();
  t.teardown(close);
  const request = booking();
  const first = await run.book(request, context(account));
  await run.book(request, context(account));

  const [entry, ...others] = (await get('/__ledger')) as Record<string, unknown>[];

  t.deepEqual(Object.keys(entry ?? {}), ['reference', 'code', 'status', 'requests', 'booked_at', 'request']);
  t.like(entry, { reference: request.reference, status: 'created', requests: 2 });
  t.is(first.kind, 'accepted');
  t.deepEqual(others, []);
  t.deepEqual(await get('/__ledger/count'), { count: 1 });
});

test('the shops’ logos are images that labels can show, each its own', async (t) => {
  const { url, close } = await open();
  t.teardown(close);

  const logos = await Promise.all(Object.values(LOGO_PATHS).map((path) => fetch(url + path)));

  const files = await Promise.all(logos.map(async (logo) => Buffer.from(await logo.arrayBuffer())));
  t.deepEqual(
    logos.map(({ headers }) => headers.get('content-type')),
    ['image/png', 'image/png'],
  );
  for (const file of files) {
    const image = await loadImage(file);
    t.deepEqual([image.width, image.height], [96, 96]);
  }
  t.notDeepEqual(files[0], files[1]);
});

test('double bookings show when duplicates are let through', async (t) => {
  const { account, get, post, close } = await open();
  t.teardown(close);
  const request = booking();
  await post('/__config', { rejectDuplicates: false });
  await run.book(request, context(account));
  await run.book(request, context(account));

  t.deepEqual(await get('/__ledger/count'), { count: 2 });
});

test('the ledger survives a restart, a line cut short included', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const ledgerFile = join(folder, 'deep', 'run.jsonl');
  const before = await open({ ledgerFile });
  const booked = await run.book(booking(), context(before.account));
  await before.post('/__advance', {
    code: booked.kind === 'accepted' && booked.value.trackingCode,
    status: '30',
  });
  const ledger = await before.get('/__ledger');
  await before.close();
  await writeFile(ledgerFile, `${await readFile(ledgerFile, 'utf8')}{"reference":"cut`);

  const after = await open({ ledgerFile });
  t.teardown(after.close);
  const next = await run.book(booking(), context(after.account));

  t.deepEqual(((await after.get('/__ledger')) as unknown[]).slice(0, 1), ledger);
  t.is(next.kind, 'accepted');
  t.deepEqual(await after.get('/__ledger/count'), { count: 2 });
});

test('parcels advance to our statuses and to raw numbers, and to nothing else', async (t) => {
  const { account, post, close } = await open();
  t.teardown(close);
  const request = booking();
  const booked = await run.book(request, context(account));
  if (booked.kind !== 'accepted') return t.fail();
  const code = booked.value.trackingCode;

  const answers = [];
  for (const status of ['in_transit', '30', '4711', 'nonsense'])
    answers.push(await post('/__advance', { code, status }));
  const missing = await post('/__advance', { code: '1', status: 'delivered' });
  const read = await run.status?.fetch([parcel(request.reference, code)], context(account));

  t.deepEqual([...answers.map(({ status }) => status), missing.status], [200, 200, 200, 400, 404]);
  if (read?.kind !== 'accepted') return t.fail();
  t.deepEqual(
    read.value[0]?.events.map((event) => [event.code, event.carrierCode]),
    [
      ['created', '5'],
      ['in_transit', '20'],
      ['out_for_delivery', '30'],
      [undefined, '4711'],
    ],
  );
});

test('a fault hits its operation as often as asked, then no more', async (t) => {
  const { account, post, get, close } = await open();
  t.teardown(close);
  await post('/__faults', { operation: 'book', kind: 'status', value: 503, times: 2 });

  await run.findByReference?.('x', context(account));
  const kinds = [];
  for (let round = 0; round < 3; round += 1) kinds.push((await run.book(booking(), context(account))).kind);

  t.deepEqual(kinds, ['unknown', 'unknown', 'accepted']);
  t.deepEqual(await get('/__faults'), []);
});

test('a fault without end lasts until it is cleared', async (t) => {
  const { account, post, close } = await open();
  t.teardown(close);
  await post('/__faults', { kind: 'error_in_200', value: 1500, times: 0 });
  const kinds = [];
  for (let round = 0; round < 3; round += 1) kinds.push((await run.book(booking(), context(account))).kind);
  await post('/__faults', { kind: 'none' });
  kinds.push((await run.book(booking(), context(account))).kind);

  t.deepEqual(kinds, ['rejected', 'rejected', 'rejected', 'accepted']);
});

test('a held request goes on when the fault is cleared, others meanwhile', async (t) => {
  const { account, post, get, close } = await open();
  t.teardown(close);
  await post('/__faults', { operation: 'book', kind: 'hold' });

  const held = run.book(booking(), context(account));
  const found = await run.findByReference?.('x', context(account));
  const during = await get('/__ledger');
  await post('/__faults', { operation: 'book', kind: 'none' });

  t.is(found?.kind, 'accepted');
  t.deepEqual(during, []);
  t.is((await held).kind, 'accepted');
});

test('malformed controls are refused', async (t) => {
  const { post, close } = await open();
  t.teardown(close);

  for (const body of [
    null,
    {},
    { kind: 'meteor' },
    { kind: 'status' },
    { kind: 'latency', operation: 'fly' },
  ]) {
    t.is((await post('/__faults', body)).status, 400);
  }
  t.is((await post('/__unheard', {})).status, 404);
});

test('replies in windows-1255 are read as well as UTF-8', async (t) => {
  const { url, post, close } = await open();
  t.teardown(close);
  await post('/__config', { charset: 'windows-1255' });
  const account = runAccount(url, { request_charset: 'windows-1255' });

  const booked = await run.book(booking(), context(account));
  const points = await run.pickupPoints?.(context(account));

  t.is(booked.kind, 'accepted');
  if (points?.kind !== 'accepted') return t.fail();
  t.is(points.value[0]?.name, 'מכולת השכונה');
});

test('by number the sandbox answers a foreign parcel, which the adapter leaves out', async (t) => {
  const { url, account, close } = await open();
  t.teardown(close);
  const request = booking();
  const booked = await run.book(request, context(runAccount(url, { customer_number: '8002' })));
  if (booked.kind !== 'accepted') return t.fail();
  const foreign = parcel(request.reference, booked.value.trackingCode);

  t.deepEqual(await run.status?.fetch([foreign], context(account)), { kind: 'accepted', value: [] });
  t.deepEqual(await run.findByReference?.(request.reference, context(account)), {
    kind: 'accepted',
    value: null,
  });
  t.is((await run.cancel?.(foreign, context(account)))?.kind, 'rejected');
});

test('only carriers with a wire protocol have a sandbox', (t) => {
  for (const name of ['run', 'lionwheel', 'cargo']) t.true(isSandboxProvider(name));
  t.false(isSandboxProvider('independent'));
  t.false(isSandboxProvider('toString'));
});

test('runs as a separate process until it is stopped', async (t) => {
  const main = new URL('../../tools/doubles/carriers/main.js', import.meta.url);
  const child = spawn(process.execPath, [main.pathname, 'run:0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const url = /http:\S+/.exec(line.toString())?.[0] ?? '';

  const health = await fetch(`${url}/__health`);
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number | null];

  t.is(health.status, 200);
  t.is(code, 0);
});

test('refuses to start for an unknown carrier', async (t) => {
  const main = new URL('../../tools/doubles/carriers/main.js', import.meta.url);
  const child = spawn(process.execPath, [main.pathname, 'independent:0'], { stdio: 'ignore' });

  const [code] = (await once(child, 'exit')) as [number | null];

  t.is(code, 2);
});
