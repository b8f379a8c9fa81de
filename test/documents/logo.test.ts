import { setTimeout } from 'node:timers/promises';
import test from 'ava';
import { createLogos } from '../../src/documents/labels/logo.js';

const LARGEST = Buffer.alloc(512 * 1024);
LARGEST.set(Buffer.from('89504e470d0a1a0a', 'hex'));
const MIB = 1024 * 1024;
const MINUTE_MS = 60_000;

const EMPTY_STORAGE = { read: async () => null, write: async () => undefined };

/** Each `/logo…` has a logo of the maximum size, other addresses have none; records fetches. */
function notingLogos() {
  const fetched: string[] = [];
  const logos = createLogos(EMPTY_STORAGE, async (url) => {
    fetched.push(url);
    return url.startsWith('/logo') ? LARGEST : null;
  });
  return { logos, fetched };
}

async function ofAll(logos: ReturnType<typeof createLogos>, prefix: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await logos.of(`${prefix}${index}`);
}

test.serial('createLogos: caches the newest logos up to 32 MiB', async (t) => {
  const { logos, fetched } = notingLogos();
  const length = (await logos.of('/logo'))?.length ?? 0;
  const fitting = Math.floor((32 * MIB) / (length + 10));
  await ofAll(logos, '/logo', fitting + 10);
  fetched.length = 0;

  for (let index = fitting + 9; index >= 10; index -= 1) await logos.of(`/logo${index}`);
  await logos.of('/logo9');

  t.true(fitting > 40);
  t.deepEqual(fetched, ['/logo9']);
});

test.serial('createLogos: caches the newest 500 addresses', async (t) => {
  const { logos, fetched } = notingLogos();
  await ofAll(logos, '/none', 501);
  fetched.length = 0;

  await ofAll(logos, '/none', 1);
  await logos.of('/none500');
  await logos.of('/none2');

  t.deepEqual(fetched, ['/none0']);
});

test.serial('createLogos: concurrent requests for a logo share one fetch', async (t) => {
  const { logos, fetched } = notingLogos();

  const uris = await Promise.all(Array.from({ length: 5 }, () => logos.of('/logo')));

  t.deepEqual(fetched, ['/logo']);
  t.is(new Set(uris).size, 1);
});

test.serial('createLogos: expired entries make room first', async (t) => {
  const { logos, fetched } = notingLogos();
  const { now } = performance;
  t.teardown(() => {
    performance.now = now;
  });
  await logos.of('/logo');
  await ofAll(logos, '/none', 499);
  fetched.length = 0;

  performance.now = () => now.call(performance) + 2 * MINUTE_MS;
  // The cache reads the clock once per millisecond.
  await setTimeout(5);
  await logos.of('/other');
  await logos.of('/logo');

  t.deepEqual(fetched, ['/other']);
});
