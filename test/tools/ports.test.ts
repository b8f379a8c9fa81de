import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { freePort } from '../../tools/launcher/ports.js';

const PORTS = new URL('../../tools/launcher/ports.js', import.meta.url).href;
const WANTED = 21_900;

/** The ports that another process gets, which runs until it is killed. */
async function portOfAnother(t: { teardown(end: () => void): void }) {
  const code = `const { freePort } = await import('${PORTS}');
    process.stdout.write(String(await freePort(${WANTED})));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const [port] = await once(child.stdout, 'data');
  return { child, port: Number(port) };
}

test('a port given to another process stays reserved until that process ends', async (t) => {
  const other = await portOfAnother(t);

  const meanwhile = [await freePort(WANTED), await freePort(WANTED)];
  other.child.kill('SIGKILL');
  await once(other.child, 'exit');
  const afterwards = await freePort(WANTED);

  t.is(new Set([other.port, ...meanwhile]).size, 3);
  t.is(afterwards, other.port);
});
