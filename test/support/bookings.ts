import type { WorkflowHandle } from '@temporalio/client';
import type proto from '@temporalio/proto';
import type { BookInput, BookResult } from '../../src/contracts/create-shipment.js';

/** Decodes the engine's JSON payloads. */
export function decode<T>(payloads?: proto.temporal.api.common.v1.IPayloads | null): T[] {
  return (payloads?.payloads ?? []).map(({ data }) => JSON.parse(Buffer.from(data ?? []).toString()));
}

/** Inputs and results of a run's bookings. */
export async function bookingsOf(
  run: WorkflowHandle,
): Promise<{ inputs: BookInput[]; results: BookResult[] }> {
  const { events } = await run.fetchHistory();
  return {
    inputs: (events ?? []).flatMap((one) =>
      decode<BookInput>(one.activityTaskScheduledEventAttributes?.input),
    ),
    results: (events ?? []).flatMap((one) =>
      decode<BookResult>(one.activityTaskCompletedEventAttributes?.result),
    ),
  };
}
