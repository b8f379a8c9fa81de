import test from 'ava';
import type { CarrierAdapter, Outcome } from '../../src/carriers/contract.js';
import { workflowIds } from '../../src/contracts/ids.js';
import { countNeedingAttention, listNeedingAttention } from '../../src/db/queries/shipments/attention.js';
import { resolveBooking } from '../../src/services/admin/bookings.js';
import { TEST_ACTOR } from '../support/actor.js';
import { ApiClient } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { keepHistory } from '../support/histories.js';
import { askPanel, cookieOf } from '../support/panel.js';
import { startStack, type TestStack } from '../support/stack.js';

type Cancelled = Outcome<{ text: string }>;

/** Answers of the next cancellations. */
const answers: Cancelled[] = [];
const REFUSED: Cancelled = { kind: 'rejected', code: 'final', text: 'It cannot be cancelled any more.' };
const LOST: Cancelled = { kind: 'unknown', text: 'connection reset' };
/** Cannot be asked how a parcel stands. */
const mute: CarrierAdapter = {
  ...carrierDouble('mute').adapter,
  cancel: async () => answers.shift() ?? REFUSED,
};
/** Can be asked, and does not know the parcel. */
const unknowing: CarrierAdapter = {
  ...carrierDouble('unknowing').adapter,
  cancel: async () => answers.shift() ?? REFUSED,
  status: { maxBulk: 1, fetch: async () => ({ kind: 'rejected', code: 'none', text: 'No such parcel.' }) },
};
let stack: TestStack;
let api: ApiClient;
let url: string;

test.before(async () => {
  stack = await startStack({ doubles: [mute, unknowing] });
  await stack.startWorkers();
  url = await stack.startApi();
  api = new ApiClient(url, stack.account);
});

test.after.always(() => stack?.close());

for (const provider of ['mute', 'unknowing']) {
  test.serial(
    `POST /cancel: a refusal after a lost answer of ${provider} is shown to a person`,
    async (t) => {
      const uuid = await api.created(provider);
      answers.push(LOST, REFUSED);

      const unsure = await api.post(`/shipments/${uuid}/cancel`, { reason: 'changed their mind' });
      const again = await api.post(`/shipments/${uuid}/cancel`, {});

      t.is(unsure.status, 503, unsure.text);
      t.is(unsure.body.error.code, 'service_unavailable');
      t.is(again.text, unsure.text);
      const { body } = await api.get(`/shipments/${uuid}`);
      t.like(body.data, {
        is_active: true,
        status: { code: 'needs_attention', description: 'Needs attention' },
      });
      t.like(await waiting(uuid), { state: 'created', provider });
      if (provider === 'mute') await keepHistory(handleOf(uuid), 'cancelShipment', 'unsure');
    },
  );
}

test.serial('POST /cancel: a refusal after a call that was not carried out is 409', async (t) => {
  const uuid = await api.created('mute');
  answers.push({ kind: 'throttled', retryAfterMs: undefined, text: 'too many requests' }, REFUSED);

  const refused = await api.post(`/shipments/${uuid}/cancel`, {});

  t.is(refused.status, 409, refused.text);
  t.is(await waiting(uuid), undefined);
});

test.serial('resolveBooking: a parcel that may be cancelled is, or goes on', async (t) => {
  const [cancelled, goesOn] = [await api.created('mute'), await api.created('mute')];
  for (const uuid of [cancelled, goesOn]) {
    answers.push(LOST, REFUSED);
    await api.post(`/shipments/${uuid}/cancel`, {});
  }
  const { body } = await api.get(`/shipments/${goesOn}`);
  const app = { ...stack, actor: TEST_ACTOR, wake: () => undefined };
  const adopt = (trackingCode: string) => ({
    uuid: goesOn,
    decision: { action: 'adopt' as const, trackingCode },
  });
  const giveUp = { action: 'give_up' as const, attempt: 0, reason: 'the courier says so' };

  const foreign = await t.throwsAsync(resolveBooking(app, adopt('another')));
  const decided = [
    await resolveBooking(app, adopt(body.data.tracking_code)),
    await resolveBooking(app, { uuid: cancelled, decision: giveUp }),
  ];

  t.regex(foreign?.message ?? '', /does not wait|not wait/i);
  t.deepEqual(decided, [{ kind: 'goes_on' }, { kind: 'cancelled' }]);
  t.is((await api.get(`/shipments/${goesOn}`)).body.data.status.code, 'created');
  t.like((await api.get(`/shipments/${cancelled}`)).body.data, {
    is_active: false,
    status: { code: 'cancelled' },
  });
  t.is(await waiting(goesOn), undefined);
  const { counts } = await countsOf();
  t.deepEqual(counts, await rows());
  t.is((await countNeedingAttention(stack.db, { provider: 'mute' })).total, 1);
});

test.serial('POST /panel/attention: a parcel that may be cancelled goes on', async (t) => {
  const uuid = await api.created('mute');
  answers.push(LOST, REFUSED);
  await api.post(`/shipments/${uuid}/cancel`, {});
  const { body } = await api.get(`/shipments/${uuid}`);
  const cookie = await cookieOf(stack, 'operator');
  const form = { action: 'adopt', seen: `${uuid} 1`, code: body.data.tracking_code };
  const send = (fields: Record<string, string>) =>
    askPanel(`${url}/panel/attention`, { headers: { cookie }, form: Object.entries(fields) });

  const shown = await askPanel(`${url}/panel/attention`, { headers: { cookie } });
  const asked = await send(form);
  const decided = await send({ ...form, answer: 'yes' });

  t.true(shown.text.includes(`value="${uuid} 1"`), shown.text);
  t.true(
    shown.text.includes('An answer to a cancellation was lost, and the carrier said then: It cannot be'),
  );
  t.true(asked.text.includes('The carrier has not cancelled it: it goes on'), asked.text);
  t.true(decided.text.includes('Goes on'), decided.text);
  t.is((await api.get(`/shipments/${uuid}`)).body.data.status.code, 'created');
});

/** The counts kept of the account's shipments, without the empty ones. */
async function countsOf() {
  const counts = await stack.db.select(
    `SELECT license_id, status_code, CAST(SUM(total) AS SIGNED) AS n FROM shipment_counts WHERE account_id = ?
     GROUP BY license_id, status_code HAVING n > 0 ORDER BY license_id, status_code`,
    [stack.account.id],
  );
  return { counts };
}

async function rows() {
  return await stack.db.select(
    `SELECT license_id, status_code, COUNT(*) AS n FROM shipments WHERE account_id = ? AND state = 'created'
     GROUP BY license_id, status_code ORDER BY license_id, status_code`,
    [stack.account.id],
  );
}

async function waiting(uuid: string) {
  return (await listNeedingAttention(stack.db, { limit: 100 })).find((one) => one.uuid === uuid);
}

function handleOf(uuid: string) {
  return stack.temporal.workflow.getHandle(workflowIds.cancelShipment(uuid));
}
