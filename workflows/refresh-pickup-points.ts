import {
  ActivityFailure,
  ApplicationFailure,
  continueAsNew,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import {
  POINTS_REFUSED,
  POINTS_UNAVAILABLE,
  type RefreshPickupPointsInput,
  type RefreshPointsInput,
  type RefreshTotals,
} from '../src/contracts/refresh-pickup-points.js';
import { fetchingAt } from './lib/proxies.js';

/** Renews the stored pickup points of one license, or of all of the carrier's licenses that use them. */
export async function refreshPickupPoints(input: RefreshPickupPointsInput): Promise<RefreshTotals> {
  if (input.licenseId === null) return await renewAll(input);
  try {
    await renew({ provider: input.provider, licenseId: input.licenseId });
    return { renewed: 1, failed: 0 };
  } catch (error) {
    throw failureOf(error);
  }
}

/** The failure for callers waiting for the first copy; a cancellation stays one. */
function failureOf(error: unknown): unknown {
  if (!(error instanceof ActivityFailure)) return error;
  const { cause } = error;
  const isRefusal = cause instanceof ApplicationFailure && cause.type === POINTS_REFUSED;
  if (isRefusal) return ApplicationFailure.nonRetryable(cause.message, POINTS_REFUSED);
  return ApplicationFailure.nonRetryable('The carrier did not give its list.', POINTS_UNAVAILABLE);
}

async function renew(input: RefreshPointsInput): Promise<void> {
  const summary = `license ${input.licenseId}`;
  await fetchingAt(input.provider).refreshPoints.executeWithOptions({ summary }, [input]);
}

/** A license that fails keeps its copy and stops no other. */
async function renewAll(input: RefreshPickupPointsInput): Promise<RefreshTotals> {
  const { provider } = input;
  let { afterLicenseId, renewed, failed } = input.continued ?? { afterLicenseId: 0, renewed: 0, failed: 0 };
  for (;;) {
    const licenseIds = await fetchingAt(provider).listPointCopies.executeWithOptions(
      { summary: `after license ${afterLicenseId}` },
      [{ provider, afterLicenseId }],
    );
    const last = licenseIds.at(-1);
    if (last === undefined) return { renewed, failed };
    const results = await Promise.allSettled(
      licenseIds.map((licenseId) => renew({ provider, licenseId, isOneOfMany: true })),
    );
    failed += results.filter(({ status }) => status === 'rejected').length;
    renewed += results.filter(({ status }) => status === 'fulfilled').length;
    afterLicenseId = last;
    setCurrentDetails(`${renewed} copies renewed, ${failed} failed, at license ${last}`);
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof refreshPickupPoints>({
        ...input,
        continued: { afterLicenseId, renewed, failed },
      });
    }
  }
}
