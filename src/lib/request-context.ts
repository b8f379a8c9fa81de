import { AsyncLocalStorage } from 'node:async_hooks';

const requestIds = new AsyncLocalStorage<string>();

/** Runs the work, and whatever it begins, as part of a request. */
export function withRequestId<T>(requestId: string, work: () => T): T {
  return requestIds.run(requestId, work);
}

/** Id of the request that the present work is part of. */
export function presentRequestId(): string | undefined {
  return requestIds.getStore();
}
