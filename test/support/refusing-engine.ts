import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Owner } from './clean-ups.js';

/** The engine tells everybody, also those without a key, what it can do. */
const OPEN_TO_ALL = '/temporal.api.workflowservice.v1.WorkflowService/GetSystemInfo';
const GRPC_ANSWER = { ':status': 200, 'content-type': 'application/grpc' };
const EMPTY_MESSAGE = Buffer.alloc(5);
const PERMISSION_DENIED = '7';

/** Starts an engine that refuses all calls for a namespace with a code of gRPC, as one that asks for a key; its address. */
export async function startRefusingEngine(owner: Owner, code = PERMISSION_DENIED): Promise<string> {
  const server = createServer();
  server.on('stream', (stream, { ':path': path }) => {
    if (path === OPEN_TO_ALL) {
      stream.respond(GRPC_ANSWER, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.end(EMPTY_MESSAGE);
    } else {
      const refusal = { 'grpc-status': code, 'grpc-message': 'Request unauthorized.' };
      stream.respond({ ...GRPC_ANSWER, ...refusal }, { endStream: true });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  owner.teardown(() => server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
