import { keyOfBatchItem, readBatchItem } from '../src/api/v2/batches/item.js';
import type { Creation } from '../src/contracts/create-shipment.js';
import type { LicenseSummary } from '../src/db/queries/accounts/accounts.js';
import {
  type ClaimedItem,
  findItemEnd,
  findItemShipment,
  type ItemEnd,
} from '../src/db/queries/batches/batch-progress.js';
import { findBatch } from '../src/db/queries/batches/batches.js';
import { findKey } from '../src/db/queries/creation/idempotency.js';
import type { BatchRecord } from '../src/domain/batch.js';
import { HOUR_MS } from '../src/lib/time.js';
import type { App } from '../src/services/app.js';
import { freeUnsent } from '../src/services/creation/abandoned-creations.js';
import { type CreateShipmentRequest, isCreationStarted } from '../src/services/creation/create-shipment.js';
import { creationIdOf } from '../src/temporal/starters.js';
import type { ResultWriter } from './batch-results.js';

/** More than the clocks of hosts and database differ. */
const CLOCK_MARGIN_HOURS = 1;

type ItemPastApp = Pick<App<'idempotencyKeyDays' | 'fingerprintHours'>, 'db' | 'temporal' | 'config'>;

/** Earlier passes' work on a batch's items, so that none is created twice. */
export class ItemPast {
  readonly #app: ItemPastApp;
  readonly #batch: BatchRecord;
  readonly #licenses: readonly LicenseSummary[];
  readonly #writer: ResultWriter;

  constructor(
    app: ItemPastApp,
    batch: BatchRecord,
    licenses: readonly LicenseSummary[],
    writer: ResultWriter,
  ) {
    this.#app = app;
    this.#batch = batch;
    this.#licenses = licenses;
    this.#writer = writer;
  }

  /**
   * `refusal`: why the item may not start any more, for instance because its license has expired; earlier
   * creations stay. No `request`: it cannot start at all, for instance because its license has another key now.
   */
  read({ payload, fresh }: ClaimedItem): { request: CreateShipmentRequest | null; refusal?: unknown } {
    const { config } = this.#app;
    const read = (licenses: readonly LicenseSummary[]) =>
      readBatchItem(payload, this.#contextOf(licenses), config);
    try {
      return { request: read(this.#licenses) };
    } catch (refusal) {
      if (fresh) throw refusal;
      const opened = this.#licenses.map((license) => ({ ...license, isActive: true, expiresAt: null }));
      try {
        return { request: read(opened), refusal };
      } catch {
        return { request: null, refusal };
      }
    }
  }

  #contextOf(licenses: readonly LicenseSummary[]) {
    return { ...this.#batch, batchUuid: this.#batch.uuid, licenses };
  }

  async isStarted({ shipmentUuid }: ClaimedItem, creation: Creation): Promise<boolean> {
    return shipmentUuid !== null || (await isCreationStarted(this.#app, creation));
  }

  /** Whether an unreadable item has started its creation; it then learns its shipment. */
  async isStartedUnread({ id, payload }: ClaimedItem): Promise<boolean> {
    const { accountId, licenseId } = this.#batch;
    const { orderId, idempotency } = keyOfBatchItem(
      payload,
      this.#contextOf(this.#licenses),
      this.#app.config,
    );
    const creation = { accountId, licenseId, idempotency };
    if (!(await isCreationStarted(this.#app, creation))) {
      return orderId !== null && (await this.#isMade(id, creationIdOf(creation), orderId));
    }
    const key = await findKey(this.#app.db, { accountId, ...idempotency });
    if (key !== null) this.#writer.add({ id, kind: 'reserved', shipmentUuid: key.shipmentUuid });
    return true;
  }

  /**
   * Checks the shipment of an earlier try first, whatever happened to its key: a carrier that refused after the
   * wait is not asked again.
   */
  async endOf({ shipmentUuid }: ClaimedItem): Promise<ItemEnd> {
    if (shipmentUuid === null) return { kind: 'none' };
    return await findItemEnd(this.#app.db, { accountId: this.#batch.accountId, shipmentUuid });
  }

  hasEnded({ id, shipmentUuid }: ClaimedItem, end: ItemEnd): boolean {
    if (shipmentUuid === null || end.kind === 'none' || end.kind === 'open') return false;
    if (end.kind === 'created') this.#writer.add({ id, kind: 'created', shipmentUuid });
    else this.#writer.add({ id, kind: 'failed', error: { code: 'carrier_rejected', message: end.reason } });
    return true;
  }

  /**
   * Finds an item's shipment by its creation when the key may be gone: the answer expired, or a pass ended
   * before noting the shipment, which was then cancelled and sent again.
   */
  async isCreatedBefore(item: ClaimedItem, creation: Creation): Promise<boolean> {
    const { id, fresh, shipmentUuid: known } = item;
    const keptMs = (this.#app.config.fingerprintHours - CLOCK_MARGIN_HOURS) * HOUR_MS;
    const isKept = Date.now() - Date.parse(this.#batch.createdAt) < keptMs;
    if (isKept && (fresh || known !== null)) return false;
    return await this.#isMade(id, creationIdOf(creation), creation.order.id);
  }

  async #isMade(id: number, workflowId: string, orderId: string): Promise<boolean> {
    const { accountId, createdAt: since } = this.#batch;
    const shipmentUuid = await findItemShipment(this.#app.db, { accountId, orderId, workflowId, since });
    if (shipmentUuid === null) return false;
    this.#writer.add({ id, kind: 'created', shipmentUuid });
    return true;
  }

  /**
   * Frees the reservation of a cancelled batch's creation that was ended from outside before sending: it is
   * refused when started again.
   */
  async freeOfCancelled(creation: Creation): Promise<void> {
    const { accountId, idempotency } = creation;
    const key = await findKey(this.#app.db, { accountId, ...idempotency });
    if (key === null || key.status !== null) return;
    const batch = await findBatch(this.#app.db, this.#batch);
    if (batch === null || batch.cancelledAt === null) return;
    await freeUnsent(this.#app, { uuid: key.shipmentUuid, workflowId: creationIdOf(creation) });
  }
}
