import test from 'ava';
import { ApiClient, shipmentBody } from '../../support/api-client.js';
import { eventually } from '../../support/conditions.js';
import type { Remembered } from '../../support/invariants.js';
import type { LedgerEntry } from '../../support/sandbox-client.js';
import { SandboxClient } from '../../support/sandbox-client.js';
import { startStack, type TestStack } from '../../support/stack.js';
import { subscribe } from '../../support/webhooks.js';
import { doubles, type Evidence, judge } from './judge.js';
import { ledgersOf } from './ledgers.js';
import { mailRecipients } from './mails.js';
import { type Outside, seenOutside, startOutside } from './outside.js';
import { atRest } from './rest.js';

const ITEMS = 3;
const REST_MS = 60_000;

let stack: TestStack;
let api: ApiClient;
let outside: Outside;
let good: Evidence;

test.before(async (t) => {
  t.timeout(180_000);
  const ends: (() => unknown)[] = [];
  outside = await startOutside({ teardown: (end) => ends.push(end) });
  stack = await startStack({ env: outside.env });
  endOutside = () => Promise.all(ends.map((end) => end()));
  await stack.startWorkers();
  api = new ApiClient(await stack.startApi(), stack.account);
  const webhook = await subscribe(stack, api, { url: outside.receiver.url, provider: 'run' });
  await mailRecipients(stack);
  const remembered: Remembered[] = [];
  for (const number of [1, 2, 3]) {
    const mail = { ship_data: { contact_mail: `r${number}@example.test` } };
    const body = shipmentBody(stack.account, 'run', mail);
    const { status, text } = await api.create(body, `key-${number}`);
    remembered.push({ key: `key-${number}`, body, status, text });
  }
  const [first] = remembered;
  const uuid = JSON.parse(first?.text ?? '').data.uuid;
  await api.post(`/shipments/${uuid}/cancel`, {});
  const shipments = Array.from({ length: ITEMS }, () => shipmentBody(stack.account, 'run'));
  const batch = await api.post('/batches', { shipments, license_key: stack.account.licenseKeys.run });
  await api.post('/exports', { license_key: stack.account.licenseKeys.run });
  await atRest(stack, 'all', REST_MS);
  good = {
    stack,
    client: api,
    remembered,
    batches: [{ id: batch.body.data.id, items: ITEMS }],
    cancelled: [uuid],
    webhookId: webhook.id,
    ...seenOutside(outside),
  };
});
let endOutside = async (): Promise<unknown> => undefined;
test.after.always(async () => {
  await stack?.close();
  await endOutside();
});

test.serial('a run in which all went well has no fault', async (t) => {
  t.deepEqual(await judge(good), []);
});

/** The evidence of `good` with carriers whose ledger of `run` is changed. */
function withLedger(change: (entries: LedgerEntry[]) => LedgerEntry[]): Evidence {
  class Changed extends SandboxClient {
    override async ledger(): Promise<LedgerEntry[]> {
      return change(await super.ledger());
    }
  }
  const sandboxes = new Map(stack.sandboxes).set('run', new Changed(stack.sandbox.url));
  return { ...good, stack: { ...stack, sandboxes } };
}

/** Faults in what those outside saw, and what the judge says of each. */
const SEEN: Record<string, { evidence: () => Evidence; says: RegExp }> = {
  'a parcel is booked twice': {
    evidence: () =>
      withLedger(([one, ...rest]) => (one === undefined ? [] : [one, { ...one, code: '1' }, ...rest])),
    says: /^booked twice: run /,
  },
  'a parcel is lost at the carrier': {
    evidence: () => withLedger(([, ...rest]) => rest),
    says: /^shipment without parcel/,
  },
  'a parcel is booked that nobody asked for': {
    evidence: () => withLedger((all) => all.map((one) => ({ ...one, reference: 'other' }))),
    says: /^parcel without shipment/,
  },
  'a cancelled parcel is on its way': {
    evidence: () => withLedger((all) => all.map((one) => ({ ...one, status: 'created' }))),
    says: /^cancelled here and live at the carrier/,
  },
  'a parcel is called off at the carrier alone': {
    evidence: () => withLedger((all) => all.map((one) => ({ ...one, status: 'cancelled' }))),
    says: /^cancelled at the carrier and live here/,
  },
  'a webhook never arrived': {
    evidence: () => ({ ...good, sent: good.sent.slice(1) }),
    says: /never arrived$/,
  },
  'a webhook came once more than was noted': {
    evidence: () => ({ ...good, sent: [...good.sent, good.sent[0] ?? ''] }),
    says: /^delivery .+: 2 requests, 1 attempts/,
  },
  'a mail never arrived': {
    evidence: () => ({ ...good, mails: good.mails.slice(1) }),
    says: /mails, \d+ wanted$/,
  },
  'a mail came twice under two names': {
    evidence: () => ({ ...good, mails: [...good.mails, '<another@example.test>'] }),
    says: /mails, \d+ wanted$/,
  },
  'a repeated creation has another answer': {
    evidence: () => ({
      ...good,
      remembered: good.remembered.map((one) => ({ ...one, text: `${one.text} ` })),
    }),
    says: /^key key-1: other bytes$/,
  },
  'two keys have one shipment': {
    evidence: () => ({ ...good, remembered: [...good.remembered, ...good.remembered.slice(0, 1)] }),
    says: /^two keys share a shipment$/,
  },
  'an item of a batch is lost': {
    evidence: () => ({ ...good, batches: good.batches.map((one) => ({ ...one, items: one.items + 1 })) }),
    says: /^batch .+ has 3 items$/,
  },
  'a cancellation that was answered is not there': {
    evidence: () => ({ ...good, cancelled: good.remembered.map(({ text }) => JSON.parse(text).data.uuid) }),
    says: /^told of as cancelled, and is not/,
  },
};

