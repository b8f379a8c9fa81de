/** The retry policies of activities. Times in milliseconds. */
export const RETRIES = {
  /** MySQL steps, and rounds that somebody waits behind: tried until MySQL or the engine is back. */
  soon: { initialInterval: 100, backoffCoefficient: 2, maximumInterval: 5000 },
  /** Calls of carriers and mail servers, and long work: tried until the other side is back, or time is up. */
  patiently: { initialInterval: 500, backoffCoefficient: 2, maximumInterval: 30_000 },
  /** The next round of a Schedule does the same. */
  once: { maximumAttempts: 2 },
  /** Somebody waits in front of a browser, which is up again within seconds or needs its operator. */
  printing: { initialInterval: 100, backoffCoefficient: 2, maximumInterval: 5000, maximumAttempts: 10 },
  /** The file of an export by mail: ten tries, over an hour. */
  exportMail: { initialInterval: 2000, backoffCoefficient: 3, maximumInterval: 900_000, maximumAttempts: 10 },
} as const;
