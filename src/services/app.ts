import type { Client } from '@temporalio/client';
import type { CarrierAccount, CarrierAdapter } from '../carriers/contract.js';
import type { Config } from '../config/config.js';
import type { WakeTarget } from '../contracts/wake.js';
import type { Database } from '../db/database.js';
import type { DocumentStorage } from '../documents/storage.js';
import type { GuardedClient } from '../outbound/guarded-client.js';
import type { Mailer } from '../outbound/mail.js';
import type { CarrierShares } from './carrier-shares.js';
import type { CreationBacklog } from './creation-backlog.js';
import type { RecordedAnswers } from './recorded-answers.js';
import type { ResponseLog } from './response-log.js';

/**
 * What a process works with, made in `main/app.ts`. A process has the members that its work needs; a function names those
 * that it uses by `Pick`, and the settings that it reads by `K`.
 */
export interface App<K extends keyof Config = keyof Config> {
  config: Pick<Config, K>;
  db: Database;
  temporal: Client;
  /** Aborted when the process ends: waits for runs end then. */
  stopping?: AbortSignal | undefined;
  /** The adapter of a provider name. */
  carriers(provider: string): CarrierAdapter;
  /** The adapters of all carriers that the process serves. */
  adapters: readonly CarrierAdapter[];
  /** The account that a license has with a provider. */
  accounts(licenseId: number, provider: string): Promise<CarrierAccount>;
  storage: DocumentStorage;
  outbound: GuardedClient;
  mailer: Mailer;
  /** Starts what delivers or applies the events that were recorded; returns at once. */
  wake(targets: readonly WakeTarget[]): void;
  /** Told of carrier trouble that the caller is not. */
  onTrouble(error: unknown): void;
  /** What callers who wait may ask of carriers. */
  shares: CarrierShares;
  /** Of an API; batches have a window of their own. */
  backlog?: CreationBacklog | undefined;
  /** Of an API; nobody waits for a single item of a batch. */
  answers?: RecordedAnswers | undefined;
  /** The answers of API v1. */
  responseLog: ResponseLog;
}

/** What an API process works with: others send its mails, and serve the carriers' queues. */
export type ApiApp = Omit<App, 'mailer' | 'adapters'>;
