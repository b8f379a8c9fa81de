import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import test from 'ava';
import { createLogos } from '../../src/documents/labels/logo.js';
import { labelCache } from '../../src/documents/labels/stored.js';
import { countPdfPages, isWholePdf } from '../../src/documents/pdf.js';
import { createStorage, type DocumentStorage } from '../../src/documents/storage.js';
import { labelPdf } from '../../tools/doubles/carriers/pdf.js';
import type { Owner } from '../support/clean-ups.js';
import { listen } from '../support/local-server.js';

const PNG = Buffer.from('89504e470d0a1a0a0000000d', 'hex');
const PDF = labelPdf(['one']);

function store(t: Owner): { storage: DocumentStorage; path: string } {
  const path = mkdtempSync(join(tmpdir(), 'parcelworks-store-'));
  t.teardown(() => rmSync(path, { recursive: true, force: true }));
  return { storage: createStorage({ kind: 'directory', path }), path };
}

test('write: a document is read again, a missing one is null', async (t) => {
  const { storage, path } = store(t);

  await storage.write('labels/ab/one.pdf', PDF, 'application/pdf');

  t.deepEqual(await storage.read('labels/ab/one.pdf'), PDF);
  t.is(await storage.read('labels/ab/two.pdf'), null);
  t.is(await storage.read('nothing/at/all'), null);
  t.deepEqual(readdirSync(join(path, 'incoming')), []);
});

test('write: replaces a document atomically', async (t) => {
  const { storage } = store(t);
  await storage.write('key', Buffer.alloc(2_000_000, 1), 'x/y');

  const writing = storage.write('key', Buffer.alloc(2_000_000, 2), 'x/y');
  const reads = await Promise.all(Array.from({ length: 20 }, () => storage.read('key')));
  await writing;

  for (const bytes of reads) t.true(bytes?.equals(Buffer.alloc(2_000_000, bytes[0])));
});

test('write: refuses a key that leaves the directory', async (t) => {
  const { storage } = store(t);

  await t.throwsAsync(storage.write('../outside', PDF, 'x/y'));
  await t.throwsAsync(storage.read('a/../../outside'));
});

test('write: a read-only directory is an error and gets no document', async (t) => {
  const path = mkdtempSync(join(tmpdir(), 'parcelworks-store-'));
  t.teardown(() => rmSync(path, { recursive: true, force: true }));
  // A file in place of the directory: root may write to a closed directory.
  writeFileSync(join(path, 'file'), '');
  chmodSync(join(path, 'file'), 0o400);
  const storage = createStorage({ kind: 'directory', path: join(path, 'file') });

  await t.throwsAsync(storage.write('labels/a.pdf', PDF, 'application/pdf'));

  t.false(existsSync(join(path, 'file/labels')));
  t.is(await storage.read('labels/a.pdf'), null);
});

test('writePieces: the document appears once complete', async (t) => {
  const { storage, path } = store(t);
  const midway: unknown[] = [];
  async function* pieces() {
    yield 'one,';
    midway.push(await storage.sizeOf('exports/a.csv'), readdirSync(join(path, 'incoming')).length);
    yield Buffer.from('two');
  }

  const size = await storage.writePieces('exports/a.csv', pieces(), { contentType: 'text/csv' });

  const opened = await storage.open('exports/a.csv');
  t.is(size, 7);
  t.deepEqual(midway, [null, 1]);
  t.is(opened?.sizeBytes, 7);
  t.is((await buffer(opened!.content)).toString(), 'one,two');
  t.is(await storage.open('exports/b.csv'), null);
  t.deepEqual(readdirSync(join(path, 'incoming')), []);
});

test('writePieces: an error of the pieces or an abort leaves nothing', async (t) => {
  const { storage, path } = store(t);
  const controller = new AbortController();
  async function* broken() {
    yield 'one';
    throw new Error('broken');
  }
  async function* endless() {
    for (;;) {
      yield 'one';
      controller.abort();
    }
  }

  const trouble = storage.writePieces('a.csv', broken(), { contentType: 'text/csv' });
  await t.throwsAsync(trouble, { message: 'broken' });
  const aborted = storage.writePieces('a.csv', endless(), {
    contentType: 'text/csv',
    signal: controller.signal,
  });
  await t.throwsAsync(aborted, { name: 'AbortError' });

  t.is(await storage.sizeOf('a.csv'), null);
  t.deepEqual(readdirSync(join(path, 'incoming')), []);
});

test("writePieces: a killed process's file is deleted after an hour, a growing one is not", async (t) => {
  const { storage, path } = store(t);
  const left = join(path, 'incoming/parcelworks-incoming-left');
  const growing = join(path, 'incoming/parcelworks-incoming-growing');
  mkdirSync(join(path, 'incoming'));
  writeFileSync(left, 'half');
  writeFileSync(growing, 'half');
  const twoHoursAgo = Date.now() / 1000 - 7200;
  utimesSync(left, twoHoursAgo, twoHoursAgo);

  await storage.writePieces('a.csv', ['whole'], { contentType: 'text/csv' });

  t.false(existsSync(left));
  t.true(existsSync(growing));
});

test('delete: deletes a document; a missing one is no error', async (t) => {
  const { storage } = store(t);
  await storage.write('a.csv', PDF, 'text/csv');

  await storage.delete('a.csv');
  await storage.delete('a.csv');

  t.is(await storage.read('a.csv'), null);
});

test('labelCache: half of a printed label counts as missing', async (t) => {
  const { storage } = store(t);
  const cache = labelCache(storage);
  await cache.write('abcd', PDF);
  await storage.write('labels/ef/efgh.pdf', PDF.subarray(0, 200), 'application/pdf');

  t.deepEqual(await cache.read('abcd'), PDF);
  t.is(await cache.read('efgh'), null);
});

