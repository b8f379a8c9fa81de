import test from 'ava';
import { adapterFinder } from '../../src/carriers/registry.js';
import { openDatabase } from '../../src/db/database.js';
import {
  inboundUrl,
  licenseInboundUrl,
  rotateInboundUrl,
} from '../../src/services/carriers/inbound-addresses.js';
import { carrierDouble } from '../support/carrier-double.js';
import { eventually } from '../support/conditions.js';
import { appKeysOf } from '../support/factories.js';
import { startHttp } from '../support/http.js';
import { type HttpAnswer, send } from '../support/http-send.js';
import {
  inboundEvent,
  inboundUrlOf,
  licenseIdOf,
  storedEvents,
  tell,
  withInbound,
} from '../support/inbound.js';
import { runApi } from '../support/run-api.js';
import { startStack, type TestStack } from '../support/stack.js';

/** Of an address, at its end; it may hold hyphens itself. */
const PROOF_LENGTH = 32;

const doubles = ['taking', 'judging', 'turning', 'closing', 'limited', 'free'].map((name) =>
  withInbound(carrierDouble(name).adapter),
);
const mute = carrierDouble('mute').adapter;
let stack: TestStack;
let api: string;

test.before(async () => {
  stack = await startStack({ doubles: [...doubles, mute] });
  api = await stack.startApi();
});
test.after.always(() => stack?.close());

test('events are stored before the answer, each once, however often and together they come', async (t) => {
  const url = await inboundUrlOf(stack, api, 'taking');
  const one = inboundEvent('collected', { trackingCode: 'P-1' });
  const two = inboundEvent('delivered', { trackingCode: 'P-1' });

  const first = await tell(url, [one]);
  const [same, both] = await Promise.all([tell(url, [one]), tell(url, [two, one])]);

  t.deepEqual([first.status, first.body], [200, { received: 1 }]);
  t.deepEqual([same.body, both.body], [{ received: 1 }, { received: 2 }]);
  t.is(first.headers.get('cache-control'), 'no-store');
  t.is((await storedEvents(stack, 'taking')).length, 2);
});

test('what names no parcel of ours is taken and not kept, and a clock that runs ahead is set right', async (t) => {
  const url = await inboundUrlOf(stack, api, 'judging');
  const before = await storedEvents(stack, 'judging');

  const answer = await tell(url, [
    inboundEvent('collected', {}),
    inboundEvent('collected', { reference: 'somebody else’s order' }),
    inboundEvent('collected', { trackingCode: 'x'.repeat(65) }),
    inboundEvent('collected', { trackingCode: 'AHEAD', secondsAgo: -86_400 }),
  ]);

  const kept = (await storedEvents(stack, 'judging')).slice(before.length);
  t.deepEqual([answer.status, answer.body], [200, { received: 4 }]);
  t.deepEqual(
    kept.map((row) => row.tracking_code),
    ['AHEAD'],
  );
  t.true(Math.abs(Date.parse(`${String(kept[0]?.occurred_at).replace(' ', 'T')}Z`) - Date.now()) < 60_000);
});

test('a forged message is 401 and an unreadable one 400, and nothing of either is kept', async (t) => {
  const url = await inboundUrlOf(stack, api, 'judging');
  const count = (await storedEvents(stack, 'judging')).length;

  const forged = await tell(url, [inboundEvent('delivered', { trackingCode: 'FORGED' })], {
    'x-proof': 'guess',
  });
  const unreadable = await send(url, 'POST', {
    raw: Buffer.from([0xff, 0xfe, 0x00]),
    headers: { 'x-proof': 'sandbox-token', 'content-type': 'text/weird' },
  });
  const empty = await send(url, 'POST', { headers: { 'x-proof': 'sandbox-token' } });

  t.deepEqual([forged.status, unreadable.status, empty.status], [401, 400, 400]);
  t.is(forged.body.error.code, 'unauthenticated');
  t.is(unreadable.body.error.code, 'malformed_json');
  const kept = (await storedEvents(stack, 'judging')).filter((row) => row.tracking_code !== 'AHEAD');
  t.true(kept.length <= count);
});

test('every address that is none answers like a route that does not exist', async (t) => {
  const url = await inboundUrlOf(stack, api, 'taking');
  const token = url.split('/').at(-1) ?? '';
  const retired = await inboundUrlOf(stack, api, 'turning');
  const deps = {
    db: stack.db,
    config: { ...stack.config, baseUrl: api },
    carriers: adapterFinder([...doubles, mute]),
  };
  const next = await rotateInboundUrl(deps, await licenseIdOf(stack, 'turning'));
  const nowhere = await send(`${api}/nowhere`, 'POST', { json: {} });
  const wrong = {
    'another proof': `${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`,
    'a short proof': url.slice(0, -1),
    'another license': url.replace(token, token.replace(/^\d+/, '1')),
    'the next generation': url.replace(token, token.replace('-1-', '-2-')),
    'another provider': url.replace('/taking/', '/judging/'),
    'no provider': url.replace('/taking/', '/%00/'),
    'a retired address': retired,
    'a carrier without webhooks': await inboundUrlOf(stack, api, 'mute'),
  };

  const answers: [string, HttpAnswer][] = [];
  for (const [name, address] of Object.entries(wrong)) answers.push([name, await tell(address, [])]);
  const turned = await tell(next ?? '', []);
  const read = await send(url, 'GET');

  for (const [name, answer] of answers) {
    t.is(answer.status, 404, name);
    t.is(answer.text, nowhere.text, name);
    t.deepEqual(namesOf(answer), namesOf(nowhere), name);
  }
  t.is(turned.status, 200);
  t.is(next, await inboundUrlOf(stack, api, 'turning', 2));
  t.is(await licenseInboundUrl(deps, await licenseIdOf(stack, 'mute')), null);
  t.is(await licenseInboundUrl(deps, 0), null);
  t.deepEqual([read.status, read.headers.get('allow')], [405, 'POST']);
});

