import { isWebPage } from '../../domain/web-page.js';
import { valueAt } from '../../lib/json.js';
import type { GuardedOutcome } from '../../outbound/guarded-client.js';

/** A call to a store's plugin; `action` is its route. */
export interface StoreCall {
  action: 'order_shipment_created_meta' | 'order_shipment_cancelled_meta' | 'shipos_license_update';
  body: Readonly<Record<string, unknown>>;
}

/** Meaning of an answer. `isWorking`: the receiver works, whatever it says about the order. */
export interface Verdict {
  succeeded: boolean;
  final: boolean;
  isWorking: boolean;
  /** Null after a success. */
  trouble: string | null;
}

/**
 * URLs of a call, to be asked one after the other while {@link isUnheard}: WordPress with plain permalinks knows only the
 * second. `storeUrl`: address of the store's WordPress.
 */
export function storeAddresses(storeUrl: string, action: StoreCall['action']): string[] {
  const base = storeUrl.replace(/\/+$/, '');
  return [`${base}/wp-json/wc/v3/${action}`, `${base}/?rest_route=/wc/v3/${action}`];
}

/** Whether a page answered, of the shop or its web server, so that no plugin has read the call. */
export function isUnheard(outcome: GuardedOutcome): boolean {
  if (outcome.kind !== 'answered' || !isWebPage(outcome.body)) return false;
  return (outcome.status >= 200 && outcome.status < 300) || outcome.status === 404 || outcome.status === 405;
}

/** `keys`: consumer key and secret, joined by a colon. */
export function storeHeaders(keys: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'Parcelworks-Webhooks/1',
    authorization: `Basic ${Buffer.from(keys).toString('base64')}`,
  };
}

/**
 * The plugin answers 200 with `{ status, message }` even for an unknown order. A refusal that the store has
 * read is final; anything else is retried.
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
    return valueAt(JSON.parse(body), 'status');
  } catch {
    return undefined;
  }
}
