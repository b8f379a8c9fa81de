import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { createResolver } from '../../src/outbound/resolver.js';

function hostsFile(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'parcelworks-hosts-')), 'hosts');
  writeFileSync(path, text);
  return path;
}

/** A name server that never answers. */
async function silentServer(): Promise<{ address: string; asked: () => number; close(): void }> {
  const socket = createSocket('udp4');
  let asked = 0;
  socket.on('message', () => {
    asked += 1;
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, asked: () => asked, close: () => socket.close() };
}

test('look-ups: names with silent servers delay neither files nor each other, and time out', async (t) => {
  const server = await silentServer();
  t.teardown(() => server.close());
  const resolve = createResolver({ servers: [server.address], hostsFile: hostsFile('') });

  const slow = Array.from({ length: 20 }, (_, index) => resolve(`slow-${index}.example`));
  const ended = Promise.allSettled(slow);
  const text = await readFile(new URL(import.meta.url), 'utf8');
  const results = await ended;

  t.is(text, readFileSync(new URL(import.meta.url), 'utf8'));
  t.true(server.asked() >= 20);
  for (const result of results) {
    t.is(result.status, 'rejected');
    t.is(result.status === 'rejected' && result.reason.code, 'ENOTFOUND');
  }
});

test('look-ups: concurrent ones of a name share one query', async (t) => {
  const server = await silentServer();
  t.teardown(() => server.close());
  const resolve = createResolver({ servers: [server.address], hostsFile: hostsFile('') });

  const [one, two] = [resolve('same.example'), resolve('SAME.example.')];

  t.is(one, two);
  await t.throwsAsync(one, { code: 'ENOTFOUND' });
});

test('look-ups: the hosts file precedes name servers', async (t) => {
  const file = hostsFile(
    '127.0.0.1 localhost\n203.0.113.9\tshop.test www.shop.test # ours\n2001:db8::9 shop.test\n',
  );
  const resolve = createResolver({ servers: ['127.0.0.1:9'], hostsFile: file });

  t.deepEqual(await resolve('Shop.test'), [
    { address: '203.0.113.9', family: 4 },
    { address: '2001:db8::9', family: 6 },
  ]);
});
