import { ApplicationFailure, upsertSearchAttributes } from '@temporalio/workflow';
import {
  CANCEL_REFUSED,
  type CancelShipmentInput,
  type CancelShipmentResult,
} from '../src/contracts/cancel-shipment.js';
import { SEARCH_ATTRIBUTES } from '../src/contracts/search-attributes.js';
import { cancellingAt, records } from './lib/proxies.js';

/** Cancels one shipment: first with the carrier, then in our record. */
export async function cancelShipment(input: CancelShipmentInput): Promise<CancelShipmentResult> {
  const { accountId, shipmentUuid, licenseId, provider } = input;

  const answer = await cancellingAt(provider).cancelAtCarrier.executeWithOptions(
    { summary: `cancel at ${provider}` },
    [{ accountId, shipmentUuid, licenseId, provider }],
  );
  if (answer.kind === 'refused') throw ApplicationFailure.nonRetryable(answer.text, CANCEL_REFUSED);

  const recorded = await records.recordCancelled.executeWithOptions({ summary: 'record the cancellation' }, [
    { uuid: shipmentUuid, text: answer.text, reason: input.reason },
  ]);
  if (!recorded) throw ApplicationFailure.nonRetryable('The shipment has reached its end.', CANCEL_REFUSED);
  upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.shipmentStatus, value: 'cancelled' }]);
  return { shipmentUuid };
}
