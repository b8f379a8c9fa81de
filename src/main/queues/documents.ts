import { createDocumentActivities } from '../../../activities/index.js';
import { bareEnvironment } from '../../config/bare-environment.js';
import type { Config } from '../../config/config.js';
import { taskQueues } from '../../contracts/ids.js';
import { BrowserPool } from '../../documents/browser/pool.js';
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
  const printer = browserOf(config);
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

function browserOf({ browserPath, browserPages, browserSandbox }: Config): BrowserPool {
  return new BrowserPool({
    executablePath: browserPath,
    pages: browserPages,
    sandbox: browserSandbox,
    environment: bareEnvironment(),
  });
}
