import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { saveNotificationSettings } from '../../src/db/queries/mails/notification-settings.js';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import type { Owner } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { patient } from '../support/patience.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import type { TestStack } from '../support/stack.js';
import { subscribe, WEBHOOK_ENV } from '../support/webhooks.js';

const ITEMS = 12;
const PAUSE_MS = 400;
/** Between two batches, or two exports: they are to run beside single creations, not instead of them. */
const BULK_PAUSE_MS = 5000;
const PATIENCE_MS = 120_000;
const SETTLE_MS = 120_000;
const SWEEP_EVERY_MS = 3000;
/** Sweeps that Schedules start in a running system. */
const SWEEPS = ['wakeDeliveries', 'resumeBatches', 'housekeeping'];
/** Outcomes of an item for which nobody but the carrier is to blame. */
const REFUSALS = new Set(['carrier_rejected', 'validation_failed']);

/** Whom the system writes to: a receiver of webhooks and a mail server. */
export interface Outside {
  receiver: Receiver;
  mail: MailServer;
  /** Settings of the processes that write to them. */
  env: Record<string, string>;
}

/** Starts both; ended with their owner. */
export async function startOutside(owner: Owner): Promise<Outside> {
  const [receiver, mail] = await Promise.all([startReceiver(), startMailServer()]);
  owner.teardown(() => receiver.close());
  owner.teardown(() => mail.close());
  return { receiver, mail, env: { ...WEBHOOK_ENV, SMTP_URL: mail.url } };
}

/**
 * Work beside single creations while faults are injected: a webhook and mails to recipients on every event,
 * batches, exports and labels; each request repeated until it is accepted.
 */
export class SideWork {
  readonly #stack: TestStack;
  readonly #outside: Outside;
  readonly #clients: readonly ApiClient[];
  readonly #batches: { id: string; items: number }[] = [];
  readonly #id = randomBytes(4).toString('hex');
  readonly #unexpected: string[] = [];
  #webhookId = '';
  #loops: Promise<void>[] = [];
  #stopped = false;
  #abandoned = false;
  #labels = 0;
  #turn = 0;

  constructor(stack: TestStack, outside: Outside, urls: readonly string[]) {
    this.#stack = stack;
    this.#outside = outside;
    this.#clients = urls.map((url) => new ApiClient(url, stack.account));
  }

