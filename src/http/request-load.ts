import type { Config } from '../config/config.js';
import { LoadGate } from './load-gate.js';
import { BodyReader } from './raw-body.js';

/** What bounds the requests of a process together. */
export interface RequestLoad {
  gate: LoadGate;
  bodies: BodyReader;
}

/** The bounds of one process. */
export function createRequestLoad(config: Config): RequestLoad {
  const gate = new LoadGate(config);
  return { gate, bodies: new BodyReader(config.bodyBudgetBytes, gate) };
}
