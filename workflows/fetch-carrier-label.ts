import type {
  FetchCarrierLabelInput,
  FetchCarrierLabelResult,
} from '../src/contracts/fetch-carrier-label.js';
import { labelsAt } from './lib/proxies.js';
import { asOwnFailure } from './lib/refusals.js';

/** Fetches and stores a carrier's own label of a parcel. */
export async function fetchCarrierLabel(input: FetchCarrierLabelInput): Promise<FetchCarrierLabelResult> {
  const { provider } = input;
  return await asOwnFailure(
    labelsAt(provider).fetchLabel.executeWithOptions({ summary: `label from ${provider}` }, [input]),
  );
}
