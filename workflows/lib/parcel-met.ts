import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { SEARCH_ATTRIBUTES } from '../../src/contracts/search-attributes.js';
import type { ParcelMet } from '../../src/contracts/wake.js';

/**
 * Takes the names of a parcel off a run that was started for its event and has now worked for another one: it is not
 * that order's run any more.
 */
export function leaveParcel(met: ParcelMet): void {
  const named = workflowInfo().typedSearchAttributes.get(SEARCH_ATTRIBUTES.shipmentId);
  if (named === undefined || met === null || met === named) return;
  upsertSearchAttributes([
    { key: SEARCH_ATTRIBUTES.orderId, value: null },
    { key: SEARCH_ATTRIBUTES.shipmentId, value: null },
  ]);
}
