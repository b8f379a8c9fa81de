import { type Client, isGrpcServiceError } from '@temporalio/client';
import { StartError } from '../domain/errors.js';
import { promptly } from './client.js';
import { GRPC, isEngineTrouble } from './outcomes.js';

/** Retention of closed runs. */
const RETENTION = '168h';
const WHY_REFUSED =
  'TEMPORAL_API_KEY or the client certificate is missing, has ended, or has no rights in TEMPORAL_NAMESPACE';
/** Connections of workers give no code, but its description. */
const REFUSED_WORKER =
  /code: 'The (caller does not have permission|request does not have valid authentication)/;

/**
 * Checks that the client is let into its namespace. @throws StartError when it is not, when there is no such namespace, or
 * the engine does not answer
 */
export async function requireNamespace(client: Client, address: string): Promise<void> {
  const { namespace } = client.options;
  try {
    await promptly(client, () => askForNamespace(client));
  } catch (error) {
    if (codeOf(error) === GRPC.notFound) {
      throw new StartError(
        `Temporal at ${address} has no namespace ${namespace}. Create it: temporal operator namespace create ` +
          `--namespace ${namespace} --retention ${RETENTION} --address ${address}`,
      );
    }
    throw isEngineTrouble(error) ? noEntry(address, error) : error;
  }
}

/** Why calls for the client's namespace fail, safe to publish; null when the engine answers them in time. */
export async function engineTrouble(client: Client, timeoutMs: number): Promise<string | null> {
  try {
    await client.withDeadline(Date.now() + timeoutMs, () => askForNamespace(client));
    return null;
  } catch (error) {
    if (isRefusal(error)) return `Temporal does not let this process in: ${WHY_REFUSED}.`;
    if (codeOf(error) === GRPC.notFound) return 'Temporal has no such namespace as TEMPORAL_NAMESPACE.';
    return 'Temporal does not answer.';
  }
}

/** A failed connection as a one-line error. */
export function noEntry(address: string, error: unknown): StartError {
  const words = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').trim();
  if (isRefusal(error)) {
    return new StartError(
      `Temporal at ${address} does not let this process in: ${WHY_REFUSED}. It says: ${words}`,
    );
  }
  return new StartError(`Temporal at ${address} does not answer: ${words}`);
}

/** An engine that checks keys tells everybody that it is up; only calls for a namespace show whether they are answered. */
async function askForNamespace({ connection, options: { namespace } }: Client): Promise<void> {
  await connection.workflowService.describeNamespace({ namespace });
}

function isRefusal(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined) return code === GRPC.permissionDenied || code === GRPC.unauthenticated;
  return error instanceof Error && error.name === 'TransportError' && REFUSED_WORKER.test(error.message);
}

function codeOf(error: unknown): number | undefined {
  return isGrpcServiceError(error) ? error.code : undefined;
}