for (const [what, { evidence, says }] of Object.entries(SEEN)) {
  test.serial(`the judge finds it when ${what}`, async (t) => {
    const found = await judge(evidence());

    t.true(
      found.some((one) => says.test(one)),
      found.join('\n'),
    );
  });
}

const ONE = `WHERE state = 'created' AND status_code = 'created' ORDER BY id DESC LIMIT 1`;
const NEWEST = `(SELECT id FROM (SELECT id FROM shipments ${ONE}) newest)`;
/** Faults in the service's rows: each is one change, and the one that takes it back. */
const ROWS: Record<string, { change: string; back: string; says: RegExp }> = {
  'a creation never ends': {
    change: `UPDATE shipments SET state = 'reserved' WHERE id = ${NEWEST}`,
    back: `UPDATE shipments SET state = 'created' WHERE state = 'reserved'`,
    says: /^not at rest: 1 parcels without an end$/,
  },
  'a delivery waits for ever': {
    change: `UPDATE webhook_deliveries SET status = 'pending' ORDER BY id LIMIT 1`,
    back: `UPDATE webhook_deliveries SET status = 'succeeded' WHERE status = 'pending'`,
    says: /^not at rest: 1 deliveries$/,
  },
  'an event was never told': {
    change: `UPDATE webhook_deliveries SET event = 'shipment.lost' WHERE event = 'shipment.created' LIMIT 1`,
    back: `UPDATE webhook_deliveries SET event = 'shipment.created' WHERE event = 'shipment.lost'`,
    says: /: 0 deliveries of its creation$/,
  },
  'a webhook was given up too soon': {
    change: `UPDATE webhook_deliveries SET status = 'failed' ORDER BY id LIMIT 1`,
    back: `UPDATE webhook_deliveries SET status = 'succeeded' WHERE status = 'failed'`,
    says: /failed after 1 attempts$/,
  },
  'an item of a batch failed by our fault': {
    change: `UPDATE batch_items SET status = 'failed', error = '{"code":"internal_error"}' ORDER BY id LIMIT 1`,
    back: `UPDATE batch_items SET status = 'created', error = NULL WHERE status = 'failed'`,
    says: /an item failed with \{"code":"internal_error"\}$/,
  },
  'an export failed': {
    change: `UPDATE exports SET status = 'failed'`,
    back: `UPDATE exports SET status = 'completed'`,
    says: /^1 exports failed$/,
  },
  'a cancelled parcel comes back to life': {
    change: `UPDATE shipments SET status_code = 'created' WHERE status_code = 'cancelled'`,
    back: `UPDATE shipments SET status_code = 'cancelled' WHERE id = (SELECT shipment_id FROM shipment_events WHERE code = 'cancelled' LIMIT 1)`,
    says: / is created after created,cancelled$/,
  },
  'a shipment has no tracking code': {
    change: `UPDATE shipments SET external_id = tracking_code, tracking_code = NULL WHERE id = ${NEWEST}`,
    back: 'UPDATE shipments SET tracking_code = external_id, external_id = NULL WHERE tracking_code IS NULL',
    says: /^created shipment without tracking code/,
  },
  'a call to the carrier has no end': {
    change: `UPDATE carrier_attempts SET state = 'sending' WHERE operation = 'book' ORDER BY id LIMIT 1`,
    back: `UPDATE carrier_attempts SET state = 'accepted' WHERE state = 'sending'`,
    says: /^finished shipment with an attempt under way/,
  },
  'the counts of shipments are wrong': {
    change: `UPDATE shipment_counts SET total = total + 1 ORDER BY total DESC LIMIT 1`,
    back: `UPDATE shipment_counts SET total = total - 1 ORDER BY total DESC LIMIT 1`,
    says: /^shipments counted wrongly/,
  },
  'a shipment belongs to no key': {
    change: `UPDATE idempotency_keys SET shipment_uuid = REVERSE(shipment_uuid) ORDER BY id DESC LIMIT 1`,
    back: `UPDATE idempotency_keys SET shipment_uuid = REVERSE(shipment_uuid) ORDER BY id DESC LIMIT 1`,
    says: /^shipment of no key/,
  },
};

for (const [what, { change, back, says }] of Object.entries(ROWS)) {
  test.serial(`the judge finds it when ${what}`, async (t) => {
    await stack.db.run(change);

    const found = await judge(good);
    await stack.db.run(back);

    t.true(
      found.some((one) => says.test(one)),
      found.join('\n'),
    );
  });
}

test.serial('the rows are as before, so that each fault was found by itself', async (t) => {
  t.deepEqual(await judge(good), []);
});

test.serial('a carrier whose look-up finds nothing makes a lost reply a second parcel', async (t) => {
  await stack.sandbox.configure({ rejectDuplicates: false, hidesParcels: true });
  await stack.sandbox.fault({ operation: 'book', kind: 'drop_after' });

  await api.create(shipmentBody(stack.account, 'run'));

  const found = await eventually(
    async () => {
      const twice = doubles(await ledgersOf(stack.sandboxes));
      return twice.length > 0 && twice;
    },
    'the second parcel',
    REST_MS,
  );
  t.is(found.length, 1);
});
