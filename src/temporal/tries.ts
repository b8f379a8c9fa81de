import { defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import { GRPC } from './outcomes.js';

type Retry = ReturnType<typeof makeGrpcRetryInterceptor>;
type Call = ReturnType<Parameters<Retry>[1]>;

/**
 * Tries a call again as the client does by default. A call that waits for its next try when the connection is closed
 * fails with CANCELLED: the default throws in a timer then, which ends the process, and the call never settles.
 */
export function createTries(): Retry {
  const retry = makeGrpcRetryInterceptor(defaultGrpcRetryOptions());
  return (options, nextCall) =>
    retry(options, (given) => {
      try {
        return nextCall(given);
      } catch {
        return endedCall();
      }
    });
}

/** A call over a connection that is closed. */
function endedCall(): Call {
  return {
    start(metadata, listener) {
      const none = metadata.clone();
      for (const name of Object.keys(none.getMap())) none.remove(name);
      // The client expects a message before each status.
      listener?.onReceiveMessage?.(null);
      listener?.onReceiveStatus?.({
        code: GRPC.cancelled,
        details: 'The connection is closed.',
        metadata: none,
      });
    },
    sendMessageWithContext: () => undefined,
    sendMessage: () => undefined,
    startRead: () => undefined,
    halfClose: () => undefined,
    cancelWithStatus: () => undefined,
    getPeer: () => 'closed',
    getAuthContext: () => null,
  };
}
