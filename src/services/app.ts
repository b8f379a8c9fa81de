import type { Client } from '@temporalio/client';
import type { CarrierAccount, CarrierAdapter } from '../carriers/contract.js';
import type { Config } from '../config/config.js';
import type { WakeTarget } from '../contracts/wake.js';
import type { Database } from '../db/database.js';
import type { DocumentStorage } from '../documents/storage.js';
import type { RestoredShipment } from '../domain/restored-shipment.js';
import type { Slots } from '../lib/limits/slots.js';
import type { GuardedClient } from '../outbound/guarded-client.js';
import type { Mailer } from '../outbound/mail.js';
import type { RemoteCodec } from '../temporal/remote-codec.js';
import type { createResponseLog } from './accounts/response-log.js';
import type { createCarrierShares } from './carriers/carrier-shares.js';
import type { CreationBacklog } from './creation/creation-backlog.js';
import type { RecordedAnswers } from './creation/recorded-answers.js';

/**
 * The dependencies of a process, built in `main/app.ts`. A process has only what it needs; a function picks its
 * members with `Pick`, and its settings with `K`.
 */
export interface App<K extends keyof Config = keyof Config> {
  config: Pick<Config, K>;
  db: Database;
  temporal: Client;
  /** Aborted when the process stops: waits for runs then end. */
  stopping?: AbortSignal | undefined;
  /** The adapter of a provider. */
  carriers(provider: string): CarrierAdapter;
  /** All adapters of the process. */
  adapters: readonly CarrierAdapter[];
  /** The license's account with a provider. */
  accounts(licenseId: number, provider: string): Promise<CarrierAccount>;
  storage: DocumentStorage;
  outbound: GuardedClient;
  mailer: Mailer;
  /** Wakes the workflows of recorded events; returns at once. */
  wake(targets: readonly WakeTarget[]): void;
  /** Called with each shipment that the database had lost and that was written again. */
  onRestored(shipment: RestoredShipment): void;
  /** Looks at the engine for shipments that the database does not know. */
  lostLooks: Slots;
  /** Called with carrier errors that the caller never sees. */
  onTrouble(error: unknown): void;
  /** Limits carrier requests of waiting callers. */
  shares: ReturnType<typeof createCarrierShares>;
  /** API only: batches have their own window. */
  backlog?: CreationBacklog | undefined;
  /** API only: nobody waits for a batch's item. */
  answers?: RecordedAnswers | undefined;
  /** API only: decodes payloads for people. Missing where payloads are not encrypted. */
  remoteCodec?: RemoteCodec | undefined;
  /** Logs API v1's responses. */
  responseLog: ReturnType<typeof createResponseLog>;
}

/** The parts of an API process's app: workers send mails. */
export type ApiParts = Omit<App, 'mailer'>;
