/**
 * Asks at most once at a time and keeps what came of it for `keepMs`, so that any number of callers costs one question.
 * A question that fails is asked again by the next caller.
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
