import { createdAnswer } from '../../src/api/created-answer.js';
import { CANCEL_REFUSED, type CancelShipmentInput } from '../../src/contracts/cancel-shipment.js';
import {
  CREATE_FAILURES,
  type CreateShipmentResult,
  type Creation,
} from '../../src/contracts/create-shipment.js';
import {
  LABEL_FAILURES,
  type RenderLabelsInput,
  type RenderLabelsResult,
} from '../../src/contracts/render-labels.js';
import type { Database } from '../../src/db/database.js';
import { recordCancellation } from '../../src/db/queries/creation/cancelling.js';
import { findShipment } from '../../src/db/queries/shipments/shipments.js';
import { labelCache } from '../../src/documents/labels/stored.js';
import type { DocumentStorage } from '../../src/documents/storage.js';
import type { OrderSnapshot } from '../../src/domain/shipment.js';
import { nowIso } from '../../src/lib/time.js';
import { type DoubledRuns, engineAway, runEnded, runFailure } from './engine-double.js';

export interface AskedCreation {
  creation: Creation;
  order: OrderSnapshot;
}

/** Output of the double of `renderLabels`. */
export const PRINTED = Buffer.from('%PDF-1.4\n%%EOF\n');

const REFUSED: Readonly<Record<string, string>> = {
  carrier_rejected: CREATE_FAILURES.carrierRejected,
  duplicate_request: CREATE_FAILURES.duplicateOrder,
  idempotency_key_conflict: CREATE_FAILURES.keyConflict,
};

/**
 * Runs that ask no carrier and print nothing. Order id, cancellation reason and tracking code select the
 * errors, so that one table covers all of the engine's.
 */
export function runDoubles(parts: {
  db: Database;
  storage: DocumentStorage;
  created: AskedCreation[];
  onPrint?: ((input: RenderLabelsInput) => void) | undefined;
  /** Books the shipment and returns its uuid. */
  book(asked: AskedCreation): Promise<string>;
}): DoubledRuns {
  const { db, storage, created, book, onPrint } = parts;
  const renderLabels = (input: RenderLabelsInput) => {
    onPrint?.(input);
    return print(db, storage, input);
  };
  return {
    async createShipment(creation: Creation, order: OrderSnapshot): Promise<CreateShipmentResult> {
      created.push({ creation, order });
      const { id } = order;
      const { fingerprint, api } = creation.idempotency;
      const refused = REFUSED[id];
      if (refused !== undefined) throw runFailure(refused, `Refused: ${id}.`, { fingerprint });
      if (id === 'service_unavailable') throw engineAway();
      if (id === 'bug') throw new Error('secret detail');
      const shipmentUuid = await book({ creation, order });
      if (id.startsWith('slow')) {
        await reserveKey(db, creation, shipmentUuid);
        throw runEnded();
      }
      const shipment = await findShipment(db, { accountId: creation.accountId, uuid: shipmentUuid });
      if (shipment === null) throw new Error('the shipment is missing');
      const replayed = id.startsWith('replay');
      const requestId = replayed ? 'an earlier one' : creation.requestId;
      return { ...createdAnswer(api, shipment), shipmentUuid, fingerprint, replayed, requestId };
    },
    async cancelShipment({ shipmentUuid: uuid, reason }: CancelShipmentInput) {
      if (reason === 'refuse') throw runFailure(CANCEL_REFUSED, 'Already on its way.');
      await recordCancellation(db, { uuid, carrierText: '', reason: reason ?? '', at: nowIso() });
    },
    renderLabels,
    renderLabelsTogether: (inputs: RenderLabelsInput[]) =>
      Promise.all(inputs.map((input) => renderLabels(input).catch(() => null))),
    exportShipments: async () => undefined,
    runBatch: async () => undefined,
    refreshPickupPoints: async () => undefined,
  };
}

async function print(
  db: Database,
  storage: DocumentStorage,
  { contentHash, labels, shipmentUuid }: RenderLabelsInput,
): Promise<RenderLabelsResult> {
  const [row] = await db.select('SELECT tracking_code AS code FROM shipments WHERE uuid = ?', [shipmentUuid]);
  if (row?.code === 'carrier_rejected') throw runFailure(LABEL_FAILURES.refused, 'Refused.');
  if (row?.code === 'service_unavailable') throw engineAway();
  await labelCache(storage).write(contentHash, PRINTED);
  return { contentHash, printHash: contentHash, labels, bytes: PRINTED.length };
}

async function reserveKey(db: Database, { accountId, idempotency }: Creation, uuid: string): Promise<void> {
  const { api, keyHash, fingerprint } = idempotency;
  await db.run(
    `INSERT INTO idempotency_keys (account_id, api, key_hash, fingerprint, shipment_uuid, expires_at)
     VALUES (?, ?, UNHEX(?), UNHEX(?), ?, NOW(6) + INTERVAL 1 DAY)`,
    [accountId, api, keyHash, fingerprint, uuid],
  );
}
