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

/** Callers may name a request as they like: no mail address or sentence leaves the API's log. */
const PLAIN_ID = /^[\w.-]{1,64}$/;

/** Whether a request's id may be handed on: the engine stores it in clear, and spans show it. */
export function isPlainId(id: string): boolean {
  return PLAIN_ID.test(id);
}
