import { randomBytes } from 'node:crypto';
import { METADATA_ENCODING_KEY, type Payload, type SerializationContext } from '@temporalio/common';
import test from 'ava';
import type { PayloadEncryption } from '../../src/config/config.js';
import { payloadConverter } from '../../src/temporal/converters.js';
import { dataConverterOf } from '../../src/temporal/data-converter.js';
import { EncryptingCodec, keyIdOf, UnreadablePayload } from '../../src/temporal/payload-codec.js';

const KEYS = { k1: randomBytes(32), k2: randomBytes(32) };
const codecOf = (ids: readonly (keyof typeof KEYS)[], clear: PayloadEncryption['clear'] = 'refuse') =>
  new EncryptingCodec({ keys: new Map(ids.map((id) => [id, KEYS[id]])), clear });
const of = (workflowId: string): SerializationContext => ({ type: 'workflow', namespace: 'n', workflowId });
const clear = payloadConverter.toPayload({ name: 'Dana' });
const valueOf = (payloads: readonly Payload[]) => payloads.map((one) => payloadConverter.fromPayload(one));

async function encrypted(codec: EncryptingCodec, workflowId = 'shipment/1/a'): Promise<Payload> {
  const [payload] = await codec.encode([clear], of(workflowId));
  if (payload === undefined) throw new Error('nothing was encoded');
  return payload;
}

test('EncryptingCodec: the first key encrypts, each decrypts, and the payload names its key', async (t) => {
  const old = await encrypted(codecOf(['k1']));
  const rotated = await encrypted(codecOf(['k2', 'k1']));

  t.is(keyIdOf(old), 'k1');
  t.is(keyIdOf(rotated), 'k2');
  t.deepEqual(valueOf(await codecOf(['k1', 'k2']).decode([old, rotated], of('shipment/1/a'))), [
    { name: 'Dana' },
    { name: 'Dana' },
  ]);
});

test('EncryptingCodec: where clear is written, processes with a key read what those without it have written and what others encrypt', async (t) => {
  const writing = codecOf(['k1'], 'write');
  const written = await encrypted(writing);
  const both = [written, await encrypted(codecOf(['k1'], 'accept'))];

  t.deepEqual(written, clear);
  t.deepEqual(writing.encodeForAnyRun([clear]), [clear]);
  for (const codec of [writing, codecOf(['k1'], 'accept')]) {
    t.deepEqual(valueOf(await codec.decode(both, of('shipment/1/a'))), [{ name: 'Dana' }, { name: 'Dana' }]);
  }
});

test('EncryptingCodec: names a missing or other key and shows no bytes of one', async (t) => {
  const payload = await encrypted(codecOf(['k2']));
  const other = new EncryptingCodec({ keys: new Map([['k2', KEYS.k1]]), clear: 'refuse' });

  for (const [codec, message] of [
    [codecOf(['k1']), /the key k2 cannot be decrypted: TEMPORAL_PAYLOAD_KEY has k1\./],
    [other, /the key k2 cannot be decrypted: the key of that id is another one/],
  ] as const) {
    const error = await t.throwsAsync(codec.decode([payload], of('shipment/1/a')), {
      instanceOf: UnreadablePayload,
      message,
    });
    for (const key of Object.values(KEYS)) t.false(String(error?.stack).includes(key.toString('base64')));
  }
});

test('dataConverterOf: without a key, what others encrypt is unreadable by the id of its key, and clear stays clear', async (t) => {
  const [codec] = dataConverterOf({ payloadEncryption: null }).payloadCodecs ?? [];
  const payload = await encrypted(codecOf(['k2']));

  await t.throwsAsync(async () => codec?.decode([payload]), {
    instanceOf: UnreadablePayload,
    message: /the key k2 cannot be decrypted: TEMPORAL_PAYLOAD_KEY has none\./,
  });
  t.deepEqual(await codec?.decode((await codec?.encode([clear])) ?? []), [clear]);
});

