/**
 * Calls `ask` at most once at a time and keeps the result for `keepMs`, for any number of callers. After a failure the
 * next caller asks again.
 */
export function sharedAnswer<T>(ask: () => Promise<T>, keepMs: number): () => Promise<T> {
  let answer: Promise<T> | undefined;
  let askedUntil = Number.POSITIVE_INFINITY;
  return () => {
    if (answer !== undefined && performance.now() < askedUntil) return answer;
    askedUntil = Number.POSITIVE_INFINITY;
    const asked = ask();
    answer = asked;
    asked.then(
      () => {
        askedUntil = performance.now() + keepMs;
      },
      () => {
        answer = undefined;
      },
    );
    return asked;
  };
}
