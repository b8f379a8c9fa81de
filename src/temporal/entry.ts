import { type Client, isGrpcServiceError } from '@temporalio/client';
import { StartError } from '../domain/errors.js';
import { promptly } from './client.js';
import { GRPC, isEngineTrouble } from './outcomes.js';

/** Retention of closed runs. */
const RETENTION = '168h';

/** Checks that the client's namespace exists. @throws StartError when it does not, or the engine does not answer */
export async function requireNamespace(client: Client, address: string): Promise<void> {
  const { namespace } = client.options;
  try {
    await promptly(client, () => client.connection.workflowService.describeNamespace({ namespace }));
  } catch (error) {
    if (isGrpcServiceError(error) && error.code === GRPC.notFound) {
      throw new StartError(
        `Temporal at ${address} has no namespace ${namespace}. Create it: temporal operator namespace create ` +
          `--namespace ${namespace} --retention ${RETENTION} --address ${address}`,
      );
    }
    throw isEngineTrouble(error) ? noAnswer(address, error) : error;
  }
}

/** A failed connection as a one-line error. */
export function noAnswer(address: string, error: unknown): StartError {
  const words = error instanceof Error ? error.message : String(error);
  return new StartError(`Temporal at ${address} does not answer: ${words.replace(/\s+/g, ' ').trim()}`);
}
