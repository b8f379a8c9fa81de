/** Something is missing or did not come up: the message says what, and how to get it. */
export class SetupError extends Error {}

/** One progress line; a detached launcher passes it on to the command that waits for it. */
export function say(line: string): void {
  console.log(line);
  if (process.connected) process.send?.({ line });
}

/** Runs a step and prints how long it took. */
export async function step<T>(label: string, work: () => Promise<T>): Promise<T> {
  const started = Date.now();
  const result = await work();
  say(`✔ ${label} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return result;
}

/** Text of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Runs a command's main function: a {@link SetupError} is a line, anything else a stack; both exit 1. */
export function runMain(main: () => Promise<number>): void {
  main().then(
    (code) => process.exit(code),
    (error: unknown) => {
      console.error(error instanceof SetupError ? `✖ ${error.message}` : error);
      process.exit(1);
    },
  );
}
