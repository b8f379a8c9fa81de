import { createServer } from 'node:http';
import { ApplicationFailure } from '@temporalio/common';
import test from 'ava';
import { EXPORT_FAILURES } from '../../src/contracts/export-shipments.js';
import { createStorage } from '../../src/documents/storage.js';
import { reasonOf } from '../../src/main/engine-logs.js';
import { UnreadablePayload } from '../../src/temporal/payload-codec.js';
import { listen } from '../support/local-server.js';

const keys = { accessKeyId: 'id', secretAccessKey: 'secret' };

for (const [code, status] of [
  ['NoSuchBucket', 404],
  ['AccessDenied', 403],
  ['InvalidAccessKeyId', 403],
  ['NotImplemented', 501],
] as const) {
  test(`reason: names ${code} when a document store answers it`, async (t) => {
    const server = createServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(`<Error><Code>${code}</Code><Message>of Dana Levi</Message></Error>`);
    });
    const { url: endpoint, close } = await listen(server);
    t.teardown(close);
    const storage = createStorage({ kind: 's3', bucket: 'b', region: 'us-east-1', endpoint, keys });

    const error = await t.throwsAsync(storage.write('labels/one.pdf', Buffer.from('x'), 'application/pdf'));

    t.is(reasonOf(error), `Exception E_CANNOT_WRITE_FILE (${code})`);
  });
}

test('reason: names the refused connection when a document store is away', async (t) => {
  const storage = createStorage({
    kind: 's3',
    bucket: 'b',
    region: 'x',
    endpoint: 'http://127.0.0.1:1',
    keys,
  });

  const error = await t.throwsAsync(storage.write('labels/one.pdf', Buffer.from('x'), 'application/pdf'));

  t.regex(reasonOf(error), /^Exception E_CANNOT_WRITE_FILE \(.*ECONNREFUSED/);
});

test('reason: what an error wraps has its names and no texts', (t) => {
  const inner = new Error('of Dana Levi, 0501234567');
  const named = (name: string, cause?: Error) => Object.assign(new Error('of Dana', { cause }), { name });

  t.is(reasonOf(named('Outer', named('Middle', inner))), 'Outer (Middle < Error)');
  t.is(reasonOf(named('Outer', named('<html>Dana</html>', inner))), 'Outer (Error)');
  t.is(
    reasonOf(ApplicationFailure.create({ type: 'CarrierRejected', message: 'Dana', cause: inner })),
    'CarrierRejected (Error)',
  );
  t.is(reasonOf(inner), 'Error');
});

test('reason: names the payload key that is missing', (t) => {
  const message = 'A payload of the key k2 cannot be decrypted: TEMPORAL_PAYLOAD_KEY has k1.';

  t.is(reasonOf(new UnreadablePayload(message)), `UnreadablePayload: ${message}`);
});

test("reason: has the mail error's own words when a mail of an export is not sent", (t) => {
  const message = 'The mail server was not used: its certificate is not trusted (self-signed).';

  for (const type of [EXPORT_FAILURES.mailNotSent, EXPORT_FAILURES.mailRefused]) {
    t.is(reasonOf(ApplicationFailure.create({ type, message })), `${type}: ${message}`);
  }
});
