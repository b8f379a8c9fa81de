import { Client, Connection } from '@temporalio/client';
import type { Config } from '../config/config.js';
import { LIMITS } from '../lib/limits/values.js';
import { carryingRequest } from './carried-headers.js';
import { dataConverterOf } from './data-converter.js';
import { createTries } from './tries.js';

/** Address of the engine, and its payload encryption. */
export type EngineConfig = Pick<
  Config,
  'temporalAddress' | 'temporalAccess' | 'temporalNamespace' | 'payloadEncryption'
>;

/** Connection options of clients and workers. */
export function engineConnection(config: Pick<EngineConfig, 'temporalAddress' | 'temporalAccess'>) {
  return { address: config.temporalAddress, ...config.temporalAccess };
}

/** A client that connects on first use, so that a process can start without the engine. */
export function openTemporal(config: EngineConfig): Client {
  return new Client({
    connection: Connection.lazy({ ...engineConnection(config), interceptors: [createTries()] }),
    namespace: config.temporalNamespace,
    dataConverter: dataConverterOf(config),
    interceptors: { workflow: [carryingRequest] },
  });
}

/**
 * Makes calls that do not wait for a run. @throws errors for which `isEngineTrouble` holds when the engine is
 * unavailable
 */
export async function promptly<R>(client: Pick<Client, 'withDeadline'>, calls: () => Promise<R>): Promise<R> {
  return await client.withDeadline(Date.now() + LIMITS.engine.answerMs, calls);
}
