import { Client, Connection } from '@temporalio/client';
import type { Config } from '../config/config.js';
import { dataConverterOf } from './data-converter.js';

/** Where the engine is, and how its payloads are kept. */
export type EngineConfig = EngineAddress & Pick<Config, 'temporalNamespace' | 'temporalPayloadKey'>;

type EngineAddress = Pick<Config, 'temporalAddress' | 'temporalAccess'>;

/** What a connection to the engine is told, a client's as well as a worker's. */
export function engineConnection({ temporalAddress: address, temporalAccess }: EngineAddress) {
  return { address, ...temporalAccess };
}

/** A client whose connection is made on first use, so that a process starts while the engine is away. */
export function openTemporal(config: EngineConfig): Client {
  return new Client({
    connection: Connection.lazy(engineConnection(config)),
    namespace: config.temporalNamespace,
    dataConverter: dataConverterOf(config),
  });
}

/** The engine answers a call within milliseconds; past this it counts as away. */
const PROMPT_MS = 8000;

/** Makes calls of which none waits for a run. @throws what `isEngineTrouble` tells when the engine is away. */
export async function promptly<R>(client: Pick<Client, 'withDeadline'>, calls: () => Promise<R>): Promise<R> {
  return await client.withDeadline(Date.now() + PROMPT_MS, calls);
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
