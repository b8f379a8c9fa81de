#!/usr/bin/env bash
# Believed: closing a Temporal client's connection fails the calls that are under way, each by its promise.
# So it is: a call that waits for its next try (the client tries again when the server is away) is looked at only when
#   that try is due. The channel is closed then and raises "Channel has been shut down" from a timer: the error goes
#   to the process, not to the call, whose promise never settles, even long after the deadline that it was given.
# Where it bites: a service that is stopped while its Temporal restarts ends by an uncaught exception, in the middle
#   of its orderly stop; a test that closes its client fails now and then, in no test of its file.
# Versions: @temporalio/client 1.24.0, @grpc/grpc-js 1.14.7, Node.js 20.20.
# Output seen:
#   default: outside "Channel has been shut down", the call: never settled
#   with the failure of the next try told to the call: outside nothing, the call: rejected with code 1
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @temporalio/client@1.24.0 @grpc/grpc-js@1.14.7 >install.log 2>&1

cat > close.mjs <<'JS'
import assert from 'node:assert';
import { Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';

const outside = [];
process.on('uncaughtException', (error) => outside.push(error.message));
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const nothing = () => undefined;

/** Fails the call where its next try cannot be made. */
const retry = makeGrpcRetryInterceptor(defaultGrpcRetryOptions());
const told = (options, nextCall) =>
  retry(options, (given) => {
    try {
      return nextCall(given);
    } catch (error) {
      return {
        start(metadata, listener) {
          listener.onReceiveMessage?.(null);
          listener.onReceiveStatus?.({ code: 1, details: error.message, metadata });
        },
        sendMessageWithContext: nothing, sendMessage: nothing, startRead: nothing,
        halfClose: nothing, cancelWithStatus: nothing, getPeer: () => '', getAuthContext: () => null,
      };
    }
  });

async function closeBetweenTries(name, interceptors) {
  outside.length = 0;
  // Nobody listens on the discard port: each try is refused at once.
  const connection = Connection.lazy({ address: '127.0.0.1:9', ...interceptors });
  let settled = 'never settled';
  connection
    .withDeadline(Date.now() + 3000, () => connection.workflowService.getSystemInfo({}))
    .then(() => (settled = 'answered'), (error) => (settled = `rejected with code ${error.code}`));
  await wait(60);
  await connection.close();
  await wait(6000);
  console.log(`${name}: outside ${outside.length > 0 ? JSON.stringify(outside.join()) : 'nothing'}, the call: ${settled}`);
  return { outside: [...outside], settled };
}

const usual = await closeBetweenTries('default', {});
const better = await closeBetweenTries('with the failure of the next try told to the call', { interceptors: [told] });
assert.deepEqual(usual, { outside: ['Channel has been shut down'], settled: 'never settled' });
assert.deepEqual(better, { outside: [], settled: 'rejected with code 1' });
process.exit(0);
JS
node close.mjs
