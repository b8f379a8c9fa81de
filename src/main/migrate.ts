import { allCarriers } from '../carriers/registry.js';
import { loadConfig } from '../config/config.js';
import { bringUpToDate } from '../services/operations/migrate.js';
import { createLogger } from './logger.js';
import { runProcess } from './process.js';

await runProcess('migrate', async () => {
  const config = loadConfig();
  const log = createLogger('migrate', config.logLevel);
  const done = await bringUpToDate(config, allCarriers());
  log.info(done, 'database, search attributes and schedules are up to date');
});
