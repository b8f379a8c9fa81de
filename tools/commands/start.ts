import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { devFolder, projectFolder } from '../launcher/paths.js';
import { messageOf, runMain, SetupError, say } from '../launcher/progress.js';
import { clearState, runningSupervisor, stopEarlier } from '../launcher/state.js';
import { summary } from '../launcher/summary.js';

const SUPERVISE = '--supervise';
const DETACH = '--detach';
const OBSERVE = '--observe';

/** Runs the system until SIGINT or SIGTERM; returns the exit code. */
async function supervise(observe: boolean, onReady: () => void): Promise<number> {
  // Imported late: half a second that a command which only waits can save.
  const { Stack } = await import('../launcher/stack.js');
  const stack = new Stack();
  let asked = false;
  const stopAsked = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        asked = true;
        resolve();
      });
    }
  });
  const started = stack.start({ observe }).then(
    () => true,
    (error: unknown) => {
      if (!asked) say(`✖ ${messageOf(error)}`);
      return false;
    },
  );
  const ready = await Promise.race([started, stopAsked.then(() => false)]);
  if (ready) {
    onReady();
    await stopAsked;
  }
  say('… stopping');
  await stack.stop();
  // An unfinished start ends as soon as its processes are gone.
  await started;
  await stack.stop();
  clearState();
  say('✔ stopped');
  return asked ? 0 : 1;
}

function waitUntilReady(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    child.on('message', (message) => {
      if (typeof message !== 'object' || message === null) return;
      if ('line' in message) console.log(String(message.line));
      if ('ready' in message) resolve(true);
    });
    child.once('exit', () => resolve(false));
    child.once('error', () => resolve(false));
  });
}

/** Starts a detached supervisor and returns when the system is healthy. */
async function detach(observe: boolean): Promise<number> {
  mkdirSync(join(devFolder, 'logs'), { recursive: true, mode: 0o700 });
  const log = openSync(join(devFolder, 'logs', 'supervisor.log'), 'a', 0o600);
  const args = [fileURLToPath(import.meta.url), SUPERVISE, ...(observe ? [OBSERVE] : [])];
  const child = spawn(process.execPath, args, {
    cwd: projectFolder,
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const stopChild = (): void => {
    child.kill('SIGTERM');
  };
  process.on('SIGINT', stopChild);
  process.on('SIGTERM', stopChild);
  const ready = await waitUntilReady(child);
  if (!ready) throw new SetupError('the system did not start; see above and .dev/logs');
  child.disconnect();
  child.unref();
  console.log(summary());
  console.log('npm run stop stops it.');
  return 0;
}

async function main(): Promise<number> {
  const args = process.argv.slice(2);
  const observe = args.includes(OBSERVE);
  if (args.includes(SUPERVISE)) {
    return supervise(observe, () => {
      if (process.connected) process.send?.({ ready: true });
    });
  }
  const unknown = args.find((each) => each !== DETACH && each !== OBSERVE);
  if (unknown !== undefined) {
    throw new SetupError(
      `npm start has no ${unknown}. "npm start" runs until Ctrl-C; "npm start -- ${DETACH}" returns once all is up; ` +
        `${OBSERVE} adds a Prometheus.`,
    );
  }
  const running = await runningSupervisor();
  if (running !== null) {
    console.log(`It is running already (supervisor ${running}); npm run stop stops it.`);
    console.log(summary());
    return 0;
  }
  await stopEarlier();
  if (args.includes(DETACH)) return detach(observe);
  return supervise(observe, () => {
    console.log(summary());
    console.log('Ctrl-C stops everything.');
  });
}

runMain(main);
