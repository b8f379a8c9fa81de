import { connect, type Socket } from 'node:net';
import test from 'ava';
import { request } from 'undici';
import { percentile } from '../bench/measure.js';
import type { Owner } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { memoryMib } from '../support/memory.js';
import { type ApiProcess, startApiProcess } from '../support/processes.js';
import { startStack } from '../support/stack.js';

const MIB = 1024 * 1024;
const STRANGERS = 40;
const IDLE_PROBES = 100;
/** With it a machine that does other things beside is no failure; before, single answers took minutes. */
const LIVE_WITHIN_MS = 1500;
/** Half a million values under keys take 175 MiB to parse, what is refused 70 together; strangers' bodies alone are 600. */
const MOST_GROWTH_MIB = 250;

test('bodies of strangers, of a hundred thousand values and of 16 MiB at once do not stop the API', async (t) => {
  const stack = await startStack();
  t.teardown(() => stack.close());
  // Node's own flags: those of tests let young memory grow to three times as much.
  const api = await startApiProcess(t, stack, { RATE_LIMIT_PER_MINUTE: '1000000' }, []);
  const licenseKey = stack.account.licenseKeys.run ?? '';
  const idle = await probe(api, countDown(IDLE_PROBES));
  const before = memoryMib(api.process.pid, 'VmRSS');
  let isOver = false;
  const watched = probe(api, () => !isOver);

  const strangers = Array.from({ length: STRANGERS }, () => stranger(t, api));
  const [settings, webhook, small, many, valid] = await Promise.all([
    send(api, 'PUT', '/notifications/settings', {
      license_key: licenseKey,
      enabled: true,
      events: numbers(165_000),
    }),
    send(api, 'POST', '/webhooks', {
      license_key: licenseKey,
      url: 'https://a.test/',
      events: numbers(165_000),
    }),
    send(api, 'POST', '/batches', smallValues(licenseKey)),
    send(api, 'POST', '/batches', manyKeys(licenseKey)),
    Promise.all(Array.from({ length: 20 }, () => send(api, 'GET', '/account'))),
  ]);
  await eventually(
    async () => strangers.every(({ answer }) => answer !== ''),
    'the answers to the strangers',
  );
  isOver = true;
  const busy = await watched;

  t.deepEqual([settings, webhook, small, many], [413, 413, 413, 202], api.process.log);
  t.deepEqual(new Set(valid), new Set([200]));
  t.deepEqual(new Set(strangers.map(({ answer }) => answer.slice(0, 12))), new Set(['HTTP/1.1 401']));
  const p99 = percentile(busy.sorted, 0.99);
  const growth = busy.mostMib - before;
  t.log(
    `GET /health/live: p99 ${p99.toFixed(1)} ms of ${busy.sorted.length}, idle ${percentile(idle.sorted, 0.99).toFixed(1)} ms; ` +
      `memory ${before} MiB, ${growth} MiB more at most`,
  );
  t.true(p99 < LIVE_WITHIN_MS, `p99 ${p99} ms`);
  t.true(growth < MOST_GROWTH_MIB, `${growth} MiB more`);
});

/** Asks for `/health/live` one time after the other, and looks at the memory meanwhile. */
async function probe(
  { url, process }: ApiProcess,
  goesOn: () => boolean,
): Promise<{ sorted: number[]; mostMib: number }> {
  const times: number[] = [];
  let mostMib = 0;
  while (goesOn()) {
    const at = performance.now();
    const { body } = await request(`${url}/health/live`);
    await body.dump();
    times.push(performance.now() - at);
    mostMib = Math.max(mostMib, memoryMib(process.pid, 'VmRSS'));
  }
  return { sorted: times.sort((a, b) => a - b), mostMib };
}

function countDown(count: number): () => boolean {
  let left = count;
  return () => {
    left -= 1;
    return left >= 0;
  };
}

const BODY = Buffer.alloc(15 * MIB, 0x20);

/** Sends 15 of the 16 MiB of a batch, without credentials. */
function stranger(owner: Owner, { url }: ApiProcess): { answer: string } {
  const { hostname, port } = new URL(url);
  const seen = { answer: '' };
  const socket: Socket = connect(Number(port), hostname);
  owner.teardown(() => socket.destroy());
  socket.on('error', () => undefined);
  socket.on('data', (data) => {
    seen.answer += data.toString('latin1');
  });
  socket.write(
    `POST /api/v2/batches HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${16 * MIB}\r\n\r\n`,
  );
  socket.write(BODY);
  return seen;
}

async function send(
  api: ApiProcess,
  method: 'GET' | 'PUT' | 'POST',
  path: string,
  json?: unknown,
): Promise<number> {
  const body = typeof json === 'string' ? json : json === undefined ? null : JSON.stringify(json);
  const answer = await request(`${api.url}/api/v2${path}`, { method, headers: api.client.headers, body });
  await answer.body.dump();
  return answer.statusCode;
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Sixteen MiB of ones. */
function smallValues(licenseKey: string): string {
  const item = `[${Array(MIB / 2 - 100)
    .fill(1)
    .join(',')}]`;
  return `{"license_key":"${licenseKey}","shipments":[${Array(15).fill(item).join(',')}]}`;
}

/** As many values as a batch may have, each under another key: the most expensive to parse and sort. */
function manyKeys(licenseKey: string): string {
  const item = `{${Array.from({ length: 240 }, (_, index) => `"${String(index * 7919).padStart(22, 'key')}":1`).join(',')}}`;
  return `{"license_key":"${licenseKey}","shipments":[${Array(2000).fill(item).join(',')}]}`;
}
