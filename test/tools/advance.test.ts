import test from 'ava';
import type { CarrierAccount, CarrierStatus } from '../../src/carriers/contract.js';
import { carrierFor } from '../../src/carriers/registry.js';
import { SHIPPING_STATUSES } from '../../src/domain/statuses.js';
import { demoCarrier } from '../../tools/demo/carriers.js';
import { type SandboxProvider, sandboxProviders, startSandbox } from '../../tools/doubles/carriers/server.js';
import type { SandboxStatus } from '../../tools/doubles/carriers/statuses.js';
import { account, booking, context, parcel } from '../carriers/support.js';
import { docPages } from '../support/doc-pages.js';

/** The answer of `GET /__statuses`. */
interface Told {
  takes: string[];
  or: string;
  statuses: SandboxStatus[];
}

/** A sandbox, and the demo's license at it. */
async function open(provider: SandboxProvider) {
  const sandbox = await startSandbox(provider);
  const adapter = carrierFor(provider);
  const post = async (control: string, body: object) => {
    const reply = await fetch(`${sandbox.url}/__${control}`, { method: 'POST', body: JSON.stringify(body) });
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
  };
  const settings: Record<string, unknown> = demoCarrier(adapter).settings(sandbox.url);
  const { token, key, merchant_key, webhook_secret, ...plain } = settings;
  const secrets = Object.fromEntries(
    Object.entries({ token, key, merchant_key, webhook_secret }).filter(([, value]) => value !== undefined),
  ) as Record<string, string>;
  const told = (await (await fetch(`${sandbox.url}/__statuses`)).json()) as Told;
  return { ...sandbox, adapter, post, told, account: account(plain, secrets) };
}

/** A new parcel, and how to read it. */
async function bookedAt({
  adapter,
  account: of,
}: {
  adapter: ReturnType<typeof carrierFor>;
  account: CarrierAccount;
}) {
  const request = booking();
  const outcome = await adapter.book(request, context(of));
  if (outcome.kind !== 'accepted') throw new Error(`${adapter.provider}: ${JSON.stringify(outcome)}`);
  const { trackingCode: code, carrierReference } = outcome.value;
  const read = async (): Promise<CarrierStatus['events'][number] | undefined> => {
    const found = await adapter.status?.fetch(
      [parcel(request.reference, code, carrierReference)],
      context(of),
    );
    return found?.kind === 'accepted' ? found.value[0]?.events.at(-1) : undefined;
  };
  return { code, read };
}

for (const provider of sandboxProviders()) {
  test(`${provider}: takes every word that it names, and means by it what the adapter reads`, async (t) => {
    const opened = await open(provider);
    t.teardown(opened.close);
    const { adapter, post, told } = opened;
    const meant = (name: string) => told.statuses.find(({ word }) => word === name)?.means ?? name;

    for (const name of told.takes) {
      const { code, read } = await bookedAt(opened);
      const moved = await post('advance', { code, status: name });

      t.is(moved.status, 200, name);
      t.is(moved.body.status, meant(name), name);
      if (adapter.status !== undefined) t.is(String((await read())?.code), meant(name), name);
    }
  });

  test(`${provider}: answers any other word with those that it takes`, async (t) => {
    const opened = await open(provider);
    t.teardown(opened.close);
    const { code } = await bookedAt(opened);

    const { status, body } = await opened.post('advance', { code, status: 'teleported!' });

    const { takes, or } = opened.told;
    t.is(status, 400);
    t.deepEqual(body, { error: 'The carrier has no such status.', takes, or });
  });

  test(`${provider}: the guide lists its words`, async (t) => {
    const { close, told } = await open(provider);
    t.teardown(close);
    const guide = docPages().find(({ path }) => path === 'docs/guides/test-mode.md');

    const row = guide?.text.split('\n').find((line) => line.startsWith(`| \`${provider}\` |`)) ?? '';

    const [, , ours = '', own = ''] = row.split('|');
    const words = [...`${ours} ${own}`.matchAll(/`([^`]+)`/g)].map(([, word]) => word);
    t.deepEqual(words, told.takes);
    t.true(own.endsWith(`, ${told.or} `), own);
  });
}

test('every status of the product but our own is one that some sandbox reports', async (t) => {
  const reported = new Set<string>();
  for (const provider of sandboxProviders()) {
    const { close, told } = await open(provider);
    await close();
    for (const { means } of told.statuses) reported.add(means);
  }

  t.deepEqual(
    SHIPPING_STATUSES.map(({ code }) => code).filter((code) => !reported.has(code)),
    ['pending', 'needs_attention'],
  );
});

test('run speaks Hebrew, to statuses and refusals', async (t) => {
  const opened = await open('run');
  t.teardown(opened.close);
  const { code, read } = await bookedAt(opened);
  await opened.post('advance', { code, status: 'out_for_delivery' });
  const request = booking({ pickupPointId: '9999' });

  const refused = await opened.adapter.book(request, context(opened.account));

  t.is((await read())?.carrierDescription, 'יצא לחלוקה עם השליח');
  t.like(refused, { kind: 'rejected', code: '900', text: 'נקודת האיסוף לא נמצאה' });
});
