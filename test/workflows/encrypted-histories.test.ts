import { randomBytes } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import test, { type ExecutionContext } from 'ava';
import type { CarrierAdapter } from '../../src/carriers/contract.js';
import { workflowIds } from '../../src/contracts/ids.js';
import { workflowBundlePath } from '../../src/main/workflow-bundle.js';
import { dataConverterOf } from '../../src/temporal/data-converter.js';
import { type ApiClient, shipmentBody, startApiStack } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { decide } from '../support/runs.js';
import { type TestStack } from '../support/stack.js';

const NAME = 'Kanari Vogelsang';
const PHONE = '0509998877';
const STREET = 'Sigalon Alley';
const EMAIL = 'kanari@vogelsang.example';
const GIVEN_CODE = 'ADOPTED-4711';
const CARRIERS_WORDS = `No such address for ${NAME}, ${PHONE}`;

const double = carrierDouble('double');
const adapter: CarrierAdapter = {
  ...double.adapter,
  cancel: async () => ({ kind: 'rejected', code: '9', text: CARRIERS_WORDS }),
};
let stack: TestStack;
let api: ApiClient;

test.before(async () => {
  ({ stack, api } = await startApiStack(
    {
      doubles: [adapter],
      env: { TEMPORAL_PAYLOAD_KEY: randomBytes(32).toString('base64') },
    },
    { createWaitMs: 20_000 },
  ));
});

test.after.always(() => stack?.close());

test.serial(
  'a refused creation leaves no word of the carrier in the engine, and its caller reads them',
  async (t) => {
    double.next.push({ kind: 'rejected', code: '7', text: CARRIERS_WORDS });

    const refused = await api.create(body());

    t.is(refused.status, 422, refused.text);
    t.is(refused.body.error.message, CARRIERS_WORDS);
    await isSilent(t, await newestCreation());
  },
);

test.serial('a creation that was tried again leaves no word of the failures between', async (t) => {
  double.next.push({ kind: 'unavailable', text: CARRIERS_WORDS });

  const created = await api.create(body());

  t.is(created.status, 201, created.text);
  t.is(double.booked.at(-1), created.body.data.uuid);
  await isSilent(t, await newestCreation());
});

test.serial('a creation whose parcel an operator adopted names nobody', async (t) => {
  double.next.push({ kind: 'unknown', text: CARRIERS_WORDS });
  const pending = await api.create(body());
  const [row] = await stack.db.select('SELECT workflow_id FROM shipments WHERE uuid = ?', [
    pending.body.data.uuid,
  ]);

  const told = await decide(stack.temporal, String(row?.workflow_id), {
    action: 'adopt',
    trackingCode: GIVEN_CODE,
  });

  t.is(pending.status, 202, pending.text);
  t.is(told, `created with tracking code ${GIVEN_CODE}`);
  await isSilent(t, await newestCreation());
});

test.serial('a cancellation that the carrier refuses leaves no word of it', async (t) => {
  const created = await api.create(body());

  const refused = await api.post(`/shipments/${created.body.data.uuid}/cancel`, {});

  t.is(refused.status, 409, refused.text);
  t.is(refused.body.error.message, CARRIERS_WORDS);
  await isSilent(t, stack.temporal.workflow.getHandle(workflowIds.cancelShipment(created.body.data.uuid)));
});

test.serial(
  'nothing that the engine stores of all these runs names a person or shows a secret',
  async (t) => {
    const { workflowService } = stack.temporal.connection;
    const { namespace } = stack.temporal.options;
    const listed = await workflowService.listWorkflowExecutions({ namespace, pageSize: 1000 });
    const types = new Set<string>();

    for (const { execution, type } of listed.executions) {
      types.add(type?.name ?? '');
      const described = await workflowService.describeWorkflowExecution({
        namespace,
        execution: execution ?? null,
      });
      const handle = stack.temporal.workflow.getHandle(
        execution?.workflowId ?? '',
        execution?.runId ?? undefined,
      );
      namesNobody(t, textsOf(historyToJSON(await handle.fetchHistory())));
      namesNobody(t, textsOf(JSON.stringify(described)));
    }

    t.true(types.has('createShipment') && types.has('cancelShipment'), [...types].join());
    namesNobody(t, textsOf(JSON.stringify(listed)));
  },
);

const body = () =>
  shipmentBody(stack.account, 'double', {
    ship_data: { contact_name: NAME, contact_phone: PHONE, contact_mail: EMAIL, street: STREET },
  });

async function newestCreation(): Promise<WorkflowHandle> {
  const [row] = await stack.db.select('SELECT workflow_id FROM shipments ORDER BY id DESC LIMIT 1');
  const run = stack.temporal.workflow.getHandle(String(row?.workflow_id));
  // However it ends.
  await run.result().catch(() => undefined);
  return run;
}

/** The stored history names nobody, and the code replays it. */
async function isSilent(t: ExecutionContext, handle: WorkflowHandle): Promise<void> {
  const history = await handle.fetchHistory();
  const texts = textsOf(historyToJSON(history));
  t.true(texts.length > 1);
  namesNobody(t, texts);

  const replay = Worker.runReplayHistory(
    {
      workflowBundle: { codePath: await workflowBundlePath(stack.config) },
      dataConverter: dataConverterOf(stack.config),
    },
    history,
    handle.workflowId,
  );
  await t.notThrowsAsync(replay);
}

/** A stored text, and what its base64 holds. */
function textsOf(stored: string): string[] {
  const encoded = [...stored.matchAll(/"([A-Za-z0-9+/]{4,}={0,2})"/g)].map(([, text = '']) =>
    Buffer.from(text, 'base64').toString(),
  );
  return [stored, ...encoded];
}

function namesNobody(t: ExecutionContext, texts: readonly string[]): void {
  const { TEMPORAL_PAYLOAD_KEY = '', APP_KEY = '' } = stack.env;
  const { clientSecret } = stack.account;
  const words = [
    'Kanari',
    PHONE,
    STREET,
    EMAIL,
    CARRIERS_WORDS,
    TEMPORAL_PAYLOAD_KEY,
    APP_KEY,
    clientSecret,
    'sandbox-token',
  ];
  for (const text of texts) {
    const found = words.find((word) => text.includes(word));
    t.is(found, undefined, text.slice(0, 500));
  }
}
