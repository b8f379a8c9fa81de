/** Which tasks of a queue go first: the lower the number, the sooner. */
export const PRIORITIES = {
  /** Somebody waits for the end. */
  interactive: { priorityKey: 1 },
  /** What a carrier told by webhook. */
  inbound: { priorityKey: 2 },
  /** Webhooks to receivers that answer. */
  webhooks: { priorityKey: 3 },
  /** Batches, exports, mails: they yield to everything that somebody waits for. */
  bulk: { priorityKey: 4 },
  /** Polling, and receivers that fail. */
  last: { priorityKey: 5 },
} as const;