test('EncryptingCodec: each refusal names its run and the reason', async (t) => {
  const told: string[][] = [];
  const encryption = { keys: new Map([['k1', KEYS.k1]]), clear: 'refuse' } as const;
  const codec = new EncryptingCodec(encryption, (...words) => told.push(words));

  await codec.decode([clear, await encrypted(codec, 'shipment/1/a')], of('shipment/1/b'));

  t.deepEqual(
    told.map(([run, why = '']) => [run, why.slice(0, 20)]),
    [
      ['shipment/1/b', 'This input is not en'],
      ['shipment/1/b', 'This payload belongs'],
    ],
  );
});

test('EncryptingCodec: changed bytes, a changed owner or key id, and a payload without them are unreadable', async (t) => {
  const codec = codecOf(['k2', 'k1']);
  const payload = await encrypted(codec);
  const data = Buffer.from(payload.data ?? []);
  data.writeUInt8(data.readUInt8(40) ^ 1, 40);

  for (const changed of [
    { ...payload, data },
    { ...payload, data: data.subarray(0, 20) },
    { ...payload, metadata: { ...payload.metadata, owner: Buffer.from('shipment/1/b') } },
    { ...payload, metadata: { ...payload.metadata, owner: Buffer.from('*') } },
    { ...payload, metadata: { ...payload.metadata, 'encryption-key-id': Buffer.from('k1') } },
    { metadata: { [METADATA_ENCODING_KEY]: Buffer.from('binary/encrypted') }, data: payload.data ?? null },
  ]) {
    await t.throwsAsync(codec.decode([changed]), { instanceOf: UnreadablePayload });
  }
});

test('EncryptingCodec: a payload of another run is refused, those of one Schedule are not', async (t) => {
  const codec = codecOf(['k1']);
  const payload = await encrypted(codec, 'shipment/1/a');
  const [first, second] = ['2026-11-26T09:47:00Z', '2026-11-26T09:48:00Z'].map(
    (at) => `sweep-workflow-${at}`,
  );
  const unbound = await codec.encode([clear]);

  const foreign = await codec.decode([payload], of('shipment/1/b'));
  const between = await codec.decode([await encrypted(codec, first)], of(second ?? ''));
  const started = await codec.decode([await encrypted(codec, 'sweep-workflow')], of(first ?? ''));

  t.throws(() => valueOf(foreign), { message: 'This payload belongs to another run.' });
  t.throws(() => valueOf([...foreign, clear]));
  t.deepEqual(valueOf([...between, ...started]), [{ name: 'Dana' }, { name: 'Dana' }]);
  const ownerless = await codec.decode(unbound, of('shipment/1/a'));
  t.throws(() => valueOf(ownerless), { message: /another run/ });
  t.deepEqual(valueOf(await codec.decode(unbound)), [{ name: 'Dana' }]);
});

test('EncryptingCodec: an activity reads its own run alone', async (t) => {
  const codec = codecOf(['k1']);
  const payload = await encrypted(codec, 'shipment/1/a');
  const activityOf = (workflowId: string) =>
    ({ type: 'activity', namespace: 'n', workflowId, activityId: '1', isLocal: false }) as const;

  t.deepEqual(valueOf(await codec.decode([payload], activityOf('shipment/1/a'))), [{ name: 'Dana' }]);
  const foreign = await codec.decode([payload], activityOf('shipment/1/b'));
  t.throws(() => valueOf(foreign), { message: /another run/ });
});

test('EncryptingCodec: every run reads what a person encrypted at the codec endpoint', async (t) => {
  const codec = codecOf(['k1']);

  const decoded = await codec.decode(codec.encodeForAnyRun([clear]), of('shipment/1/a'));

  t.deepEqual(valueOf(decoded), [{ name: 'Dana' }]);
});

test('EncryptingCodec: payloads in clear are refused unless they are accepted; people see them', async (t) => {
  const refused = await codecOf(['k1']).decode([clear], of('shipment/1/a'));

  t.throws(() => valueOf(refused), { message: /not encrypted.*admin resolve/ });
  t.is(keyIdOf(clear), '(clear)');
  t.deepEqual(valueOf(await codecOf(['k1'], 'accept').decode([clear])), [{ name: 'Dana' }]);
  const shown = codecOf(['k1']).reveal([clear, await encrypted(codecOf(['k1']), 'any/run')]);
  t.deepEqual(valueOf(shown), [{ name: 'Dana' }, { name: 'Dana' }]);
});
