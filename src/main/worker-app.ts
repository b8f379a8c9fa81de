import { type NativeConnection, Runtime } from '@temporalio/worker';
import { adapterFinder } from '../carriers/registry.js';
import { bareEnvironment } from '../config/bare-environment.js';
import type { Config } from '../config/config.js';
import { findBrowser, NoBrowser } from '../documents/browser/find.js';
import { BrowserPool } from '../documents/browser/pool.js';
import { createPdfPageCounter } from '../documents/pdf-reader.js';
import { RESTORED, type RestoredShipment } from '../domain/restored-shipment.js';
import { QuietTime } from '../lib/quiet-time.js';
import { createGuardedAgent, createGuardedClient } from '../outbound/guarded-client.js';
import { createImageFetcher } from '../outbound/image.js';
import { createMailer } from '../outbound/mail.js';
import type { App } from '../services/app.js';
import { createCommonApp, rangesOf } from './app.js';

/** A caller who creates shipments in a row comes back within this time. */
const QUIET_AFTER_MS = 3000;

/** `adapters`: the carriers whose queues the worker may serve. */
export type WorkerParts = Pick<App, 'config' | 'db' | 'temporal' | 'adapters'> & {
  connection: NativeConnection;
  workflowBundlePath: string;
};

/** The app of a worker's activities. */
export type WorkerApp = ReturnType<typeof createWorkerApp>;

/** Builds the app. `close` releases its resources, after the workers have stopped. */
export function createWorkerApp(parts: WorkerParts) {
  const { config } = parts;
  const { logger } = Runtime.instance();
  const own = {
    carriers: adapterFinder(parts.adapters),
    onRestored: (shipment: RestoredShipment) => {
      logger.warn(RESTORED, { ...shipment });
    },
  };
  const { close, ...common } = createCommonApp({ ...parts, ...own }, () => {
    logger.warn('wake trouble');
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
    /** Records interactive activities. */
    waitedFor: new QuietTime(QUIET_AFTER_MS),
    fetchImage: createImageFetcher(rangesOf(config)),
    countPdfPages: createPdfPageCounter(),
    /** Connections to hosts that carriers name. */
    elsewhere,
    anywhere: createGuardedClient({ allowedRanges: ['0.0.0.0/0', '::/0'] }),
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

/** Warns that labels need a browser. The worker still starts: it has other work, and finds one installed later. */
export function sayWhereBrowserIsMissing(config: Config): void {
  try {
    findBrowser(browserOptions(config));
  } catch (error) {
    if (!(error instanceof NoBrowser)) throw error;
    Runtime.instance().logger.error(`No label can be printed. ${error.message}`);
  }
}
