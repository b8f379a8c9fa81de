import type { WorkflowHandle } from '@temporalio/client';
import type proto from '@temporalio/proto';
import type { BookApp } from '../../activities/carrier-booking.js';
import { createCarrierSlots } from '../../activities/carrier-slots.js';
import type { adapterFinder } from '../../src/carriers/registry.js';
import type { BookInput, BookResult } from '../../src/contracts/create-shipment.js';
import { Slots } from '../../src/lib/limits/slots.js';
import { createCarrierAccounts } from '../../src/services/carriers/carrier-accounts.js';
import type { TestStack } from './stack.js';

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

/** The app of a booking that is tried outside of a run. */
export function bookApp(
  { db, config, temporal }: TestStack,
  carriers: ReturnType<typeof adapterFinder>,
): BookApp {
  return {
    db,
    carriers,
    accounts: createCarrierAccounts(db, config.appKeys, carriers),
    wake: () => undefined,
    onRestored: () => undefined,
    lostLooks: new Slots(),
    slotsFor: createCarrierSlots(),
    temporal,
  };
}
