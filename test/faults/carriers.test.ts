import test from 'ava';
import { allCarriers } from '../../src/carriers/registry.js';
import type { BookingDecision } from '../../src/contracts/create-shipment.js';
import { type ApiClient, shipmentBody, startApiStack } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import type { HttpAnswer } from '../support/http-send.js';
import { violations } from '../support/invariants.js';
import { decide } from '../support/runs.js';
import type { FaultRequest, SandboxClient } from '../support/sandbox-client.js';
import { type TestStack } from '../support/stack.js';

/** The end of a booking that a fault hits: its answer comes by itself, or a person decides. */
type End = 'created' | 'needs_attention';

const UNREADABLE: Record<string, FaultRequest> = {
  'the reply is lost': { operation: 'book', kind: 'drop_after' },
  'the reply is cut short': { operation: 'book', kind: 'truncate' },
  'the gateway fails after the booking': { operation: 'book', kind: 'status', value: 502, after: true },
};
const NOT_BOOKED: FaultRequest = { operation: 'book', kind: 'drop_before' };

/** By the protocol: a look-up or a replay settles it; a refusal of duplicates settles only what was not booked. */
function endOf(carrier: (typeof CARRIERS)[number], booked: boolean): End {
  if (carrier.findByReference !== undefined || carrier.duplicates === 'replays') return 'created';
  return carrier.duplicates === 'rejects' && !booked ? 'created' : 'needs_attention';
}

const CARRIERS = allCarriers().filter(({ provider }) => provider !== 'independent');

let stack: TestStack;
let api: ApiClient;

test.before(async () => {
  ({ stack, api } = await startApiStack());
});
test.after.always(() => stack?.close());

function sandboxOf(provider: string): SandboxClient {
  const sandbox = stack.sandboxes.get(provider);
  if (sandbox === undefined) throw new Error(`${provider} has no sandbox`);
  return sandbox;
}

test('at least five carriers speak a protocol', (t) => {
  t.true(CARRIERS.length >= 5);
});

for (const carrier of CARRIERS) {
  const { provider } = carrier;

  test.serial(`${provider}: a parcel is booked and cancelled, once each`, async (t) => {
    const body = shipmentBody(stack.account, provider);

    const created = await api.create(body);
    const { uuid, tracking_code: code } = created.body.data;
    const cancelled = await api.post(`/shipments/${uuid}/cancel`, {});

    t.is(created.status, 201, created.text);
    t.is(cancelled.status, 200, cancelled.text);
    const [entry] = await parcelsOf(provider, uuid);
    t.like(entry, { code, status: 'cancelled', requests: 1 });
  });

  for (const [what, fault] of Object.entries(UNREADABLE)) {
    const end = endOf(carrier, true);
    test.serial(`${provider}: where ${what} the parcel is ${end}, and booked once`, async (t) => {
      await sandboxOf(provider).fault(fault);

      const answer = await api.create(shipmentBody(stack.account, provider));

      const { uuid } = answer.body.data;
      t.is((await parcelsOf(provider, uuid)).length, 1);
      if (end === 'created') t.is(answer.status, 201, answer.text);
      else t.is(await decided(provider, answer), 'created');
    });
  }

  test.serial(`${provider}: where the request is lost nothing is booked twice`, async (t) => {
    const end = endOf(carrier, false);
    await sandboxOf(provider).fault(NOT_BOOKED);

    const answer = await api.create(shipmentBody(stack.account, provider));

    const { uuid } = answer.body.data;
    if (end === 'created') t.is(answer.status, 201, answer.text);
    else t.is(await decided(provider, answer), 'created');
    t.is((await parcelsOf(provider, uuid)).length, 1);
  });
}

test.serial('after all of it every ledger is what we hold', async (t) => {
  t.deepEqual(await violations(stack, api, []), []);
  for (const { provider } of CARRIERS) t.true((await sandboxOf(provider).ledger()).length >= 5, provider);
});

async function parcelsOf(provider: string, uuid: string) {
  return (await sandboxOf(provider).ledger()).filter(({ reference }) => reference === uuid);
}

/** Acts as an operator: looks in the carrier's own system, adopts the parcel or sends it again. */
async function decided(provider: string, answer: HttpAnswer): Promise<string> {
  const { uuid } = answer.body.data;
  if (answer.status !== 202) throw new Error(`${answer.status} ${answer.text}`);
  const row = await eventually(async () => {
    const [found] = await stack.db.select(
      `SELECT workflow_id FROM shipments WHERE uuid = ? AND status_code = 'needs_attention'`,
      [uuid],
    );
    return found ?? false;
  }, 'the flag');
  const [parcel] = await parcelsOf(provider, uuid);
  const [newest] = await stack.db.select(
    'SELECT MAX(number) attempt FROM carrier_attempts WHERE shipment_uuid = ?',
    [uuid],
  );
  const decision: BookingDecision =
    parcel === undefined
      ? { action: 'retry', attempt: Number(newest?.attempt) }
      : { action: 'adopt', trackingCode: parcel.code };
  await decide(stack.temporal, String(row.workflow_id), decision);
  return (await api.get(`/shipments/${uuid}`)).body.data.status.code;
}
