import test, { type ExecutionContext } from 'ava';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { CleanUps } from '../support/clean-ups.js';
import type { HttpAnswer } from '../support/http-send.js';
import { violations } from '../support/invariants.js';
import { patient } from '../support/patience.js';
import { startWorkerProcess } from '../support/processes.js';
import type { FaultRequest } from '../support/sandbox-client.js';
import { startStack, type TestStack } from '../support/stack.js';

const REPEATS = Number(process.env.FAULT_REPEATS ?? 1);
/** The license's time-out is 3 s. */
const TOO_LATE_MS = 4000;

let stack: TestStack;
let client: ApiClient;
const owner = new CleanUps();

test.before(async () => {
  stack = await startStack();
  owner.teardown(() => stack.close());
  client = new ApiClient(await stack.startApi(), stack.account);
  await startWorkerProcess(owner, stack);
});
test.after.always(() => owner.end());

const replies: Record<string, Omit<FaultRequest, 'operation'>> = {
  lost: { kind: 'drop_after' },
  truncated: { kind: 'truncate' },
  'truncated, but complete by its length': { kind: 'truncate', value: 1 },
  late: { kind: 'latency_after', value: TOO_LATE_MS },
  'an error of the gateway after the booking': { kind: 'status', value: 502, after: true },
};

for (const [name, fault] of Object.entries(replies)) {
  test.serial(`the reply to a booking is ${name}: the parcel is adopted, not booked again`, async (t) => {
    t.timeout(patient(REPEATS * 30_000));
    for (let turn = 1; turn <= REPEATS; turn += 1) {
      const key = `${name.replaceAll(' ', '-')}-${turn}`;
      const body = shipmentBody(stack.account, 'run');
      await stack.sandbox.fault({ operation: 'book', ...fault });

      const created = await client.create(body, key);

      await assertBookedOnce(t, created, { key, body });
    }
  });
}

test.serial('a look-up that fails as well is asked again before anything is sent', async (t) => {
  const key = 'look-up-fails';
  const body = shipmentBody(stack.account, 'run');
  await stack.sandbox.fault({ operation: 'book', kind: 'drop_after' });
  await stack.sandbox.fault({ operation: 'find', kind: 'drop_before' });
  await stack.sandbox.fault({ operation: 'find', kind: 'status', value: 500 });

  const created = await client.create(body, key);

  await assertBookedOnce(t, created, { key, body });
});

/** The creation is answered with its parcel, which the carrier was sent once. */
async function assertBookedOnce(
  t: ExecutionContext,
  { status, body: { data }, text }: HttpAnswer,
  sent: { key: string; body: object },
): Promise<void> {
  t.is(status, 201, text);
  t.deepEqual(await violations(stack, client, [{ ...sent, status, text }]), []);
  const entries = (await stack.sandbox.ledger()).filter((one) => one.reference === data.uuid);
  t.deepEqual(
    entries.map((one) => [one.code, one.requests]),
    [[data.tracking_code, 1]],
  );
}
