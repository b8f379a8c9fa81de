/** Retry policies of activities, in milliseconds. */
export const RETRIES = {
  /** MySQL steps and rounds that callers wait for: retried until MySQL or the engine is back. */
  soon: { initialInterval: 100, backoffCoefficient: 2, maximumInterval: 5000 },
  /** Calls to carriers and mail servers, and long work: retried until they succeed or time is up. */
  patiently: { initialInterval: 500, backoffCoefficient: 2, maximumInterval: 30_000 },
  /** The Schedule's next round repeats the work. */
  once: { maximumAttempts: 2 },
  /** A caller waits for a browser, which is back within seconds or needs an operator. */
  printing: { initialInterval: 100, backoffCoefficient: 2, maximumInterval: 5000, maximumAttempts: 10 },
  /** Mailing an export: ten tries in over an hour. */
  exportMail: { initialInterval: 2000, backoffCoefficient: 3, maximumInterval: 900_000, maximumAttempts: 10 },
} as const;
