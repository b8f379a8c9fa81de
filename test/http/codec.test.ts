import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter } from '@temporalio/common';
import test from 'ava';
import { EncryptingCodec } from '../../src/temporal/payload-codec.js';
import { earlyInTheMinute } from '../support/conditions.js';
import { type HttpStack, startHttp } from '../support/http.js';
import { send } from '../support/http-send.js';
import { cookieOf } from '../support/panel.js';

const TOKEN = randomBytes(32).toString('hex');
const UI = 'http://temporal.parcels.test:8233';
const payloadEncryption = { keys: new Map([['k1', randomBytes(32)]]), clear: 'refuse' as const };
const codec = new EncryptingCodec(payloadEncryption);
const context = { type: 'workflow', namespace: 'n', workflowId: 'shipment/1/a' } as const;
const plain = defaultPayloadConverter.toPayload({ name: 'Dana' });

let http: HttpStack;
test.before(async () => {
  http = await startHttp({ config: { payloadEncryption, codecToken: TOKEN, temporalUiUrl: `${UI}/ui` } });
});
test.after.always(() => http?.close());

const base64 = (bytes?: Uint8Array | null) => Buffer.from(bytes ?? []).toString('base64');
const asJson = ({ metadata, data }: typeof plain) => ({
  metadata: Object.fromEntries(Object.entries(metadata ?? {}).map(([name, value]) => [name, base64(value)])),
  data: base64(data),
});
const bearer = { authorization: `Bearer ${TOKEN}` };
const ask = (path: string, body: unknown, headers: Record<string, string> = bearer, method = 'POST') =>
  send(`${http.url}/temporal-codec${path}`, method, {
    headers: { 'content-type': 'application/json', 'x-namespace': 'n', ...headers },
    json: body,
  });

test('POST /temporal-codec/decode: decrypts what any run stored, and leaves the rest as it is', async (t) => {
  const stored = await codec.encode([plain], context);

  const answer = await ask('/decode?preserveStorageRefs=true', { payloads: [...stored, plain].map(asJson) });

  t.is(answer.status, 200, answer.text);
  t.deepEqual(answer.body, { payloads: [asJson(plain), asJson(plain)] });
  t.is(answer.headers.get('cache-control'), 'no-store');
});

test('POST /temporal-codec/encode: encrypts for every run', async (t) => {
  const encoded = await ask('/encode', { payloads: [asJson(plain)] });

  const [payload] = encoded.body.payloads;
  const bytes = Object.entries<string>(payload.metadata).map(([name, value]) => [
    name,
    Buffer.from(value, 'base64'),
  ]);
  const decoded = await codec.decode(
    [{ metadata: Object.fromEntries(bytes), data: Buffer.from(payload.data, 'base64') }],
    context,
  );
  t.deepEqual(decoded.map(asJson), [asJson(plain)]);
  t.false(encoded.text.includes(base64(plain.data)));
});

test('POST /temporal-codec: takes the token of the header or the path, and logs neither', async (t) => {
  const body = { payloads: [asJson(plain)] };

  t.is((await ask('/decode', body)).status, 200);
  t.is((await ask(`/${TOKEN}/decode`, body, {})).status, 200);
  for (const [path, headers] of [
    ['/decode', {}],
    ['/decode', { authorization: `Bearer ${TOKEN}x` }],
    ['/decode', { authorization: TOKEN }],
    [`/${TOKEN}x/decode`, {}],
    [`/wrong/encode`, bearer],
  ] as const) {
    t.is((await ask(path, body, headers)).status, 401, path);
  }
  t.false(http.log.join('').includes(TOKEN));
  t.true(http.log.some((line) => line.includes('POST /temporal-codec/{operation}')));
});

test('POST /temporal-codec: answers 4xx to anything that is no payload it can read', async (t) => {
  const foreign = new EncryptingCodec({ keys: new Map([['k9', randomBytes(32)]]), clear: 'refuse' });
  const [unreadable = plain] = await foreign.encode([plain], context);

  for (const body of [null, [], {}, { payloads: {} }, { payloads: [1] }, { payloads: [{ metadata: 1 }] }]) {
    t.is((await ask('/decode', body)).status, 400, JSON.stringify(body));
  }
  t.is((await ask('/decode', { payloads: [{ metadata: { encoding: '!' }, data: '' }] })).status, 400);
  const answer = await ask('/decode', { payloads: [asJson(unreadable)] });
  t.is(answer.status, 400);
  t.regex(answer.body.error.message, /the key k9 cannot be decrypted: TEMPORAL_PAYLOAD_KEY has k1/);
  t.is((await ask('/delete', { payloads: [] })).status, 404);
  t.is((await ask('/decode', undefined, bearer, 'GET')).status, 405);
  t.is((await ask('/decode', { payloads: ['x'.repeat(8 * 1024 * 1024)] })).status, 413);
});

test('POST /temporal-codec: takes the session of an operator, not that of a merchant', async (t) => {
  const { id } = await http.account();
  const statusOf = async (cookie: string) =>
    (await ask('/decode', { payloads: [] }, { cookie, origin: UI })).status;
  const operator = await cookieOf(http, 'operator');

  t.is(await statusOf(operator), 200);
  t.is(await statusOf(await cookieOf(http, 'administrator')), 200);
  t.is(await statusOf(await cookieOf(http, 'owner', id)), 401);
  t.is(await statusOf(`${operator}x`.replaceAll(';', 'x;')), 401);
  const { headers } = await ask('/decode', undefined, { origin: UI }, 'OPTIONS');
  t.is(headers.get('access-control-allow-credentials'), 'true');
});

test("OPTIONS /temporal-codec: the UI's pages may read answers and refusals, no others", async (t) => {
  const preflight = (origin: string) => ask('/decode', undefined, { origin }, 'OPTIONS');

  const allowed = await preflight(UI);
  t.is(allowed.status, 204);
  t.is(allowed.headers.get('access-control-allow-origin'), UI);
  t.is(allowed.headers.get('access-control-allow-headers'), 'content-type, x-namespace, authorization');
  t.is((await preflight('http://elsewhere.test')).headers.get('access-control-allow-origin'), null);
  const refused = await ask('/decode', { payloads: [] }, { origin: UI });
  t.deepEqual([refused.status, refused.headers.get('access-control-allow-origin')], [401, UI]);
});

test('POST /temporal-codec: is not there without panel and token, and limits wrong ones', async (t) => {
  const off = await startHttp({ config: { payloadEncryption, panel: false } });
  t.teardown(() => off.close());
  const limited = await startHttp({
    config: { payloadEncryption, codecToken: TOKEN, authFailuresPerMinute: 2 },
  });
  t.teardown(() => limited.close());
  const statusOf = async ({ url }: HttpStack, token: string) =>
    (await send(`${url}/temporal-codec/${token}/decode`, 'POST', { json: { payloads: [] } })).status;

  await earlyInTheMinute();

  t.is(await statusOf(off, TOKEN), 404);
  t.deepEqual([await statusOf(limited, 'a'), await statusOf(limited, 'b')], [401, 401]);
  t.is(await statusOf(limited, 'c'), 429);
  t.is(await statusOf(limited, TOKEN), 200);
});
