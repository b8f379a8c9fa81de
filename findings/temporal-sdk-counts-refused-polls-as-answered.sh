#!/usr/bin/env bash
# Believed: the Temporal SDK counts each call that its server refuses in temporal_request_failure_total, or for a long
#   poll in temporal_long_request_failure_total, with its status; so polls that ended less those that failed are polls
#   that were answered.
# So it is: it looks for the status among the headers of the answer. gRPC puts it there only where an answer has nothing
#   but trailers. A server that sends headers of its own first, as Temporal's does with x-resource-exhausted-cause, has
#   its status in a trailer, and the call counts as one that succeeded. ResourceExhausted is what Temporal answers
#   beyond a namespace's rate, and to the polls of a build beyond its limit of versions.
# Where it bites: a worker all of whose polls are refused looks healthy to whoever watches these figures; an alert on
#   RESOURCE_EXHAUSTED never fires. workflow_task_queue_poll_{empty,succeed}, activity_poll_no_task and
#   activity_task_received count only what was really answered.
# Versions: @temporalio/worker 1.24.0, @grpc/grpc-js 1.14.7 as the server, Node.js 20.20; the same with Temporal 1.32.1.
# Output seen:
#   PollWorkflowTaskQueue, refused without headers: RESOURCE_EXHAUSTED for 5 of 5 tries, 5 counted as failed
#   PollActivityTaskQueue, refused after a header: RESOURCE_EXHAUSTED for 5 of 5 tries, 0 counted as failed
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @temporalio/worker@1.24.0 @grpc/grpc-js@1.14.7 >install.log 2>&1

cat > refused.mjs <<'JS'
import assert from 'node:assert';
import { createServer } from 'node:net';
import grpc from '@grpc/grpc-js';
import { NativeConnection, Runtime } from '@temporalio/worker';

const RESOURCE_EXHAUSTED = 8;

const raw = (bytes) => bytes;
const service = Object.fromEntries(
  ['GetSystemInfo', 'PollWorkflowTaskQueue', 'PollActivityTaskQueue'].map((name) => [
    name,
    {
      path: `/temporal.api.workflowservice.v1.WorkflowService/${name}`,
      requestStream: false, responseStream: false,
      requestSerialize: raw, requestDeserialize: raw, responseSerialize: raw, responseDeserialize: raw,
    },
  ]),
);
const refusal = { code: RESOURCE_EXHAUSTED, details: 'too many' };
const server = new grpc.Server();
server.addService(service, {
  GetSystemInfo: (_call, answer) => answer(null, Buffer.alloc(0)),
  PollWorkflowTaskQueue: (_call, answer) => answer(refusal),
  PollActivityTaskQueue: (call, answer) => {
    const headers = new grpc.Metadata();
    headers.set('x-resource-exhausted-cause', 'RpsLimit');
    call.sendMetadata(headers);
    answer(refusal);
  },
});
const port = await new Promise((resolve, reject) =>
  server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, bound) =>
    error ? reject(error) : resolve(bound)),
);

const free = createServer().listen(0, '127.0.0.1');
await new Promise((resolve) => free.once('listening', resolve));
const metrics = `127.0.0.1:${free.address().port}`;
await new Promise((resolve) => free.close(resolve));
Runtime.install({ telemetryOptions: { metrics: { prometheus: { bindAddress: metrics, countersTotalSuffix: true } } } });

const connection = await NativeConnection.connect({ address: `127.0.0.1:${port}` });
const counted = {};
for (const [call, operation, how] of [
  ['pollWorkflowTaskQueue', 'PollWorkflowTaskQueue', 'refused without headers'],
  ['pollActivityTaskQueue', 'PollActivityTaskQueue', 'refused after a header'],
]) {
  const code = await connection.workflowService[call]({ namespace: 'n', taskQueue: { name: 'q' } }).then(
    () => 'answered',
    (error) => error.code,
  );
  assert.equal(code, RESOURCE_EXHAUSTED);
  const figures = await (await fetch(`http://${metrics}/metrics`)).text();
  const lines = figures.split('\n').filter((line) => line.includes(`operation="${operation}"`));
  const sum = (name) =>
    lines.filter((line) => line.startsWith(name)).reduce((all, line) => all + Number(line.split(' ').at(-1)), 0);
  // The SDK tries a call a few times.
  const tries = sum('temporal_long_request_total') + sum('temporal_request_total');
  const failures = sum('temporal_long_request_failure_total') + sum('temporal_request_failure_total');
  assert.ok(tries >= 1, figures);
  counted[operation] = failures === tries ? 'all' : failures;
  console.log(`${operation}, ${how}: RESOURCE_EXHAUSTED for ${tries} of ${tries} tries, ${failures} counted as failed`);
}
assert.deepEqual(counted, { PollWorkflowTaskQueue: 'all', PollActivityTaskQueue: 0 });
process.exit(0);
JS
node refused.mjs 2>refused.log || { cat refused.log; exit 1; }
