/** Addresses that are public by their numbers and reach what is not: Azure's agent, which hands out certificates. */
export const DENIED_RANGES: readonly string[] = ['168.63.129.16/32'];
