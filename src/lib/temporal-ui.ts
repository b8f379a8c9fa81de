/** Where runs are looked at. `url`: without a trailing slash; null where the system does not know it. */
export interface TemporalUi {
  url: string | null;
  namespace: string;
}

/** Queries of the list of runs that operators start from. None of them shows the rounds of Schedules. */
export const RUN_QUERIES = {
  all: 'TemporalScheduledById IS NULL',
  waiting: 'WorkflowType="createShipment" AND ExecutionStatus="Running"',
  needsAttention: 'BookingState="needs_attention" AND ExecutionStatus="Running"',
} as const;

/** The query for an attribute's value. */
export function runsWith(attribute: string, value: string): string {
  return `${attribute}="${value.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** The address of the list of runs that a query finds; null where the UI's is not known. */
export function runsLink({ url, namespace }: TemporalUi, query: string): string | null {
  if (url === null) return null;
  return `${url}/namespaces/${encodeURIComponent(namespace)}/workflows?query=${encodeURIComponent(query)}`;
}
