import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { createImageFetcher } from '../../src/outbound/image.js';

const IMAGE = Buffer.from('89504e470d0a1a0a', 'hex');

let url = '';
let hits: string[] = [];
const server = createServer((request, response) => {
  hits.push(request.url ?? '');
  if (request.url === '/logo.png') response.end(IMAGE);
  else if (request.url === '/moved') response.writeHead(302, { location: '/logo.png' }).end();
  else if (request.url === '/large') response.end(Buffer.alloc(2 * 1024 * 1024));
  else if (request.url === '/cut')
    response.writeHead(200, { 'content-length': '100' }).write('x', () => request.socket.destroy());
  else response.writeHead(404).end();
});

test.before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
test.after.always(() => server.close());

test.serial('createImageFetcher: fetches from an allowed address', async (t) => {
  const fetchImage = createImageFetcher({ allowedRanges: ['127.0.0.0/8'] });

  t.deepEqual(await fetchImage(`${url}/logo.png`), IMAGE);
});

test.serial('createImageFetcher: null for redirects, large, truncated and failed answers', async (t) => {
  const fetchImage = createImageFetcher({ allowedRanges: ['127.0.0.0/8'] });
  hits = [];

  for (const path of ['/moved', '/large', '/cut', '/missing']) t.is(await fetchImage(url + path), null, path);

  t.deepEqual(hits, ['/moved', '/large', '/cut', '/missing']);
});

test.serial('createImageFetcher: never dials private addresses', async (t) => {
  const fetchImage = createImageFetcher({ allowedRanges: [] });
  const { port } = new URL(url);
  hits = [];
  const spellings = [
    '127.0.0.1',
    'localhost',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
  ];

  for (const host of spellings) t.is(await fetchImage(`http://${host}:${port}/logo.png`), null, host);
  t.is(await fetchImage('http://169.254.169.254/latest'), null);

  t.deepEqual(hits, []);
});

test.serial('createImageFetcher: null for anything but plain web addresses', async (t) => {
  const fetchImage = createImageFetcher({ allowedRanges: ['127.0.0.0/8'] });

  for (const text of [
    '',
    'logo.png',
    'file:///etc/passwd',
    'ftp://127.0.0.1/x',
    url.replace('//', '//user:pass@'),
  ]) {
    t.is(await fetchImage(text), null, text);
  }
});
