import { Client, Connection } from '@temporalio/client';
import type { TestStack } from './stack.js';

/** A Temporal client that counts calls by name. */
export interface CountingClient {
  client: Client;
  calls: Map<string, number>;
}

/** Connects one to the stack's engine. Close its connection at the end. */
export async function countingClient({ config }: TestStack): Promise<CountingClient> {
  const connection = await Connection.connect({ address: config.temporalAddress });
  const calls = new Map<string, number>();
  const counted = new Proxy(connection.workflowService, {
    get(service, name) {
      if (typeof name === 'string' && name !== 'then') calls.set(name, (calls.get(name) ?? 0) + 1);
      return Reflect.get(service, name);
    },
  });
  Object.defineProperty(connection, 'workflowService', { value: counted });
  return { client: new Client({ connection, namespace: config.temporalNamespace }), calls };
}
