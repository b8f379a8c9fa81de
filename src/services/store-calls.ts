import type { GuardedOutcome } from '../outbound/guarded-client.js';

/** The routes of the store's plugin that are called. */
export type StoreAction =
  | 'order_shipment_created_meta'
  | 'order_shipment_cancelled_meta'
  | 'shipos_license_update';

/** What a store is told. */
export interface StoreCall {
  action: StoreAction;
  /** Sent as JSON. */
  body: Readonly<Record<string, unknown>>;
}

/** How an answer counts. `isWorking`: the receiver works, whatever a store says of the order. */
export interface Verdict {
  succeeded: boolean;
  final: boolean;
  isWorking: boolean;
  /** Null after a success. */
  trouble: string | null;
}

/** Where the call goes. `storeUrl`: the address of its WordPress. */
export function storeAddress(storeUrl: string, action: StoreAction): string {
  return `${storeUrl.replace(/\/+$/, '')}/wp-json/wc/v3/${action}`;
}

/** `keys`: consumer key and secret with a colon between. */
export function storeHeaders(keys: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'Parcelworks-Webhooks/1',
    authorization: `Basic ${Buffer.from(keys).toString('base64')}`,
  };
}

/**
 * The plugin answers 200 with `{ status, message }`, also of an order that it does not have. What a store has read and
 * refused is not sent again; what it may not have read is.
 */
export function judgeStore(outcome: Exclude<GuardedOutcome, { kind: 'aborted' }>): Verdict {
  if (outcome.kind === 'failed') {
    return { succeeded: false, final: false, isWorking: false, trouble: outcome.error };
  }
  const { status, body } = outcome;
  if (status >= 200 && status < 300) {
    const said = statusIn(body);
    if (said === 'success') return { succeeded: true, final: true, isWorking: true, trouble: null };
    const isWorking = said === 'error';
    const trouble = isWorking ? "The store's plugin refused it." : "The store's plugin did not answer.";
    return { succeeded: false, final: true, isWorking, trouble };
  }
  const isRefused = status >= 400 && status < 500 && status !== 408 && status !== 429;
  const trouble = status === 401 ? 'The store refused the REST keys.' : `The store answered HTTP ${status}.`;
  return { succeeded: false, final: isRefused, isWorking: false, trouble };
}

function statusIn(body: string): unknown {
  try {
    const answer: unknown = JSON.parse(body);
    return typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'status') : undefined;
  } catch {
    return undefined;
  }
}
