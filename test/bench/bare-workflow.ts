import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';

interface Nothing {
  nothing(input: { n: number }): Promise<{ n: number }>;
}

const local = proxyLocalActivities<Nothing>({ startToCloseTimeout: '10s' });
const regular = proxyActivities<Nothing>({ startToCloseTimeout: '10s', taskQueue: 'bare-carrier' });

/** The least that a durable local–regular–local sequence costs on this server. */
export async function bare(input: { n: number }): Promise<{ n: number }> {
  return await local.nothing(await regular.nothing(await local.nothing(input)));
}
