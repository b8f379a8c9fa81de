import type { PollCarrierInput, PollCarrierResult } from '../src/contracts/poll-carrier.js';
import { pollingAt } from './lib/proxies.js';

/** A run is cut here; what is still due is due on the Schedule's next tick. */
const MAX_PAGES = 200;

/** Asks one carrier for every parcel that is due, page by page. */
export async function pollCarrier(input: PollCarrierInput): Promise<PollCarrierResult> {
  const total: PollCarrierResult = { checked: 0, changed: 0 };
  for (let page = 1; page <= MAX_PAGES; page++) {
    const result = await pollingAt(input.provider).pollPage.executeWithOptions({ summary: `page ${page}` }, [
      input,
    ]);
    total.checked += result.checked;
    total.changed += result.changed;
    if (!result.more) break;
  }
  return total;
}
