import type { ItemOutcome, ItemShipment } from '../src/db/queries/batches/batch-progress.js';

/** Knowledge of a batch's item when its turn comes. */
interface Known {
  /** The shipment that an earlier pass has waited for; null for none. */
  noted: string | null;
  /** The noted shipment, and what else the item's creation has made or reserved. */
  shipments: readonly ItemShipment[];
  /** Whether the item can be created now: it is valid, and its license usable. */
  isUsable: boolean;
  /** Whether the creation's run is open; looked up for an item that is not usable. */
  isRunning: boolean;
  isFirstLook: boolean;
}

/** `create` also joins a creation that is under way; `open`: its shipment. `refuse`: the item fails by its own fault. */
type Step =
  | { do: 'record'; outcome: ItemOutcome }
  | { do: 'create'; open: string | undefined }
  | { do: 'defer' | 'wait' | 'refuse' };

/**
 * Decides an item's next step by the first line that applies. What became of its shipment comes first, so that no pass
 * creates it again; an item that was started waits for its creation, even if it could not start any more.
 */
export function decideItem({ noted, shipments, isUsable, isRunning, isFirstLook }: Known): Step {
  const own = shipments.find(({ uuid }) => uuid === noted);
  if (own?.state === 'created') return recordCreated(own);
  // Ended after the wait. Where the carrier was not asked, it may be now.
  if (own?.state === 'refused' && own.isAsked) {
    return {
      do: 'record',
      outcome: { kind: 'failed', error: { code: 'carrier_rejected', message: own.reason } },
    };
  }
  if (own?.state === 'reserved' && isFirstLook) return { do: 'defer' };
  const made = shipments.find(({ state }) => state === 'created');
  if (made !== undefined) return recordCreated(made);
  const open = shipments.find(({ state }) => state === 'reserved')?.uuid;
  if (isUsable) return { do: 'create', open };
  if (open !== undefined) return { do: 'record', outcome: { kind: 'reserved', shipmentUuid: open } };
  return { do: isRunning ? 'wait' : 'refuse' };
}

function recordCreated({ uuid }: ItemShipment): Step {
  return { do: 'record', outcome: { kind: 'created', shipmentUuid: uuid } };
}