test('isWholePdf: tells a PDF from a look-alike', async (t) => {
  t.is(await countPdfPages(PDF), 1);
  t.is(await countPdfPages(Buffer.from('<html>')), null);
  t.is(await countPdfPages(Buffer.from('%PDF-1.4\nnothing\n%%EOF')), null);
  t.true(isWholePdf(PDF));
  t.false(isWholePdf(PDF.subarray(0, 100)));
});

test('createLogos: fetches a logo once, stores it, and uses it while its server is down', async (t) => {
  const { storage } = store(t);
  let fetched = 0;
  const online = createLogos(storage, async () => {
    fetched += 1;
    return PNG;
  });
  const offline = createLogos(storage, async () => null);
  const url = 'https://shop.test/logo.png';

  const uris = [
    await online.of(url),
    await online.of(url),
    await offline.of(url),
    await createLogos(storage, null).of(url),
  ];

  t.is(fetched, 1);
  t.deepEqual(new Set(uris), new Set([`data:image/png;base64,${PNG.toString('base64')}`]));
});

test('createLogos: only images that cannot hold scripts become logos', async (t) => {
  const { storage } = store(t);
  const of = (bytes: Buffer | null, url = 'https://shop.test/x') =>
    createLogos(storage, async () => bytes).of(url);

  t.is(await of(Buffer.from('<svg onload="alert(1)"/>')), null);
  t.is(await of(null), null);
  t.is(await of(PNG, ''), null);
  t.is(
    await of(null, `data:image/png;base64,${PNG.toString('base64')}`),
    `data:image/png;base64,${PNG.toString('base64')}`,
  );
  t.is(await of(null, 'data:image/svg+xml;base64,PHN2Zz4='), null);
});

test('a bucket follows the same rules', async (t) => {
  const bucket = await startBucket();
  t.teardown(() => bucket.close());
  const storage = createStorage({
    kind: 's3',
    bucket: 'parcels',
    region: 'us-east-1',
    endpoint: bucket.url,
    keys: { accessKeyId: 'id', secretAccessKey: 'secret' },
  });

  await storage.write('labels/ab/one.pdf', PDF, 'application/pdf');

  t.deepEqual(await storage.read('labels/ab/one.pdf'), PDF);
  t.is(await storage.read('labels/ab/two.pdf'), null);
  t.deepEqual([...bucket.types], [['/parcels/labels/ab/one.pdf', 'application/pdf']]);
  t.is(await storage.writePieces('exports/a.csv', ['one,', 'two'], { contentType: 'text/csv' }), 7);
  const opened = await storage.open('exports/a.csv');
  t.is(opened?.sizeBytes, 7);
  t.is((await buffer(opened!.content)).toString(), 'one,two');
  t.is(bucket.types.get('/parcels/exports/a.csv'), 'text/csv');
  await storage.delete('exports/a.csv');
  t.is(await storage.sizeOf('exports/a.csv'), null);
  t.is(await storage.open('exports/a.csv'), null);
  await t.throwsAsync(storage.read('../one.pdf'));
});

test('a bucket of another service than Amazon is sent nothing of the form of 2025', async (t) => {
  const bucket = await startBucket();
  t.teardown(() => bucket.close());
  const keys = { accessKeyId: 'id', secretAccessKey: 'secret' };
  const options = { kind: 's3', bucket: 'parcels', region: 'us-east-1', endpoint: bucket.url, keys } as const;
  const storage = createStorage(options);

  await storage.write('one.pdf', PDF, 'application/pdf');
  await storage.writePieces('a.csv', ['one,', 'two'], { contentType: 'text/csv' });
  await storage.read('one.pdf');
  await storage.open('a.csv').then((opened) => buffer(opened!.content));

  const names = bucket.headers.flatMap((headers) => Object.keys(headers));
  t.true(bucket.headers.length >= 4);
  t.deepEqual(
    names.filter((name) => name.startsWith('x-amz-') && /checksum|trailer/.test(name)),
    [],
  );
});

/** The S3 operations that the store uses: PUT, GET, HEAD and DELETE of an object, path style. */
async function startBucket() {
  const objects = new Map<string, Buffer>();
  const types = new Map<string, string>();
  const headers: IncomingHttpHeaders[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    headers.push(request.headers);
    const path = (request.url ?? '').split('?')[0] ?? '';
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method === 'PUT') {
      objects.set(path, plainBody(request.headers, Buffer.concat(chunks)));
      types.set(path, String(request.headers['content-type']));
      response.writeHead(200, { etag: '"1"' }).end();
      return;
    }
    if (request.method === 'DELETE') {
      objects.delete(path);
      response.writeHead(204).end();
      return;
    }
    const found = objects.get(path);
    if (found !== undefined) {
      const told = {
        'content-length': found.length,
        etag: '"1"',
        'last-modified': new Date(0).toUTCString(),
      };
      return void response.writeHead(200, told).end(found);
    }
    response.writeHead(404, { 'content-type': 'application/xml' });
    response.end('<Error><Code>NoSuchKey</Code><Message>No such key</Message></Error>');
  };
  const server = createServer((request, response) => void answer(request, response));
  return { ...(await listen(server)), types, headers };
}

/** Decodes bodies in signed chunks: `<hex size>[;…]\r\n<bytes>\r\n`, the last of size 0. */
function plainBody(headers: IncomingHttpHeaders, body: Buffer): Buffer {
  if (!String(headers['content-encoding'] ?? '').includes('aws-chunked')) return body;
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.subarray(at, end).toString('latin1'), 16);
    if (!(size > 0)) return Buffer.concat(parts);
    parts.push(body.subarray(end + 2, end + 2 + size));
    at = end + 4 + size;
  }
}
