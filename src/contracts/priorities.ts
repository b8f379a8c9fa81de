/** Priorities of tasks within a queue; lower goes first. */
export const PRIORITIES = {
  /** A caller waits for the result. */
  interactive: { priorityKey: 1 },
  /** Carriers' webhooks. */
  inbound: { priorityKey: 2 },
  /** Webhooks to receivers that answer. */
  webhooks: { priorityKey: 3 },
  /** Batches, exports, mails: after everything that a caller waits for. */
  bulk: { priorityKey: 4 },
  /** Polling, and receivers that fail. */
  last: { priorityKey: 5 },
} as const;
