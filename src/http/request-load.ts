import type { Config } from '../config/config.js';
import { AnswerBudget } from './answer-budget.js';
import { LoadGate } from './load-gate.js';
import { BodyReader } from './raw-body.js';

/** What bounds the requests of a process together. */
export interface RequestLoad {
  gate: LoadGate;
  bodies: BodyReader;
  answers: AnswerBudget;
}

/** The bounds of one process. */
export function createRequestLoad(config: Config): RequestLoad {
  const gate = new LoadGate(config);
  return { gate, bodies: new BodyReader(config.bodyBudgetBytes, gate), answers: new AnswerBudget() };
}