  /** Ends with its owner, answered or not: a test that failed must not leave clients behind. */
  async start(owner: Owner): Promise<this> {
    owner.teardown(() => {
      this.#stopped = true;
      this.#abandoned = true;
    });
    const { receiver } = this.#outside;
    const webhook = await subscribe(this.#stack, this.#client(), { url: receiver.url, provider: 'run' });
    this.#webhookId = webhook.id;
    const { id: accountId, licenseKeys } = this.#stack.account;
    const [license] = await this.#stack.db.select('SELECT id FROM licenses WHERE license_key = ?', [
      licenseKeys.run ?? '',
    ]);
    await saveNotificationSettings(this.#stack.db, {
      accountId,
      licenseId: Number(license?.id),
      settings: { enabled: true, events: ['shipment.created'], fromName: null, replyTo: null },
    });
    this.#loops = [
      this.#repeat(() => this.#batch(), BULK_PAUSE_MS),
      this.#repeat(() => this.#export(), BULK_PAUSE_MS),
      this.#repeat(() => this.#label(), PAUSE_MS),
    ];
    return this;
  }

  /** Begins nothing more, and waits for the answers of what is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#loops);
  }

  get summary(): string {
    return `${this.#batches.length} batches, ${this.#labels} labels, ${this.#outside.receiver.requests.length} webhooks, ${this.#outside.mail.mails.length} mails`;
  }

  /** Waits until nothing is under way, then says what does not hold; empty when all is well. */
  async violations(): Promise<string[]> {
    await this.#settled();
    return [
      ...this.#unexpected,
      ...(await this.#labelViolations()),
      ...(await this.#batchViolations()),
      ...(await this.#deliveryViolations()),
      ...(await this.#mailViolations()),
    ];
  }

  async #repeat(work: () => Promise<void>, pauseMs: number): Promise<void> {
    while (!this.#stopped) {
      await work();
      for (const until = Date.now() + pauseMs; !this.#stopped && Date.now() < until; ) await delay(PAUSE_MS);
    }
  }

  async #batch(): Promise<void> {
    const { account } = this.#stack;
    const shipments = Array.from({ length: ITEMS }, (_, index) =>
      shipmentBody(account, 'run', { ship_data: { contact_mail: `r${index}@example.test` } }),
    );
    const key = `batch-${this.#id}-${this.#batches.length}`;
    const answer = await this.#accepted('/batches', { shipments, license_key: account.licenseKeys.run }, key);
    if (answer !== null) this.#batches.push({ id: answer.data.id, items: ITEMS });
  }

  async #export(): Promise<void> {
    await this.#accepted('/exports', { license_key: this.#stack.account.licenseKeys.run }, null, [409]);
  }

  async #label(): Promise<void> {
    const [row] = await this.#stack.db
      .select(`SELECT uuid FROM shipments WHERE state = 'created' ORDER BY id DESC LIMIT 1`)
      .catch(() => []);
    if (row === undefined) return;
    const answer = await this.#client()
      .get(`/shipments/${row.uuid}/label`)
      .catch(() => undefined);
    if (answer === undefined || answer.status === 503) return;
    if (answer.status === 200) this.#labels += 1;
    else this.#unexpected.push(`label: ${answer.status} ${answer.text}`);
  }

  /** Sends until it is answered 202, or with one of `others`. */
  async #accepted(path: string, body: unknown, key: string | null, others: readonly number[] = []) {
    const headers = key === null ? {} : { 'idempotency-key': key };
    const until = Date.now() + patient(PATIENCE_MS);
    for (; Date.now() < until && !this.#abandoned; await delay(PAUSE_MS)) {
      const answer = await this.#client()
        .post(path, body, headers)
        .catch(() => undefined);
      if (answer?.status === 202) return answer.body;
      if (answer !== undefined && others.includes(answer.status)) return null;
      if (answer !== undefined && answer.status !== 503) {
        this.#unexpected.push(`${path}: ${answer.status} ${answer.text}`);
        return null;
      }
      if (key === null && this.#stopped) return null;
    }
    this.#unexpected.push(`${path}: not accepted within ${PATIENCE_MS} ms of an idle machine`);
    return null;
  }

  #client(): ApiClient {
    this.#turn += 1;
    const client = this.#clients[this.#turn % this.#clients.length];
    if (client === undefined) throw new Error('no API');
    return client;
  }

  async #settled(): Promise<void> {
    let sweptAt = 0;
    await eventually(
      async () => {
        try {
          if (Date.now() - sweptAt > SWEEP_EVERY_MS) {
            sweptAt = Date.now();
            for (const sweep of SWEEPS) await this.#sweep(sweep, sweptAt);
          }
          const [row] = await this.#stack.db.select(
            `SELECT (SELECT COUNT(*) FROM webhook_deliveries WHERE status = 'pending')
                  + (SELECT COUNT(*) FROM notification_logs WHERE status = 'pending')
                  + (SELECT COUNT(*) FROM batch_items WHERE status = 'pending')
                  + (SELECT COUNT(*) FROM exports WHERE status IN ('pending', 'processing')) AS open`,
          );
          return Number(row?.open) === 0;
        } catch {
          // The connections may still be those of the engine that was killed.
          return false;
        }
      },
      'the end of every delivery, mail, batch and export',
      SETTLE_MS,
    );
  }

  async #sweep(workflowType: string, at: number): Promise<void> {
    await this.#stack.temporal.workflow.start(workflowType, {
      workflowId: `${workflowType}-${at}`,
      taskQueue: 'shipments',
    });
  }

  /** With everything well again, a label is to be had. */
  async #labelViolations(): Promise<string[]> {
    const [row] = await this.#stack.db.select(`SELECT uuid FROM shipments WHERE state = 'created' LIMIT 1`);
    const answer = await this.#client().get(`/shipments/${row?.uuid}/label`);
    return answer.status === 200 ? [] : [`label at the end: ${answer.status} ${answer.text}`];
  }

  async #batchViolations(): Promise<string[]> {
    const found: string[] = [];
    for (const { id, items } of this.#batches) {
      const rows = await this.#stack.db.select(
        `SELECT i.status, i.shipment_uuid, i.error FROM batch_items i JOIN batches b ON b.id = i.batch_id WHERE b.uuid = ?`,
        [id],
      );
      const created = rows.filter((row) => row.status === 'created').map((row) => String(row.shipment_uuid));
      const failed = rows
        .filter((row) => row.status === 'failed')
        .map((row) => JSON.parse(String(row.error)));
      if (rows.length !== items) found.push(`batch ${id} has ${rows.length} items`);
      if (new Set(created).size !== created.length) found.push(`batch ${id}: two items share a shipment`);
      for (const error of failed) {
        if (!REFUSALS.has(error.code))
          found.push(`batch ${id}: an item failed with ${JSON.stringify(error)}`);
      }
    }
    return found;
  }

  /** Every event is delivered, and the records match what was sent. */
  async #deliveryViolations(): Promise<string[]> {
    const { db } = this.#stack;
    const found: string[] = [];
    const untold = await db.select(
      `SELECT s.uuid, (SELECT COUNT(*) FROM webhook_deliveries d WHERE d.shipment_id = s.id
         AND d.subscription_id = ? AND d.event = 'shipment.created') AS told
       FROM shipments s JOIN carriers c ON c.id = s.carrier_id
       WHERE s.state = 'created' AND c.provider = 'run' HAVING told <> 1`,
      [this.#webhookId],
    );
    for (const row of untold) found.push(`shipment ${row.uuid}: ${row.told} deliveries of its creation`);

    const sent = new Map<string, number>();
    for (const { headers } of this.#outside.receiver.requests) {
      const id = headers['x-service-delivery-id'] ?? '';
      sent.set(id, (sent.get(id) ?? 0) + 1);
    }
    const rows = await db.select(
      `SELECT d.uuid, d.status, COUNT(a.number) AS noted, SUM(a.state = 'unknown') AS vague
       FROM webhook_deliveries d LEFT JOIN webhook_attempts a ON a.delivery_id = d.id GROUP BY d.uuid, d.status`,
    );
    for (const row of rows) {
      const onWire = sent.get(String(row.uuid)) ?? 0;
      const [noted, vague] = [Number(row.noted), Number(row.vague)];
      if (onWire > noted || onWire < noted - vague) {
        found.push(`delivery ${row.uuid}: ${onWire} requests, ${noted} attempts, ${vague} of them unknown`);
      }
      if (row.status === 'failed' && noted < 6)
        found.push(`delivery ${row.uuid} failed after ${noted} attempts`);
    }
    return found;
  }

  /** Each recipient and each finished export got a mail; a second copy has the same Message-ID. */
  async #mailViolations(): Promise<string[]> {
    const { db } = this.#stack;
    const logs = await db.select(
      `SELECT status, COUNT(*) AS count FROM notification_logs GROUP BY status HAVING status = 'failed'`,
    );
    const [row] = await db.select(
      `SELECT (SELECT COUNT(*) FROM notification_logs WHERE status = 'sent')
            + (SELECT COUNT(*) FROM exports WHERE status = 'completed') AS wanted,
         (SELECT COUNT(*) FROM exports WHERE status = 'failed') AS failed`,
    );
    const ids = new Set(this.#outside.mail.mails.map((one) => one.messageId ?? ''));
    return [
      ...logs.map((one) => `${one.count} mails to recipients failed`),
      ...(Number(row?.failed) === 0 ? [] : [`${row?.failed} exports failed`]),
      ...(ids.size === Number(row?.wanted) ? [] : [`${ids.size} mails, ${row?.wanted} wanted`]),
    ];
  }
}
