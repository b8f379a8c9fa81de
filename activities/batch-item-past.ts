import { keyOfBatchItem, readBatchItem } from '../src/api/v2/batches/item.js';
import type { Creation } from '../src/contracts/create-shipment.js';
import type { LicenseSummary } from '../src/db/queries/accounts.js';
import {
  type ClaimedItem,
  findItemEnd,
  findItemShipment,
  type ItemEnd,
} from '../src/db/queries/batch-progress.js';
import { type BatchWork, findBatchWork } from '../src/db/queries/batches.js';
import { findKey } from '../src/db/queries/idempotency.js';
import { freeUnsent } from '../src/services/abandoned-creations.js';
import type { App } from '../src/services/app.js';
import { type CreateShipmentRequest, isCreationStarted } from '../src/services/create-shipment.js';
import { creationIdOf } from '../src/temporal/starters.js';
import type { ResultWriter } from './batch-results.js';

/** Clocks of hosts and of the database differ by less. */
const CLOCK_MARGIN_HOURS = 1;

type ItemPastApp = Pick<App<'idempotencyKeyDays' | 'fingerprintHours'>, 'db' | 'temporal' | 'config'>;

/** Earlier passes' work on a batch's items, so that none is created twice. */
export class ItemPast {
  readonly #app: ItemPastApp;
  readonly #batch: BatchWork;
  readonly #licenses: readonly LicenseSummary[];
  readonly #writer: ResultWriter;

  constructor(app: ItemPastApp, batch: BatchWork, licenses: readonly LicenseSummary[], writer: ResultWriter) {
    this.#app = app;
    this.#batch = batch;
    this.#licenses = licenses;
    this.#writer = writer;
  }

  /**
   * `refusal`: why the item would not be begun any more, as when its license has expired since. That undoes nothing that
   * was begun before. No `request`: it cannot be begun at all, as when the license that it names has another key now.
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

  async isBegun({ shipmentUuid }: ClaimedItem, creation: Creation): Promise<boolean> {
    return shipmentUuid !== null || (await isCreationStarted(this.#app, creation));
  }

  /** Whether an item that cannot be read any more has begun its creation; it then learns of its shipment. */
  async isBegunUnread({ id, payload }: ClaimedItem): Promise<boolean> {
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
   * Looks at the shipment of an earlier try first, whatever has become of its key: a carrier whose refusal came when
   * nobody waited for it any more is not asked again.
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
   * Where the item's key may stand for its shipment no more, that is looked for by its creation: the answer has expired,
   * or a pass has ended before it told the item, and the shipment was cancelled since and its body sent again.
   */
  async isCreatedBefore(item: ClaimedItem, creation: Creation): Promise<boolean> {
    const { id, fresh, shipmentUuid: known } = item;
    const keptMs = (this.#app.config.fingerprintHours - CLOCK_MARGIN_HOURS) * 3_600_000;
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
   * Where the batch is cancelled, frees what a creation reserved whose run was ended from outside before anything was
   * sent: begun again, it is refused.
   */
  async freeOfCancelled(creation: Creation): Promise<void> {
    const { accountId, idempotency } = creation;
    const key = await findKey(this.#app.db, { accountId, ...idempotency });
    if (key === null || key.status !== null) return;
    const batch = await findBatchWork(this.#app.db, this.#batch);
    if (batch?.isCancelled !== true) return;
    await freeUnsent(this.#app, { uuid: key.shipmentUuid, workflowId: creationIdOf(creation) });
  }
}
