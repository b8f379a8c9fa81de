import { connect } from 'node:net';
import { join } from 'node:path';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import type { Owner } from './clean-ups.js';
import { patient } from './patience.js';
import { anyPort, TestProcess, temporaryFolder } from './processes.js';

/** Missing from the class's types: connects to a running server that can skip time. */
interface Connecting {
  create(options: {
    server: { type: 'existing' };
    address: string;
    supportsTimeSkipping: true;
  }): Promise<TestWorkflowEnvironment>;
}

/** Starts the time-skipping server at this path. The SDK waits only five seconds, too short on a busy machine. */
export async function startTimeSkipping(owner: Owner, path: string): Promise<TestWorkflowEnvironment> {
  const port = await anyPort();
  await new TestProcess(owner, {
    name: 'time-skipping Temporal',
    command: path,
    args: [String(port)],
    logFile: join(temporaryFolder(owner), 'server.log'),
    healthy: () => listens(port),
    startTimeoutMs: patient(60_000),
    stopTimeoutMs: 5000,
  }).start();
  const environments = TestWorkflowEnvironment as unknown as Connecting;
  const address = `127.0.0.1:${port}`;
  const environment = await environments.create({
    server: { type: 'existing' },
    address,
    supportsTimeSkipping: true,
  });
  owner.teardown(() => environment.teardown());
  return environment;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
