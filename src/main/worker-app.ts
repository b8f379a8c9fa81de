import type { Client } from '@temporalio/client';
import { type NativeConnection, Runtime } from '@temporalio/worker';
import type { CarrierAdapter } from '../carriers/contract.js';
import { adapterFinder } from '../carriers/registry.js';
import { bareEnvironment } from '../config/bare-environment.js';
import type { Config } from '../config/config.js';
import type { Database } from '../db/database.js';
import { findBrowser, NoBrowser } from '../documents/browser/find.js';
import { BrowserPool } from '../documents/browser/pool.js';
import { QuietTime } from '../lib/quiet-time.js';
import { createGuardedAgent } from '../outbound/guarded-agent.js';
import { createImageFetcher } from '../outbound/image.js';
import { createMailer } from '../outbound/mail.js';
import { createCommonApp, rangesOf } from './app.js';

/** Who creates one shipment after another is still there after this long. */
const QUIET_AFTER_MS = 3000;

/** What a worker process is made of. `adapters`: the carriers whose queues it may serve. */
export interface WorkerParts {
  config: Config;
  db: Database;
  temporal: Client;
  connection: NativeConnection;
  adapters: readonly CarrierAdapter[];
  workflowBundlePath: string;
}

/** What the activities of a worker process work with. */
export type WorkerApp = ReturnType<typeof createWorkerApp>;

/** Makes it of its parts. `close` ends what it holds, after the workers have stopped. */
export function createWorkerApp(parts: WorkerParts) {
  const { config } = parts;
  const { close, ...common } = createCommonApp({ ...parts, carriers: adapterFinder(parts.adapters) }, () => {
    Runtime.instance().logger.warn('wake trouble');
  });
  const mail = { smtpUrl: config.smtpUrl, from: config.mailFrom };
  const mailer = createMailer(mail);
  const recipientMailer = createMailer({
    ...mail,
    silenceTimeoutMs: config.mailTimeoutMs,
    totalTimeoutMs: config.mailTimeoutMs,
  });
  const printer = new BrowserPool(browserOptions(config));
  const elsewhere = createGuardedAgent(rangesOf(config));
  return {
    ...common,
    /** Notes every activity that somebody waits for. */
    waitedFor: new QuietTime(QUIET_AFTER_MS),
    fetchImage: createImageFetcher(rangesOf(config)),
    /** Connections to hosts that carriers name. */
    elsewhere,
    mailer,
    recipientMailer,
    printer,
    async close() {
      mailer.close();
      recipientMailer.close();
      await Promise.all([close(), printer.close(), elsewhere.destroy()]);
    },
  };
}

function browserOptions({ browserPath, browserPages, browserSandbox }: Config) {
  return {
    executablePath: browserPath,
    pages: browserPages,
    sandbox: browserSandbox,
    environment: bareEnvironment(),
  };
}

/** Logs that no label can be printed without a browser. The worker has other work, and one that is installed later is found. */
export function sayWhereBrowserIsMissing(config: Config): void {
  try {
    findBrowser(browserOptions(config));
  } catch (error) {
    if (!(error instanceof NoBrowser)) throw error;
    Runtime.instance().logger.error(`No label can be printed. ${error.message}`);
  }
}
