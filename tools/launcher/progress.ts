/** Something is missing or did not start; the message says what, and how to fix it. */
export class SetupError extends Error {}

/** Prints a progress line. A detached launcher's lines reach the command that waits for it. */
export function say(line: string): void {
  console.log(line);
  if (process.connected) process.send?.({ line });
}

/** Runs a step and prints its duration. */
export async function step<T>(label: string, work: () => Promise<T>): Promise<T> {
  const started = Date.now();
  const result = await work();
  say(`✔ ${label} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return result;
}

/** Message of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Runs a command's main function. A {@link SetupError} prints one line, other errors a stack; both exit with 1. */
export function runMain(main: () => Promise<number>): void {
  main().then(
    (code) => process.exit(code),
    (error: unknown) => {
      console.error(error instanceof SetupError ? `✖ ${error.message}` : error);
      process.exit(1);
    },
  );
}
