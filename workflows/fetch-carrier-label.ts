import type {
  FetchCarrierLabelInput,
  FetchCarrierLabelResult,
} from '../src/contracts/fetch-carrier-label.js';
import { labelsAt } from './lib/proxies.js';
import { asOwnFailure } from './lib/refusals.js';

/** Brings the label that the carrier makes for a parcel, and keeps it. */
export async function fetchCarrierLabel(input: FetchCarrierLabelInput): Promise<FetchCarrierLabelResult> {
  const { provider } = input;
  return await asOwnFailure(
    labelsAt(provider).fetchLabel.executeWithOptions({ summary: `label from ${provider}` }, [input]),
  );
}
