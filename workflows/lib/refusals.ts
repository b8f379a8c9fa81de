import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';

/** Ends the run with the failure that its activity ended with, so that the caller reads type and message from it. */
export async function asOwnFailure<T>(activity: Promise<T>): Promise<T> {
  try {
    return await activity;
  } catch (error) {
    if (!(error instanceof ActivityFailure) || !(error.cause instanceof ApplicationFailure)) throw error;
    throw ApplicationFailure.nonRetryable(error.cause.message, error.cause.type);
  }
}
