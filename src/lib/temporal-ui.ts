/** Temporal's UI. `url` has no trailing slash; null when not set. */
export interface TemporalUi {
  url: string | null;
  namespace: string;
}

/** Queries for operators' lists of runs, without the rounds of Schedules. */
export const RUN_QUERIES = {
  all: 'TemporalScheduledById IS NULL',
  waiting: 'WorkflowType="createShipment" AND ExecutionStatus="Running"',
  needsAttention: 'BookingState="needs_attention" AND ExecutionStatus="Running"',
} as const;

/** The query for an attribute's value. */
export function runsWith(attribute: string, value: string): string {
  return `${attribute}="${value.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** URL of the list of runs for a query; null when the UI is unknown. */
export function runsLink({ url, namespace }: TemporalUi, query: string): string | null {
  if (url === null) return null;
  return `${url}/namespaces/${encodeURIComponent(namespace)}/workflows?query=${encodeURIComponent(query)}`;
}
