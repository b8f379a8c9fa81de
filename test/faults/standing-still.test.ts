import test from 'ava';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually, onceBegun } from '../support/conditions.js';
import { patient } from '../support/patience.js';
import { startWorkerProcess, type TestProcess } from '../support/processes.js';
import { startStack, type TestStack } from '../support/stack.js';

/** Carriers that cannot be asked for a parcel by our reference. */
const PROVIDERS = ['getpackage', 'cargo'] as const;
const REPLY_AFTER_MS = 8000;
/** The run looks for a late answer a minute after it has begun to wait for a person. */
const CREATED_WITHIN_MS = 90_000;

const owner = new CleanUps();
let stack: TestStack;
let api: ApiClient;
let worker: TestProcess;

test.before(async () => {
  stack = await startStack();
  owner.teardown(() => stack.close());
  await stack.db.run(`UPDATE license_settings SET settings = JSON_SET(settings, '$.timeout_ms', 60000)`);
  api = new ApiClient(await stack.startApi(), stack.account);
  worker = await startWorkerProcess(owner, stack);
});
test.after.always(() => owner.end());

for (const provider of PROVIDERS) {
  test.serial(
    `a worker that stands still while ${provider} books has its answer in the end, and no person is asked`,
    async (t) => {
      t.timeout(patient(3 * CREATED_WITHIN_MS));
      const sandbox = stack.sandboxes.get(provider);
      if (sandbox === undefined) throw new Error(`${provider} has no sandbox`);
      await sandbox.fault({ operation: 'book', kind: 'latency_after', value: REPLY_AFTER_MS });
      const body = shipmentBody(stack.account, provider);
      const creating = onceBegun(() => api.create(body, `still-${provider}`));
      const [parcel] = await eventually(async () => {
        const ledger = await sandbox.ledger();
        return ledger.length > 0 && ledger;
      }, 'the carrier to book');
      const uuid = String(parcel?.reference);
      const [row] = await stack.db.select('SELECT workflow_id FROM shipments WHERE uuid = ?', [uuid]);
      const run = stack.temporal.workflow.getHandle(String(row?.workflow_id));

      signal(worker, 'SIGSTOP');
      t.teardown(() => signal(worker, 'SIGCONT'));
      await eventually(async () => {
        const { raw } = await run.describe();
        return raw.pendingActivities?.some(({ attempt }) => Number(attempt) > 1);
      }, 'the engine to give the try up');
      signal(worker, 'SIGCONT');
      const shipment = await eventually(
        async () => {
          const { data } = (await api.get(`/shipments/${uuid}`)).body;
          return data.status.code === 'created' && data;
        },
        'the shipment',
        CREATED_WITHIN_MS,
      );
      await run.result();

      const answer = await creating;
      t.true(answer.status < 300, answer.text);
      t.is(shipment.tracking_code, parcel?.code);
      t.is((await sandbox.ledger()).length, 1);
    },
  );
}

function signal({ pid }: TestProcess, name: 'SIGSTOP' | 'SIGCONT'): void {
  if (pid !== undefined) process.kill(pid, name);
}