test('a license that is turned off still hears of its parcels', async (t) => {
  const url = await inboundUrlOf(stack, api, 'closing');
  await stack.db.run('UPDATE licenses SET is_active = FALSE WHERE id = ?', [
    await licenseIdOf(stack, 'closing'),
  ]);

  const answer = await tell(url, [inboundEvent('delivered', { trackingCode: 'ON-ITS-WAY' })]);

  t.is(answer.status, 200);
  t.is((await storedEvents(stack, 'closing')).length, 1);
});

test('a body over 256 KiB is 413', async (t) => {
  const url = await inboundUrlOf(stack, api, 'taking');

  const answer = await send(url, 'POST', {
    raw: Buffer.alloc(256 * 1024 + 1, 'a'),
    headers: { 'x-proof': 'sandbox-token' },
  });

  t.is(answer.status, 413);
});

for (const [what, text] of [
  ['members', JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [index, 1])))],
  ['values', JSON.stringify({ events: [], more: Array(2000).fill(0) })],
] as const) {
  test(`a body of too many ${what} is 413 before anything is parsed`, async (t) => {
    const url = await inboundUrlOf(stack, api, 'judging');

    const answer = await send(url, 'POST', { raw: text, headers: { 'x-proof': 'sandbox-token' } });

    t.is(answer.status, 413, answer.text);
    t.is(answer.body.error.code, 'payload_too_large');
  });
}

test('a license over its limit waits, and so does an address that guesses; the others go on', async (t) => {
  // A tenth of the messages that a license may be told.
  const limited = await stack.startApi(undefined, { rateLimitPerMinute: 0.3, authFailuresPerMinute: 3 });
  const url = await inboundUrlOf(stack, limited, 'limited');
  const other = await inboundUrlOf(stack, limited, 'free');

  const told = await untilLimited(() => tell(url, []));
  const guessed = await untilLimited(() => tell(`${url}x`, []));
  const free = await tell(other, []);

  t.is(told[0]?.status, 200);
  t.is(told.at(-1)?.status, 429);
  t.true(Number(told.at(-1)?.headers.get('retry-after')) >= 1);
  t.true(guessed.every(({ status }) => status === 404 || status === 429));
  t.is(guessed.at(-1)?.status, 429);
  t.is(free.status, 200);
});

test('without MySQL nothing is acknowledged, and the carrier is asked to retry', async (t) => {
  const nowhere = openDatabase({ url: 'mysql://root@127.0.0.1:1/none', poolSize: 1 });
  const broken = await runApi(stack.config, nowhere, stack.temporal, doubles);
  t.teardown(async () => {
    await broken.close();
    await nowhere.close();
  });
  const url = await inboundUrlOf(stack, broken.url, 'taking');

  const answer = await tell(url, [inboundEvent('delivered', { trackingCode: 'P-2' })]);

  t.is(answer.status, 503);
  t.true(Number(answer.headers.get('retry-after')) >= 1);
});

test('the log says which license was lied to, and neither its address nor the message', async (t) => {
  const key = appKeysOf(Buffer.alloc(32, 9));
  const http = await startHttp({
    config: { appKeys: key },
    app: () => ({
      carriers: () => withInbound(carrierDouble('run').adapter),
      accounts: async (licenseId) => ({ licenseId, settings: {}, secrets: { token: 'own' }, collectFrom }),
    }),
  });
  t.teardown(() => http.close());
  const account = await http.account();
  const { id } = await http.license(account.id);
  const url = await inboundUrl(
    { db: http.db, config: { baseUrl: http.url, appKeys: key } },
    { provider: 'run', licenseId: id, generation: 1 },
  );
  const event = inboundEvent('delivered', { trackingCode: 'SECRET-PARCEL' });

  const forged = await tell(url, [event]);
  const taken = await tell(url, [event], { 'x-proof': 'own' });
  const unknown = await tell(`${url}x`, [event]);

  const lines = await eventually(() => http.log.length >= 4 && http.log.join(''), 'the log');
  t.deepEqual([forged.status, taken.status, unknown.status], [401, 200, 404]);
  const refused = http.log
    .map((line) => JSON.parse(line))
    .find((line) => line.msg === 'carrier webhook refused');
  t.like(refused, { licenseId: id, provider: 'run', problem: 'forged' });
  t.regex(lines, /POST \/carriers\/\{provider\}\/\{token\}/);
  for (const secret of [url.slice(-PROOF_LENGTH), 'SECRET-PARCEL', 'sandbox-token', event.id]) {
    t.false(lines.includes(secret), secret);
  }
});

const collectFrom = { street: '', number: '', city: '', company: '' };

function namesOf({ headers }: HttpAnswer): string[] {
  return [...headers.keys()].sort();
}

/** A minute may end in between, so that one more round is needed. */
async function untilLimited(ask: () => Promise<HttpAnswer>): Promise<HttpAnswer[]> {
  const answers: HttpAnswer[] = [];
  while (answers.length < 10 && answers.at(-1)?.status !== 429) answers.push(await ask());
  return answers;
}
