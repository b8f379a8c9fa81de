import { readFileSync } from 'node:fs';
import test from 'ava';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { startApiProcess, startWorkerProcess, type TestProcess } from '../support/processes.js';
import { startRecordingProxy } from '../support/recording-proxy.js';
import { type SunkSpan, startSpanSink } from '../support/span-sink.js';
import { startStack, type TestStack } from '../support/stack.js';

const CALLER = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' };

const owner = new CleanUps();
let stack: TestStack;
let sink: Awaited<ReturnType<typeof startSpanSink>>;
let carrier: Awaited<ReturnType<typeof startRecordingProxy>>;
let api: Awaited<ReturnType<typeof startApiProcess>>;

test.before(async () => {
  sink = await startSpanSink();
  owner.teardown(() => sink.close());
  stack = await startStack({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `${sink.url}/`, OTEL_BSP_SCHEDULE_DELAY: '200' },
  });
  owner.teardown(() => stack.close());
  carrier = await startRecordingProxy(stack.sandboxes.get('getpackage')?.url ?? '');
  owner.teardown(() => carrier.close());
  await stack.db.run(
    `UPDATE license_settings SET settings = JSON_SET(settings, '$.base_url', ?)
    WHERE license_id = (SELECT id FROM licenses WHERE license_key = ?)`,
    [carrier.url, stack.account.licenseKeys.getpackage ?? ''],
  );
  await startWorkerProcess(owner, stack, { LOG_LEVEL: 'info' });
  api = await startApiProcess(owner, stack, { LOG_LEVEL: 'info' });
});
test.after.always(() => owner.end());

test.serial("a creation is one trace, from its caller's span to the carrier's request", async (t) => {
  const created = await api.client.post('/shipments', shipmentBody(stack.account, 'getpackage'), {
    traceparent: `00-${CALLER.trace}-${CALLER.span}-01`,
    'x-request-id': 'shop-4712',
  });

  t.is(created.status, 201, created.text);
  const spans = await spansOf(CALLER.trace, [
    'POST /shipments',
    'start createShipment',
    'reserve',
    'book',
    'POST',
  ]);
  const parentOf = ({ parentSpanId }: SunkSpan) =>
    spans.find(({ spanId }) => spanId === parentSpanId)?.name ?? parentSpanId;
  const spanOf = (name: string) => spans.find((span) => span.name === name) as SunkSpan;
  t.deepEqual(
    ['POST /shipments', 'start createShipment', 'reserve', 'book', 'POST'].map((name) =>
      parentOf(spanOf(name)),
    ),
    [CALLER.span, 'POST /shipments', 'start createShipment', 'start createShipment', 'book'],
  );
  t.deepEqual(
    [spanOf('POST /shipments').service, spanOf('book').service],
    ['parcelworks-api', 'parcelworks-worker'],
  );
  t.like(spanOf('POST /shipments').attributes, {
    'http.response.status_code': '201',
    'parcelworks.request_id': 'shop-4712',
    'parcelworks.shipment': created.body.data.uuid,
  });
  const told = carrier.requests.map(({ traceparent }) => traceparent);
  const calls = spans.filter(({ attributes }) => attributes['server.address'] === '127.0.0.1');
  t.deepEqual(
    told.filter((traceparent) => traceparent.includes(CALLER.trace)).toSorted(),
    calls.map(({ spanId }) => `00-${CALLER.trace}-${spanId}-01`).toSorted(),
  );
  t.true(told.length > 0);
});

test.serial('a failure names its kind in the spans, and log lines have the trace', async (t) => {
  await stack.sandbox.fault({ operation: 'book', kind: 'status', value: 429, times: 1 });

  const created = await api.client.create(shipmentBody(stack.account, 'run'));

  t.is(created.status, 201, created.text);
  const failed = await eventually(
    () => sink.spans.find(({ name, status }) => name === 'book' && status.code === 2),
    'the span of the failed try',
  );
  t.like(failed.attributes, { 'error.type': 'CarrierUnavailable', 'temporal.attempt': '1' });
  t.is(failed.status.message ?? '', '');
  const request = await eventually(
    () => logOf(api.process).find((line) => line.shipment === created.body.data.uuid),
    'the line of the request',
  );
  t.is(request.traceId, failed.traceId);
});

test.serial('no span holds words of a caller or a carrier', async (t) => {
  const { ship_data: asked } = shipmentBody(stack.account, 'run');
  await stack.sandbox.fault({ operation: 'book', kind: 'error_in_200', value: 100 });
  const refused = await new ApiClient(api.url, stack.account).post(
    '/shipments',
    shipmentBody(stack.account, 'run'),
    { 'x-request-id': 'someone@shop.example', baggage: 'person=Dana' },
  );
  await eventually(
    () => sink.spans.find(({ attributes }) => attributes['http.response.status_code'] === '422'),
    'it',
  );
  const all = sink.raw.join('\n');

  t.is(refused.status, 422, refused.text);
  for (const word of [
    asked.contact_name,
    'Dana',
    asked.contact_phone,
    asked.street,
    'someone@shop.example',
    refused.body.error.message,
    'sandbox-token',
    stack.account.clientSecret,
    ...Object.values(stack.account.licenseKeys),
  ]) {
    t.false(all.includes(word), word);
  }
});

test.serial('a collector that is away holds up nothing', async (t) => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
  const alone = await startApiProcess(owner, stack, env);

  const created = await alone.client.create(shipmentBody(stack.account, 'run'));

  t.is(created.status, 201, created.text);
  t.is(await alone.process.stop(), 0);
});

/** The spans of a trace, once those named are among them. */
async function spansOf(traceId: string, names: readonly string[]): Promise<SunkSpan[]> {
  return await eventually(
    () => {
      const spans = sink.spans.filter((span) => span.traceId === traceId);
      return names.every((name) => spans.some((span) => span.name === name)) && spans;
    },
    `the spans ${names.join(', ')}`,
  );
}

function logOf({ logFile }: TestProcess): Record<string, unknown>[] {
  const lines = readFileSync(logFile, 'utf8').split('\n');
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
}
