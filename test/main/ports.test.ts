import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { run } from '../../tools/launcher/run.js';

for (const [name, setting] of [
  ['worker', 'WORKER_HEALTH_PORT'],
  ['worker', 'WORKER_METRICS_PORT'],
  ['api', 'PORT'],
  ['api', 'API_METRICS_PORT'],
] as const) {
  test(`${name}: a taken ${setting} ends the process with one line that names the setting`, async (t) => {
    const holder = createServer().listen(0, '127.0.0.1');
    t.teardown(() => holder.close());
    await once(holder, 'listening');
    const address = holder.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    // Nothing listens at port 9: the process must fail before it connects.
    const env = {
      DATABASE_URL: 'mysql://root@127.0.0.1:9/none',
      TEMPORAL_ADDRESS: '127.0.0.1:9',
      APP_KEY: Buffer.alloc(32, 1).toString('base64'),
      HOST: '127.0.0.1',
      BASE_URL: 'http://127.0.0.1',
      [setting]: String(address.port),
    };

    const script = fileURLToPath(new URL(`../../src/main/${name}.js`, import.meta.url));
    const { code, output } = await run(process.execPath, [script], { env, timeoutMs: 60_000 });

    t.is(code, 1, output);
    t.regex(
      output,
      new RegExp(`^${name}: listen EADDRINUSE: [^\\n]*:${address.port}\\. [^\\n]*${setting}[^\\n]*\\n$`),
    );
  });
}
