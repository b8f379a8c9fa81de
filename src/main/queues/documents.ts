import { Runtime } from '@temporalio/worker';
import { createDocumentActivities } from '../../../activities/index.js';
import { bareEnvironment } from '../../config/bare-environment.js';
import type { Config } from '../../config/config.js';
import { taskQueues } from '../../contracts/ids.js';
import { findBrowser, NoBrowser } from '../../documents/browser/find.js';
import { type BrowserOptions, BrowserPool } from '../../documents/browser/pool.js';
import { PLACES } from '../../documents/labels/html.js';
import { createLogos } from '../../documents/labels/logo.js';
import { createLabelPress } from '../../documents/labels/press.js';
import { labelCache } from '../../documents/labels/print.js';
import { createStorage } from '../../documents/storage.js';
import { createImageFetcher } from '../../outbound/image.js';
import { commonOptions, type Queue, type QueueParts } from './queue.js';

/** The queue of what the browser prints: as many at once as its pages have places. */
export function documentsQueue(parts: QueueParts): Queue {
  const { db, config } = parts;
  const options = browserOptions(config);
  sayWhereMissing(options);
  const printer = new BrowserPool(options);
  const storage = createStorage(config.storage);
  const fetchImage = createImageFetcher({
    allowedRanges: config.webhookAllowCidrs,
    deniedRanges: config.webhookDenyCidrs,
  });
  return {
    options: {
      ...commonOptions(parts),
      taskQueue: taskQueues.documents,
      maxConcurrentActivityTaskExecutions: config.browserPages * PLACES,
      activities: createDocumentActivities({
        db,
        press: createLabelPress(printer, config.browserPages),
        cache: labelCache(storage),
        logos: createLogos(storage, fetchImage),
      }),
    },
    close: () => printer.close(),
  };
}

function browserOptions({ browserPath, browserPages, browserSandbox }: Config): BrowserOptions {
  return {
    executablePath: browserPath,
    pages: browserPages,
    sandbox: browserSandbox,
    environment: bareEnvironment(),
  };
}

/** The worker has other work, and one that is installed later is found. */
function sayWhereMissing(options: BrowserOptions): void {
  try {
    findBrowser(options);
  } catch (error) {
    if (!(error instanceof NoBrowser)) throw error;
    Runtime.instance().logger.error(`No label can be printed. ${error.message}`);
  }
}
