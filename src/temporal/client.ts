import { Client, Connection } from '@temporalio/client';
import type { Config } from '../config/config.js';
import { dataConverterOf } from './data-converter.js';

type EngineConfig = Pick<Config, 'temporalAddress' | 'temporalNamespace' | 'temporalPayloadKey'>;

/** A client whose connection is made on first use, so that a process starts while the engine is away. */
export function openTemporal(config: EngineConfig): Client {
  return new Client({
    connection: Connection.lazy({ address: config.temporalAddress }),
    namespace: config.temporalNamespace,
    dataConverter: dataConverterOf(config),
  });
}

/** Whether the engine answers within the time. */
export async function isEngineUp(client: Client, timeoutMs: number): Promise<boolean> {
  try {
    await client.withDeadline(Date.now() + timeoutMs, () =>
      client.connection.workflowService.getSystemInfo({}),
    );
    return true;
  } catch {
    return false;
  }
}
