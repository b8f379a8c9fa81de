/** The workflow `resumeBatches`; ends with the number of runs it started. */
export type ResumeBatches = () => Promise<number>;
