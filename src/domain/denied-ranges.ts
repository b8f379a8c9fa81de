/** Public addresses that reach internal services: Azure's agent, which serves certificates. */
export const DENIED_RANGES: readonly string[] = ['168.63.129.16/32'];
