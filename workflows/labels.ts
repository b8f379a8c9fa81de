import type { ParcelAtCarrier } from '../src/contracts/cancel-shipment.js';
import type { RenderLabelsInput, RenderLabelsResult } from '../src/contracts/render-labels.js';
import type { Workflows } from '../src/contracts/workflows.js';
import { documents, fetchingAt } from './lib/proxies.js';
import { asOwnFailure } from './lib/refusals.js';

/** Prints the labels of a set. The workflow id is the content's hash, so equal requests share a run. */
export async function renderLabels(input: RenderLabelsInput): Promise<RenderLabelsResult> {
  const what = input.labels === 1 ? 'one label' : `${input.labels} labels`;
  return await asOwnFailure(documents.renderLabels.executeWithOptions({ summary: `print ${what}` }, [input]));
}

/** Prints several sets of an account, each as its own document, in one run. */
export async function renderLabelsTogether(
  inputs: readonly RenderLabelsInput[],
): Promise<readonly (RenderLabelsResult | null)[]> {
  const summary = `print ${inputs.length} documents`;
  return await asOwnFailure(documents.renderLabelsTogether.executeWithOptions({ summary }, [inputs]));
}

/** Fetches and stores a carrier's own label of a parcel. */
export async function fetchCarrierLabel(input: ParcelAtCarrier): ReturnType<Workflows['fetchCarrierLabel']> {
  const { provider } = input;
  return await asOwnFailure(
    fetchingAt(provider).fetchLabel.executeWithOptions({ summary: `label from ${provider}` }, [input]),
  );
}
