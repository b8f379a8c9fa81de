import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import test from 'ava';
import { CleanUps } from '../support/clean-ups.js';
import { phpTest, runPhp } from '../support/php.js';
import { contentOf, listenFor, makeCertificates } from '../support/tls.js';
import { client } from '../support/typescript-client.js';

const BODY = { ship_data: { contact_name: 'Dana Levi' }, order: { id: '7' } };

const owner = new CleanUps();
test.after.always(() => owner.end());

/** How a creation fails on its way, and whether that leaves it open. */
const WAYS: readonly { way: string; isOpen: boolean; start(): Promise<string> }[] = [
  {
    way: 'nobody listens',
    isOpen: false,
    start: async () => `http://127.0.0.1:${await withoutListener()}`,
  },
  { way: 'the name leads nowhere', isOpen: false, start: async () => 'http://parcels.invalid' },
  { way: 'nobody vouches for the certificate', isOpen: false, start: untrusted },
  { way: 'the connection ends once the request has arrived', isOpen: true, start: () => cutting(() => {}) },
  {
    way: 'the service got the first try and is gone at the second',
    isOpen: true,
    start: () => cutting((server) => server.close()),
  },
];

async function withoutListener(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function untrusted(): Promise<string> {
  const server = createTlsServer(contentOf(await makeCertificates(owner, 'localhost')));
  return `https://localhost:${await listenFor(owner, server)}`;
}

/** Reads a request to its end and cuts the connection; `then` follows. */
async function cutting(then: (server: Server) => void): Promise<string> {
  const server = createHttpServer((asked) => {
    asked.resume().once('end', () => {
      then(server);
      asked.socket.destroy();
    });
  });
  owner.teardown(() => server.close());
  return `http://127.0.0.1:${await listening(server)}`;
}

for (const { way, isOpen, start } of WAYS) {
  const outcome = isOpen ? 'unknown' : 'nothing was booked';

  test(`TypeScript create: ${outcome} when ${way}`, async (t) => {
    const parcels = clientOf(await start());

    const error = await t.throwsAsync<any>(parcels.createShipment(BODY));

    t.like(error, {
      name: isOpen ? 'UnknownOutcomeError' : 'ConnectionError',
      isSafeToRepeat: true,
      tries: 2,
    });
  });

  phpTest(`PHP create: ${outcome} when ${way}`, async (t) => {
    const code = `
      try { $client->shipments()->create(['ship_data' => [], 'order' => ['id' => '7']]); }
      catch (Parcelworks\\Exception\\CallException $error) {
        out([get_class($error), $error->isSafeToRepeat(), $error->tries()]);
      }`;
    const options = { base_url: await start(), client_id: 'ci_1', client_secret: 'sk_1', max_tries: 2 };

    const [seen] = await runPhp(code, { client: options });

    const name = isOpen ? 'UnknownOutcomeException' : 'ConnectionException';
    t.deepEqual(seen, [`Parcelworks\\Exception\\${name}`, true, 2]);
  });
}

function clientOf(baseUrl: string, fetch?: () => Promise<Response>): any {
  return new client.Parcelworks({ baseUrl, clientId: 'ci_1', clientSecret: 'sk_1', maxTries: 2, fetch });
}

/** The error that `fetch` throws of a try that failed for this reason. */
const failed = (cause: Error) => new TypeError('fetch failed', { cause });
const reason = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall });
const refused = reason('ECONNREFUSED', 'connect');

test('TypeScript create: a name with several addresses was not reached where none of them was', async (t) => {
  const cases = [
    [refused, reason('ENETUNREACH', 'connect')],
    [refused, reason('ECONNRESET', 'read')],
  ];
  const seen: string[] = [];

  for (const reasons of cases) {
    const parcels = clientOf('https://parcels.test', () =>
      Promise.reject(failed(new AggregateError(reasons))),
    );
    seen.push((await t.throwsAsync<any>(parcels.createShipment(BODY))).name);
  }

  t.deepEqual(seen, ['ConnectionError', 'UnknownOutcomeError']);
});

test('TypeScript resolve: stays unknown when the service cannot be reached', async (t) => {
  const steps = [failed(reason('ECONNRESET', 'read')), failed(refused)];
  const parcels = clientOf('https://parcels.test', () => Promise.reject(steps.shift() ?? failed(refused)));
  const open = await t.throwsAsync<any>(parcels.createShipment(BODY));

  const still = await t.throwsAsync<any>(open.resolve({ timeoutMs: 500 }));

  t.is(still.name, 'UnknownOutcomeError');
});

test('TypeScript: a change without a key is sent again where nothing was sent', async (t) => {
  let tries = 0;
  const parcels = clientOf('https://parcels.test', async () => {
    tries += 1;
    if (tries === 1) throw failed(refused);
    return new Response('{"data":{"secret":"whsec_1"}}', { status: 201 });
  });

  await parcels.createWebhook({ url: 'https://shop.test', events: ['shipment.created'] });

  t.is(tries, 2);
});
