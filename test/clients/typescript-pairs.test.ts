import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { projectFolder } from '../../tools/launcher/paths.js';
import type { Pair } from '../support/recorded-pairs.js';
import { client } from '../support/typescript-client.js';

const FILES = ['creations', 'too-many', 'reads'];
const ERRORS: Readonly<Record<string, string>> = {
  refused: 'ApiError',
  later: 'ApiError',
  unknown: 'UnknownOutcomeError',
};

const read = (name: string) =>
  JSON.parse(readFileSync(join(projectFolder, `clients/pairs/${name}.json`), 'utf8'));

for (const pair of FILES.flatMap((name): Pair[] => read(name))) {
  const { request, answer, means } = pair;

  test(`${request.method} ${request.path}: ${means.outcome} when the answer is "${pair.name}"`, async (t) => {
    const sent: { url: string; init: any }[] = [];
    const parcels = clientFor(pair, sent);
    const path = request.path.replace('/api/v2', '');
    const operation = { method: request.method, path, repeat: request.method === 'GET' ? 'safe' : 'key' };
    const asking = () =>
      parcels.call(
        operation,
        { body: request.body },
        { key: request.headers['Idempotency-Key'], maxTries: 2 },
      );
    // An answer without change needs an earlier read.
    if (means.outcome === 'unchanged') await asking();

    const outcome = await asking().catch((error: unknown) => error);

    t.is(outcome.name, ERRORS[means.outcome]);
    t.is(outcome.isReplay ?? false, means.outcome === 'replayed');
    t.is(outcome.isRunning ?? false, means.outcome === 'running');
    const error = means.outcome === 'unknown' ? outcome.cause : outcome;
    t.is(error.code, means.code);
    t.deepEqual(error.fields ?? {}, (answer.body as any)?.error?.fields ?? {});
    t.is(sent.length, means.tries_again || means.outcome === 'unchanged' ? 2 : 1);
    t.deepEqual({ ...sent.at(-1)?.init.headers, ...request.headers }, sent.at(-1)?.init.headers);
    t.is(
      new Set(sent.map(({ init }) => init.headers['X-Request-Id'])).size,
      means.tries_again ? 1 : sent.length,
    );
    t.is(sent[0]?.url, `https://parcels.test${request.path}`);
    t.deepEqual(JSON.parse(sent[0]?.init.body ?? 'null'), request.body ?? null);
  });
}

test('verifyWebhook: what the service signs, and nothing else', async (t) => {
  const { cases, tolerance_seconds: toleranceSeconds } = read('webhooks');

  for (const { name, body, headers, secrets, now_seconds: nowSeconds, is_valid } of cases) {
    for (const given of [headers, new Headers(headers)]) {
      const seen = await client
        .verifyWebhook(new TextEncoder().encode(body), given, secrets, { toleranceSeconds, nowSeconds })
        .catch((error: unknown) => error);
      if (is_valid) t.deepEqual(seen.event, JSON.parse(body), name);
      else t.is(seen.name, 'WebhookError', name);
      if (is_valid) t.is(seen.id, headers['webhook-id'] ?? headers['x-service-event-id'], name);
    }
  }
});

test('verifyWebhook: says which clock is off and by how much, and that a secret or the bytes are missing', async (t) => {
  const secret = `whsec_${'now1'.repeat(10)}`;
  const { body, headers } = await client.signWebhook({ event: 'ping' }, secret, { nowSeconds: 1000 });
  const verified = (given: any, secrets: any, nowSeconds: number) => () =>
    client.verifyWebhook(given, headers, secrets, { nowSeconds });

  await t.throwsAsync(verified(body, secret, 1400), {
    name: 'WebhookError',
    message: /400 seconds behind this clock; 300 are allowed/,
  });
  await t.throwsAsync(verified(body, secret, 600), {
    name: 'WebhookError',
    message: /400 seconds ahead of this clock/,
  });
  for (const none of [undefined, '', []]) {
    await t.throwsAsync(verified(body, none, 1000), { name: 'TypeError', message: /^secrets / });
  }
  await t.throwsAsync(verified(JSON.parse(body), secret, 1000), { name: 'TypeError', message: /^body / });
});

test('signWebhook: a test event that either signature proves, with each of two secrets', async (t) => {
  const secrets = [`whsec_${'now1'.repeat(10)}`, `whsec_${'old2'.repeat(10)}`];
  const event = { event: 'ping', created_at: 1, data: { webhook_id: 'one' } };

  const { body, headers } = await client.signWebhook(event, secrets);

  const own = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('webhook-')));
  for (const secret of secrets) {
    for (const given of [headers, own]) {
      t.deepEqual((await client.verifyWebhook(body, given, secret)).event, event);
    }
  }
  await t.throwsAsync(client.verifyWebhook(`${body} `, headers, secrets), { name: 'WebhookError' });
});

/** A client whose service gives the pair's answer, without its wait; where that is "unchanged", first a parcel. */
function clientFor({ answer }: Pair, sent: { url: string; init: any }[]): any {
  const unchanged = answer.status === 304;
  return new client.Parcelworks({
    baseUrl: 'https://parcels.test/',
    clientId: 'ci_1',
    clientSecret: 'sk_1',
    keptReads: unchanged ? 1 : 0,
    fetch: async (url: string, init: any) => {
      sent.push({ url, init });
      const headers = { ...answer.headers, ...(answer.headers['retry-after'] ? { 'retry-after': '0' } : {}) };
      if (unchanged && sent.length === 1) return new Response('{"data":{}}', { headers });
      const text = answer.body === undefined ? null : JSON.stringify(answer.body);
      return new Response(text, { status: answer.status, headers });
    },
  });
}
