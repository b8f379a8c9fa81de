import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { createDocumentActivities } from '../../activities/index.js';
import type { RenderLabelsInput } from '../../src/contracts/render-labels.js';
import { DEFAULT_LABEL_OPTIONS } from '../../src/domain/labels.js';
import { startRenderLabelsTogether } from '../../src/temporal/starters.js';
import { type ApiClient, startApiStack } from '../support/api-client.js';
import { keepHistory } from '../support/histories.js';
import { readPdf } from '../support/pdf.js';
import { type TestStack } from '../support/stack.js';
import { createShipment } from '../support/webhooks.js';

const LABELS = 10;

let stack: TestStack;
let api: ApiClient;

test.before(async () => {
  ({ stack, api } = await startApiStack());
});
test.after.always(() => stack?.close());

test.serial(
  'labels of an account that are requested at once share runs, and each is a separate document',
  async (t) => {
    const shipments = await Promise.all(Array.from({ length: LABELS }, () => createShipment(stack, api)));

    const texts = await Promise.all(
      shipments.map(async ({ uuid }) => {
        const answer = await fetch(`${api.url}/api/v2/shipments/${uuid}/label`, {
          headers: { ...api.headers, accept: 'application/pdf' },
        });
        const pages = await readPdf(new Uint8Array(await answer.arrayBuffer()));
        return pages.map(({ text }) => text.replaceAll(' ', '')).join();
      }),
    );

    const { count } = await stack.temporal.workflow.count(
      `WorkflowType IN ('renderLabels', 'renderLabelsTogether')`,
    );
    t.true(count < LABELS, `${count} runs`);
    for (const [index, text] of texts.entries()) {
      const found = shipments.map((shipment) => shipment.tracking_code).filter((code) => text.includes(code));
      t.deepEqual(found, [shipments[index]?.tracking_code]);
    }
  },
);

test.serial('a set that is gone takes no other with it', async (t) => {
  const [one, other] = [await labelInput(), await labelInput()];
  const gone = { ...one, labelSetUuid: '5f0c1f7a-2b64-4f5c-9a3d-6c1f0a7be211' };

  const run = await startRenderLabelsTogether(stack.temporal, stack.account.id, [one, gone, other]);
  const results = await run.result();

  t.deepEqual(
    results.map((result) => result?.labels ?? null),
    [1, null, 1],
  );
  await keepHistory(
    stack.temporal.workflow.getHandle(run.workflowId),
    'renderLabelsTogether',
    'printed-but-one',
  );
});

test.serial('several sets cost the database what one costs', async (t) => {
  const inputs = await Promise.all(Array.from({ length: 4 }, labelInput));

  const one = await statementsOf(inputs.slice(0, 1));
  const all = await statementsOf(inputs);

  t.deepEqual(one, { select: 2, run: 1 });
  t.deepEqual(all, one);
});

/** Statements that printing these sets costs the database; the browser and the store are not part of it. */
async function statementsOf(inputs: readonly RenderLabelsInput[]): Promise<{ select: number; run: number }> {
  const counted = { select: 0, run: 0 };
  const db = new Proxy(stack.db, {
    get(target, key) {
      if (key === 'select' || key === 'run') counted[key] += 1;
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const { renderLabelsTogether } = createDocumentActivities({
    db,
    press: { print: async () => Buffer.of() },
    cache: { read: async () => null, write: async () => undefined },
    logos: { of: async () => null },
  });
  let printed: readonly unknown[] = [];
  await new MockActivityEnvironment().run(async () => {
    printed = await renderLabelsTogether(inputs);
  });
  if (printed.includes(null)) throw new Error('a set was not printed');
  return counted;
}

/** A shipment whose label has its address, as a run's input. */
async function labelInput(): Promise<RenderLabelsInput> {
  const { uuid } = await createShipment(stack, api);
  const { url } = (await api.get(`/shipments/${uuid}/label`)).body.data;
  return {
    accountId: stack.account.id,
    labelSetUuid: new URL(url).pathname.split('/').at(-1) ?? '',
    options: DEFAULT_LABEL_OPTIONS,
    baseUrl: 'https://other.test',
    contentHash: uuid,
    labels: 1,
    shipmentUuid: uuid,
  };
}
