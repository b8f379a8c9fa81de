import { ApplicationFailure, upsertSearchAttributes } from '@temporalio/workflow';
import { CANCEL_REFUSED, CANCEL_UNSURE, type CancelShipmentInput } from '../src/contracts/cancel-shipment.js';
import { type BookingState, SEARCH_ATTRIBUTES } from '../src/contracts/search-attributes.js';
import { oneLine, storyOf } from './lib/creation-details.js';
import { cancellingAt, records } from './lib/proxies.js';
import { asOwnFailure } from './lib/refusals.js';
import { showDetails } from './lib/show-details.js';

/** Cancels a shipment with the carrier, then in MySQL. */
export async function cancelShipment(input: CancelShipmentInput): Promise<{ shipmentUuid: string }> {
  const { accountId, shipmentUuid, licenseId, provider } = input;
  showDetails(`Asking ${provider} to cancel ${input.trackingCode}. ${storyOf(shipmentUuid)}`);

  const answer = await asOwnFailure(
    cancellingAt(provider).cancelAtCarrier.executeWithOptions({ summary: `cancel at ${provider}` }, [
      { accountId, shipmentUuid, licenseId, provider },
    ]),
  );
  if (answer.kind === 'refused') throw refused(input, answer.text);
  if (answer.kind === 'unsure') {
    await records.flagUnsure.executeWithOptions({ summary: 'show it to a person' }, [
      { uuid: shipmentUuid, text: answer.text },
    ]);
    showDetails(
      `Nobody knows whether ${provider} cancelled ${input.trackingCode}: ${oneLine(answer.text)} ${storyOf(shipmentUuid)}`,
    );
    throw ApplicationFailure.nonRetryable(answer.text, CANCEL_UNSURE);
  }

  const recorded = await records.recordCancelled.executeWithOptions({ summary: 'record the cancellation' }, [
    {
      uuid: shipmentUuid,
      text: answer.text,
      reason: input.reason,
      ...(input.byStore ? { byStore: true } : {}),
    },
  ]);
  if (!recorded) throw refused(input, 'The shipment is already in a final status.');
  upsertSearchAttributes([
    { key: SEARCH_ATTRIBUTES.bookingState, value: 'cancelled' satisfies BookingState },
  ]);
  showDetails(`Cancelled with ${provider}: ${input.trackingCode}. ${storyOf(shipmentUuid)}`);
  return { shipmentUuid };
}

function refused(
  { provider, trackingCode, shipmentUuid }: CancelShipmentInput,
  text: string,
): ApplicationFailure {
  showDetails(
    `Not cancelled with ${provider}, ${trackingCode} goes on: ${oneLine(text)} ${storyOf(shipmentUuid)}`,
  );
  return ApplicationFailure.nonRetryable(text, CANCEL_REFUSED);
}
