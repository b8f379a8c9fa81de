import { type Client, isGrpcServiceError } from '@temporalio/client';
import { StartError } from '../domain/errors.js';
import { promptly } from './client.js';
import { isEngineTrouble } from './outcomes.js';

const NOT_FOUND = 5;
/** Runs that have ended can be looked at for as long. */
const RETENTION = '72h';

/**
 * Looks whether the engine has the client's namespace.
 * @throws StartError where it has none, or does not answer
 */
export async function requireNamespace(client: Client, address: string): Promise<void> {
  const { namespace } = client.options;
  try {
    await promptly(client, () => client.connection.workflowService.describeNamespace({ namespace }));
  } catch (error) {
    if (isGrpcServiceError(error) && error.code === NOT_FOUND) {
      throw new StartError(
        `Temporal at ${address} has no namespace ${namespace}. Make it: temporal operator namespace create ` +
          `--namespace ${namespace} --retention ${RETENTION} --address ${address}`,
      );
    }
    throw isEngineTrouble(error) ? noAnswer(address, error) : error;
  }
}

/** The error of a connection that was not made, as one line. */
export function noAnswer(address: string, error: unknown): StartError {
  const words = error instanceof Error ? error.message : String(error);
  return new StartError(`Temporal at ${address} does not answer: ${words.replace(/\s+/g, ' ').trim()}`);
}
