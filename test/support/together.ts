import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A state of a run, as ava's worker tells its parent. */
interface Told {
  title?: string;
}

/** `test` with its modifiers: `test.serial`, `test.after.always`. */
type Chain = ((...args: unknown[]) => unknown) & { [modifier: string]: Chain };

/** The parts of ava's worker that run one file. No export of the package names them, so its version is exact. */
interface Worker {
  Runner: new (options: {
    file: string;
    projectDir: string;
  }) => {
    readonly chain: Chain;
    on(event: 'stateChange', told: (state: Told) => void): void;
    once(event: 'finish' | 'error'): Promise<unknown>;
  };
  refs: { runnerChain: Chain };
  channel: { send(state: Told): void };
}

async function worker(): Promise<Worker> {
  const require = createRequire(import.meta.url);
  const lib = join(dirname(require.resolve('ava')), '..', 'lib');
  const runner = (await import(pathToFileURL(join(lib, 'runner.js')).href)) as { default: Worker['Runner'] };
  const { refs } = require(join(lib, 'worker/state.cjs')) as Pick<Worker, 'refs'>;
  const channel = require(join(lib, 'worker/channel.cjs')) as Worker['channel'];
  return { Runner: runner.default, refs, channel };
}

/** The `test` that every file imports: the chain of the file that is being read. */
function chainOf(current: () => Chain): Chain {
  return new Proxy(() => undefined, {
    apply: (_target, _self, args: unknown[]) => current()(...args),
    get: (_target, modifier: string) => chainOf(() => current()[modifier] as Chain),
  }) as unknown as Chain;
}

/**
 * Runs test files one after another in this process of ava, each with its own hooks and titles, so that modules are
 * read, compiled and optimized once. Paths are below the folder of tests.
 */
export async function runTogether(files: readonly string[]): Promise<void> {
  const { Runner, refs, channel } = await worker();
  const own = refs.runnerChain;
  let chain = own;
  refs.runnerChain = chainOf(() => chain);
  for (const name of files) {
    const file = fileURLToPath(new URL(`../${name}`, import.meta.url));
    const prefix = name
      .replace(/\.test\.js$/, '')
      .split('/')
      .join(' › ');
    const runner = new Runner({ file, projectDir: process.cwd() });
    runner.on('stateChange', (state) => {
      if (state.title !== undefined) state.title = `${prefix} › ${state.title}`;
      channel.send(state);
    });
    const done = Promise.race([runner.once('finish'), failed(runner.once('error'))]);
    chain = runner.chain;
    await import(pathToFileURL(file).href);
    await done;
  }
  // Without a test, the runner of this process starts with its first hook, and ends at once.
  own.after?.(() => undefined);
}

async function failed(error: Promise<unknown>): Promise<never> {
  throw await error;
}
