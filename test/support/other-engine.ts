import { randomBytes } from 'node:crypto';
import { openTemporal } from '../../src/temporal/client.js';
import type { CleanUps } from './clean-ups.js';
import { endNamespace, registerNamespace } from './namespace.js';
import type { TestStack } from './stack.js';

/** The stack with an empty engine, as after the loss of the engine's store. It ends with its owner. */
export async function withEmptyEngine(owner: CleanUps, stack: TestStack): Promise<TestStack> {
  const temporalNamespace = `test-${randomBytes(6).toString('hex')}`;
  const config = { ...stack.config, temporalNamespace };
  const temporal = openTemporal(config);
  owner.teardown(async () => {
    await endNamespace(temporal);
    await temporal.connection.close();
  });
  await registerNamespace(temporal);
  return { ...stack, temporal, config, env: { ...stack.env, TEMPORAL_NAMESPACE: temporalNamespace } };
}
