import test from 'ava';
import { loadConfig } from '../../src/config/config.js';
import { ConfigError } from '../../src/config/environment.js';

const GOOD = { DATABASE_URL: 'mysql://app@db/x', APP_KEY: Buffer.alloc(32, 1).toString('base64') };

for (const [name, value, why = ''] of [
  ['DATABASE_URL', 'mysql://app:hunter2@db:33o6/x'],
  ['DATABASE_URL', 'mysql://app:hunter2@db/x?ssl=true', ' (an option)'],
  ['SMTP_URL', 'hunter2'],
  ['APP_KEY', 'hunter2'],
  ['PORT', 'hunter2'],
  ['RATE_LIMIT_PER_MINUTE', 'hunter2'],
  ['LOG_LEVEL', 'hunter2'],
  ['WEBHOOK_DENY_CIDRS', '10.0.0.0/8,hunter2'],
  ['BROWSER_SANDBOX', 'hunter2'],
] as const) {
  test(`configuration: a wrong ${name} is named, and its value is not shown${why}`, (t) => {
    const error = t.throws(() => loadConfig({ ...GOOD, [name]: value }), { instanceOf: ConfigError });

    t.true(error?.message.includes(`  ${name}: `), error?.message);
    t.false(error?.message.includes('hunter2'), error?.message);
  });
}
