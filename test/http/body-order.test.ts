import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import test from 'ava';
import { eventually } from '../support/conditions.js';
import { creationBody, type HttpAccount, startHttp } from '../support/http.js';
import { patient } from '../support/patience.js';

const MIB = 1024 * 1024;

const http = await startHttp();
const account = await http.account();
await http.license(account.id);
test.after.always(() => http.close());

/** A connection that sends a head and then only on request. */
class Caller {
  answer = '';
  isClosed = false;
  readonly #socket: Socket;

  constructor(head: readonly string[]) {
    const { hostname, port } = new URL(http.url);
    this.#socket = connect(Number(port), hostname);
    this.#socket.on('data', (data) => {
      this.answer += data.toString('latin1');
    });
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => {
      this.isClosed = true;
    });
    this.send(`${[...head, 'Host: x', 'Content-Type: application/json'].join('\r\n')}\r\n\r\n`);
  }

  send(bytes: string | Buffer): void {
    this.#socket.write(bytes);
  }

  /** The text so far, once it matches. */
  async has(pattern: RegExp): Promise<string> {
    await eventually(async () => pattern.test(this.answer), `an answer like ${pattern}`);
    return this.answer;
  }

  async closed(): Promise<void> {
    await eventually(async () => this.isClosed, 'the end of the connection');
  }

  end(): void {
    this.#socket.destroy();
  }
}

function credentials(of: HttpAccount = account): string[] {
  return Object.entries(of.headers).map(([name, value]) => `${name}: ${value}`);
}

const WITHOUT_CREDENTIALS: [route: string, expected: RegExp][] = [
  ['POST /api/v2/shipments', /^HTTP\/1\.1 401 /],
  ['POST /api/v2/batches', /^HTTP\/1\.1 401 /],
  ['PUT /api/v2/notifications/settings', /^HTTP\/1\.1 401 /],
  [`POST /carriers/run/1-1-${'a'.repeat(32)}`, /^HTTP\/1\.1 404 /],
  ['POST /api/v2/nothing', /^HTTP\/1\.1 404 /],
  ['POST /api/api/user/shipments', /^HTTP\/1\.1 404 /],
];
for (const [route, expected] of WITHOUT_CREDENTIALS) {
  test(`${route}: answers before it has a byte of the body when the credentials are wrong`, async (t) => {
    const caller = new Caller([`${route} HTTP/1.1`, 'Accept: application/json', 'Content-Length: 1000']);

    const answer = await caller.has(/\r\n\r\n.*\}$/s);

    t.regex(answer, expected);
    caller.end();
  });
}

test('POST /batches: a size over the limit is refused before the credentials are looked at', async (t) => {
  const caller = new Caller(['POST /api/v2/batches HTTP/1.1', `Content-Length: ${16 * MIB + 1}`]);

  t.regex(await caller.has(/\r\n\r\n.*\}$/s), /^HTTP\/1\.1 413 /);
  await caller.closed();
});

test('POST /carriers: a size over the limit is refused before the token is looked at', async (t) => {
  const caller = new Caller(['POST /carriers/run/none HTTP/1.1', `Content-Length: ${MIB}`]);

  t.regex(await caller.has(/\r\n\r\n.*\}$/s), /^HTTP\/1\.1 413 /);
  await caller.closed();
});

test('POST /shipments: over the rate limit the body is not read', async (t) => {
  const limited = await startHttp({ config: { rateLimitPerMinute: 0 } });
  t.teardown(() => limited.close());
  const own = await limited.account();

  const answer = await fetch(`${limited.url}/api/v2/shipments`, {
    method: 'POST',
    headers: { ...own.headers, 'content-type': 'application/json' },
    body: new ReadableStream({
      start: (stream) => stream.enqueue(Buffer.from('{"never":')),
    }),
    duplex: 'half',
  } as RequestInit);

  t.is(answer.status, 429);
});

test('a small body that was refused is read to its end, and the connection serves the next request', async (t) => {
  const caller = new Caller(['POST /api/v2/shipments HTTP/1.1', 'Content-Length: 1000']);
  await caller.has(/^HTTP\/1\.1 401 .*\}$/s);

  caller.send('x'.repeat(1000));
  caller.send('GET /api/v2/ping HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');

  t.regex(await caller.has(/HTTP\/1\.1 200 /), /^HTTP\/1\.1 401 /);
});

test('a large body that was refused: its caller sees the answer, and the connection serves the next request or is cut', async (t) => {
  const caller = new Caller(['POST /api/v2/batches HTTP/1.1', `Content-Length: ${15 * MIB}`]);
  const started = Date.now();

  caller.send(randomBytes(15 * MIB));

  t.regex(await caller.has(/\r\n\r\n.*\}$/s), /^HTTP\/1\.1 401 /);
  caller.send('GET /api/v2/ping HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await caller.closed();
  t.true(Date.now() - started < patient(20_000));
});

test('a body without an end is cut after the refusal', async (t) => {
  const caller = new Caller(['POST /api/v2/batches HTTP/1.1', 'Transfer-Encoding: chunked']);
  caller.send(`10000\r\n${'a'.repeat(0x10000)}\r\n`);

  t.regex(await caller.has(/^HTTP\/1\.1 401 .*\}/s), /^HTTP\/1\.1 401 /);
  await caller.closed();
});

test('Expect: 100-continue is answered with the refusal alone when the credentials are wrong', async (t) => {
  const caller = new Caller([
    'POST /api/v2/shipments HTTP/1.1',
    'Content-Length: 1000',
    'Expect: 100-continue',
  ]);

  t.regex(await caller.has(/\r\n\r\n.*\}$/s), /^HTTP\/1\.1 401 /);
  await caller.closed();
});

test('Expect: 100-continue gets 100 when the credentials are right', async (t) => {
  const body = JSON.stringify(creationBody());
  const caller = new Caller([
    'POST /api/v2/shipments HTTP/1.1',
    ...credentials(),
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
    'Connection: close',
  ]);

  t.is(await caller.has(/\r\n\r\n/), 'HTTP/1.1 100 Continue\r\n\r\n');
  caller.send(body);

  t.regex(await caller.has(/HTTP\/1\.1 201 /), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
});

test('GET: a body is neither needed nor read', async (t) => {
  const caller = new Caller(['GET /api/v2/account HTTP/1.1', ...credentials(), 'Content-Length: 1000']);

  t.regex(await caller.has(/\r\n\r\n.*\}$/s), /^HTTP\/1\.1 200 /);
  caller.end();
});
