import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import type { Owner } from '../support/clean-ups.js';
import { openMcp } from '../support/mcp-client.js';

const keys = { clientId: 'ci_1', clientSecret: 'sk_very-secret' };

/** A service's way with a message that it has read to its end. */
type Act = (response: ServerResponse, message: { id?: number; method: string }) => void;

interface Service {
  url: string;
  /** Methods of the messages that arrived. */
  got: string[];
  stop(): void;
}

/** A service that speaks the protocol, and does what `act` says when a tool is called. */
async function startService(
  owner: Owner,
  act: Act,
  { begins = true }: { begins?: boolean } = {},
): Promise<Service> {
  const got: string[] = [];
  const server = createServer((request, response) => void take(request, response));
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const message = text === '' ? { method: request.method ?? '' } : JSON.parse(text);
    got.push(message.method);
    // Each message comes by a connection made for it, so that a stopped service is met by none.
    response.setHeader('connection', 'close');
    if (message.method === 'tools/call' || !begins) act(response, message);
    else if (message.method === 'initialize') answer(response, message.id, initialized(message.params));
    else response.writeHead(text === '' ? 405 : 202).end();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  owner.teardown(stop);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got, stop };
}

function answer(response: ServerResponse, id: number | undefined, result: object): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

function initialized({ protocolVersion }: { protocolVersion: string }) {
  return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'test', version: '1' } };
}

const booked: Act = (response, { id }) =>
  answer(response, id, { content: [{ type: 'text', text: 'booked' }] });

for (const status of [301, 302, 303, 307, 308]) {
  test(`a redirect ${status}: is refused with its reason, and no other host gets the keys`, async (t) => {
    const other = await startService(t, booked);
    const leadsAway: Act = (response) => {
      response.writeHead(status, { location: `${other.url}/mcp` }).end();
    };
    const service = await startService(t, leadsAway);
    const moved = await startService(t, leadsAway, { begins: false });

    const { call } = await openMcp(t, 'stdio', { url: service.url, keys });
    const refused = await call('book_parcel');
    await t.throwsAsync(openMcp(t, 'stdio', { url: moved.url, keys }), {
      message: /PARCELWORKS_URL leads elsewhere/,
    });

    t.true(refused.isError);
    t.regex(refused.text, /refused the call; nothing was done\. PARCELWORKS_URL leads elsewhere/);
    t.deepEqual(other.got, []);
  });
}

/** Ways on which the answer to a call is lost after the service got it. */
const LOST: readonly [way: string, act: Act][] = [
  ['the connection ends', (response) => response.destroy()],
  [
    'half of the answer arrives',
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
      response.write('{"jsonrpc":', () => response.destroy());
    },
  ],
  ['a gateway answers 502', (response) => response.writeHead(502).end('<h1>Bad gateway</h1>')],
  ['the service answers 503', (response) => response.writeHead(503).end('{"error":{}}')],
  [
    'a page comes instead',
    (response) => response.setHeader('content-type', 'text/html').end('<h1>Welcome</h1>'),
  ],
];

for (const [way, act] of LOST) {
  test(`tools/call: says that the outcome is unknown and which tool tells, and sends once, when ${way}`, async (t) => {
    const service = await startService(t, act);
    const { call } = await openMcp(t, 'stdio', { url: service.url, keys });

    const lost = await call('book_parcel');

    t.true(lost.isError);
    t.regex(lost.text, /outcome is unknown\. Do not repeat a booking or a cancellation: ask parcel_story/);
    t.is(service.got.filter((method) => method === 'tools/call').length, 1);
  });
}

test('tools/call: says that nothing was done when the service refuses before it works', async (t) => {
  const busy: Act = (response) => {
    response.writeHead(429, { 'content-type': 'application/json' }).end('{"error":{"message":"Too many."}}');
  };
  const service = await startService(t, busy);
  const { call } = await openMcp(t, 'stdio', { url: service.url, keys });

  const refused = await call('find_parcels');

  t.true(refused.isError);
  t.regex(refused.text, /refused the call; nothing was done.*Too many\./);
});

test('tools/call: says that nothing was sent, and why, when nobody listens any more', async (t) => {
  const service = await startService(t, booked);
  const { call } = await openMcp(t, 'stdio', { url: service.url, keys });
  service.stop();

  const unsent = await call('book_parcel');

  t.true(unsent.isError);
  t.regex(unsent.text, /cannot be reached; nothing was sent\. .*ECONNREFUSED/);
});
