import { ApplicationFailure } from '@temporalio/activity';
import {
  type OperatorApp,
  OperatorsNotTold,
  tellOperators,
} from '../src/services/operations/tell-operators.js';

/** Tells operators what waits for a person; returns the number of messages. @throws ApplicationFailure, to be retried */
export function createTellOperatorsActivity(app: OperatorApp) {
  return async function tellWaiting(): Promise<number> {
    try {
      return await tellOperators(app);
    } catch (error) {
      if (!(error instanceof OperatorsNotTold)) throw error;
      throw ApplicationFailure.retryable(error.message, 'OperatorsNotTold');
    }
  };
}
