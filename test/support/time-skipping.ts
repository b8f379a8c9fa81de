import { TestWorkflowEnvironment } from '@temporalio/testing';

const TRIES = 10;

/** Starts the time-skipping server at this path. The SDK waits five seconds for it, and a busy machine needs more. */
export async function startTimeSkipping(path: string, tries = TRIES): Promise<TestWorkflowEnvironment> {
  try {
    return await TestWorkflowEnvironment.createTimeSkipping({
      server: { executable: { type: 'existing-path', path } },
    });
  } catch (error) {
    if (tries === 1 || !/did not start within/.test(String(error))) throw error;
    return startTimeSkipping(path, tries - 1);
  }
}
