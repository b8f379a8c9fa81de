import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { runAdmin } from '../support/admin.js';
import { shipmentBody } from '../support/api-client.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { patient } from '../support/patience.js';
import { anyPort, startApiProcess, startOwnEngines, startWorkerProcess } from '../support/processes.js';
import { startSpanSink } from '../support/span-sink.js';
import { startStack } from '../support/stack.js';

const PERSON = {
  contact_name: 'Kanari Vogelsang',
  contact_phone: '0509998877',
  street: 'Sigalon Alley',
  contact_email: 'kanari@vogelsang.example',
};

test('logs, metrics, traces and the engine’s store hold nobody’s data and no secret', async (t) => {
  t.timeout(patient(240_000));
  const owner = new CleanUps();
  t.teardown(() => owner.end());
  const engines = await startOwnEngines(owner);
  const sink = await startSpanSink();
  owner.teardown(() => sink.close());
  const payloadKey = randomBytes(32).toString('base64');
  const stack = await startStack({
    engines,
    env: {
      TEMPORAL_PAYLOAD_KEY: payloadKey,
      OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
      OTEL_BSP_SCHEDULE_DELAY: '200',
      LOG_LEVEL: 'info',
    },
  });
  owner.teardown(() => stack.close());
  const ports = [await anyPort(), await anyPort()];
  const settings = { LOG_LEVEL: 'info' };
  const worker = await startWorkerProcess(owner, stack, {
    ...settings,
    WORKER_METRICS_PORT: String(ports[1]),
  });
  const api = await startApiProcess(owner, stack, { ...settings, API_METRICS_PORT: String(ports[0]) });
  const cargo = stack.sandboxes.get('cargo');
  const create = (provider: string) =>
    api.client.create(shipmentBody(stack.account, provider, { ship_data: PERSON }));

  const created = await create('run');
  await stack.sandbox.fault({ operation: 'book', kind: 'status', value: 429, times: 1 });
  const retried = await create('run');
  await stack.sandbox.fault({ operation: 'book', kind: 'error_in_200', value: 100, times: 1 });
  const refused = await create('run');
  await cargo?.fault({ operation: 'book', kind: 'drop_after', times: 1 });
  const waiting = await create('cargo');
  const [parcel] = (await cargo?.ledger()) ?? [];
  const resolve = ['resolve', String(waiting.body.data?.uuid), '--adopt', String(parcel?.code)];
  const adopted = await runAdmin(resolve, stack.env);
  t.deepEqual(
    [created, retried, refused, waiting].map(({ status }) => status),
    [201, 201, 422, 202],
    waiting.text,
  );
  t.is(adopted.code, 0, adopted.err);
  t.true(JSON.stringify(await stack.sandbox.ledger()).includes(PERSON.contact_name));
  await eventually(() => sink.spans.some(({ name }) => name === 'record'), 'the spans of the worker');
  const metrics = await Promise.all(
    ports.map(async (port) => await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
  );
  await Promise.all([api.process.stop(), worker.stop()]);
  await engines.temporal.stop();

  const stored = readdirSync(engines.folder).filter((name) => name.startsWith('temporal.db'));
  const places: Record<string, string> = {
    'log of the API': readFileSync(api.process.logFile, 'utf8'),
    'log of the worker': readFileSync(worker.logFile, 'utf8'),
    metrics: metrics.join('\n'),
    traces: sink.raw.join('\n'),
    'store of the engine': stored.map((name) => readFileSync(join(engines.folder, name), 'utf8')).join('\n'),
  };
  const { clientSecret, licenseKeys } = stack.account;
  const secrets = [clientSecret, payloadKey, stack.env.APP_KEY ?? '', ...Object.values(licenseKeys)];
  const words = Object.values(PERSON).flatMap((text) => [text, text.replace(/^0/, '+972')]);
  for (const [place, text] of Object.entries(places)) {
    t.true(text.length > 1000, `${place}: ${text.length}`);
    t.deepEqual(
      [...words, ...secrets].filter((word) => text.includes(word)),
      [],
      place,
    );
  }
  t.true(places['store of the engine']?.includes(String(created.body.data.uuid)), 'ids are in clear');
});
