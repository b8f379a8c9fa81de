import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { eventually } from '../support/conditions.js';
import { creationBody, type HttpAccount, type HttpStack, startHttp } from '../support/http.js';
import { patient } from '../support/patience.js';

let http: HttpStack;
let account: HttpAccount;

test.before(async () => {
  http = await startHttp({ limits: { headersMs: 1500, bodyMs: 1500, bodyBytesPerSecond: 1000 } });
  account = await http.account();
  await http.license(account.id);
});
test.after.always(() => http?.close());

/** Sends bytes as they are and collects what comes back until the connection closes. */
function raw(...chunks: (string | Buffer)[]): Promise<string> {
  const { hostname, port } = new URL(http.url);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => {
      for (const chunk of chunks) socket.write(chunk);
    });
    socket.on('data', (data) => {
      answer += data.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}

function head(extra: string): string {
  const { headers } = account;
  return (
    `POST /api/v2/shipments HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n` +
    `X-Client-Id: ${headers['x-client-id']}\r\nX-Client-Secret: ${headers['x-client-secret']}\r\n${extra}\r\n`
  );
}

function post(body: string | Buffer): Promise<string> {
  return raw(head(`Content-Length: ${Buffer.byteLength(body)}\r\n`), body);
}

async function isAlive(): Promise<boolean> {
  return (await http.send('GET', '/account', { as: account })).status === 200;
}

const BODIES: [string, string | Buffer, RegExp][] = [
  ['wrong JSON', '{"ship_data":', /^HTTP\/1\.1 400 /],
  ['random bytes', randomBytes(4096), /^HTTP\/1\.1 400 /],
  ['a 2 MiB body', Buffer.alloc(2 ** 21, 0x61), /^HTTP\/1\.1 413 /],
  ['a __proto__ key', '{"__proto__":{"isAdmin":true}}', /^HTTP\/1\.1 400 /],
  ['40 levels', '{"a":'.repeat(40) + '1' + '}'.repeat(40), /^HTTP\/1\.1 400 /],
  ['500000 levels', '['.repeat(500_000), /^HTTP\/1\.1 400 /],
  ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]), /^HTTP\/1\.1 400 /],
  ['two byte order marks', `\ufeff\ufeff{}`, /^HTTP\/1\.1 400 /],
  ['a million escapes', `{"a":"${'\\n'.repeat(500_000)}"}`, /^HTTP\/1\.1 422 /],
  [
    'sixty thousand keys',
    `{${Array.from({ length: 60_000 }, (_, index) => `"k${index}":1`).join(',')}}`,
    /^HTTP\/1\.1 413 /,
  ],
];

for (const [what, body, expected] of BODIES) {
  test(`${what} is refused in the documented shape, and the process lives`, async (t) => {
    const answer = await post(body);

    t.regex(answer, expected);
    t.regex(answer, /\r\nX-Request-Id: /i);
    t.regex(answer, /\{"error":\{"code":"/);
    t.true(await isAlive());
  });
}

test('a chunked body over the limit is refused', async (t) => {
  const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`;

  const answer = await raw(head('Transfer-Encoding: chunked\r\n'), chunk.repeat(20), '0\r\n\r\n');

  t.regex(answer, /^HTTP\/1\.1 413 /);
  t.true(await isAlive());
});

test('a 1 MB header is refused or the connection closed', async (t) => {
  const answer = await raw(head(`X-Long: ${'a'.repeat(1_000_000)}\r\n`));

  t.regex(answer, /^$|^HTTP\/1\.1 431 /);
  t.true(await isAlive());
});

test('what is no HTTP is refused', async (t) => {
  const answer = await raw('HELLO\r\n\r\n');

  t.regex(answer, /^HTTP\/1\.1 400 /);
  t.true(await isAlive());
});

test('headers of 20 KB are 431', async (t) => {
  const answer = await raw(head(`X-Long: ${'a'.repeat(20_000)}\r\n`));

  t.regex(answer, /^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
  t.regex(answer, /\{"error":\{"code":"headers_too_large",.*"status":431\}\}$/);
});

for (const [what, extra, body] of [
  ['a body that never ends', 'Content-Length: 1000\r\n', '{"a"'],
  ['a chunked body that never ends', 'Transfer-Encoding: chunked\r\n', '4\r\n{"a"\r\n'],
] as const) {
  test(`${what} is 408, and its connection is closed`, async (t) => {
    const started = Date.now();

    const answer = await raw(head(extra), body);

    t.regex(answer, /^HTTP\/1\.1 408 Request Timeout\r\n/);
    t.regex(answer, /\r\nX-Request-Id: /i);
    t.regex(answer, /\{"error":\{"code":"request_timeout",.*"status":408\}\}$/);
    t.true(Date.now() - started < patient(10_000));
    t.true(await isAlive());
  });
}

/** Sends a creation of this size in twenty pieces over this time. */
async function sendOver(ms: number, bytes: number): Promise<string> {
  const body = Buffer.from(JSON.stringify(creationBody({ order: { note: 'a'.repeat(bytes) } })));
  const { hostname, port } = new URL(http.url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (data) => {
    answer += data.toString('latin1');
  });
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(head(`Content-Length: ${body.length}\r\n`));
  const piece = Math.ceil(body.length / 20);
  for (let from = 0; from < body.length && answer === '' && socket.writable; from += piece) {
    socket.write(body.subarray(from, from + piece));
    await delay(ms / 20);
  }
  await closed;
  return answer;
}

test('POST /shipments: 201 when a body takes longer than its first allowance, at more than the least rate', async (t) => {
  // 4,000 bytes at 1,000 a second may take 5.5 s.
  t.regex(await sendOver(3000, 4000), /^HTTP\/1\.1 201 /);
});

test('POST /shipments: 408 when a body comes at less than the least rate', async (t) => {
  t.regex(await sendOver(20_000, 500), /^HTTP\/1\.1 408 /);
});

test('headers that never end are 408', async (t) => {
  const answer = await raw('GET /api/v2/ping HTTP/1.1\r\nHost: x\r\n');

  t.regex(answer, /^HTTP\/1\.1 408 Request Timeout\r\n/);
  t.regex(answer, /\{"error":\{"code":"request_timeout",.*"status":408\}\}$/);
  t.true(await isAlive());
});

test('a connection on which nothing is sent is closed without an answer', async (t) => {
  t.is(await raw(), '');
});

test.serial('a caller that leaves inside its body does no harm, and is no failure of ours', async (t) => {
  const before = http.log.length;
  const { hostname, port } = new URL(http.url);
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${head('Content-Length: 1000\r\n')}{"a"`, () => socket.resetAndDestroy());
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });

  t.true(await isAlive());
  const lines = () => http.log.slice(before);
  await eventually(
    async () => lines().some((line) => line.includes('"errorCode":"client_gone"')),
    'the line of the request',
  );
  t.deepEqual(
    lines().filter((line) => /"level":50|internal_error|service_unavailable/.test(line)),
    [],
  );
});

test('two idempotency keys are refused', async (t) => {
  const body = JSON.stringify(creationBody());
  const answer = await raw(
    head(`Idempotency-Key: a\r\nIdempotency-Key: b\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`),
    body,
  );

  t.regex(answer, /^HTTP\/1\.1 422 /);
});
