import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';

/** Fails the run with its activity's failure, so that callers see its type and message. */
export async function asOwnFailure<T>(activity: Promise<T>): Promise<T> {
  try {
    return await activity;
  } catch (error) {
    if (!(error instanceof ActivityFailure) || !(error.cause instanceof ApplicationFailure)) throw error;
    throw ApplicationFailure.nonRetryable(error.cause.message, error.cause.type);
  }
}
