import { listNeedingAttention } from '../../db/queries/shipments/attention.js';
import { requireNamespace } from '../../temporal/entry.js';
import { type ActingApp, auditedAct } from './audited.js';
import { KINDS, type Losses, type ReconcilingApp } from './differences.js';
import { listLostBatches } from './lost-rows.js';

/** A kind of difference and how many of it there are, or one thing that a person looks up. */
interface Finding {
  kind: string;
  count: number;
  /** The shipment's uuid, by which the carrier knows the parcel too; null for a kind. */
  reference: string | null;
  accountId: number | null;
  carrier: string | null;
  /** ISO 8601 UTC. */
  since: string | null;
  /** The step that mends it, or why a person has to look. */
  what: string;
}

/** `isLeft`: something is still to be done, or to be looked up. */
interface Reconciled {
  findings: Finding[];
  isLeft: boolean;
}

/** Compares MySQL and Temporal, and lists with the differences what a person must look up. Changes nothing. */
export async function previewReconciling(app: ReconcilingApp, losses: Losses): Promise<Reconciled> {
  await requireNamespace(app.temporal, app.config.temporalAddress);
  const findings = [...(await compare(app, losses, false)), ...(await toLookUp(app))];
  return { findings, isLeft: findings.length > 0 };
}

/**
 * Gives each store back what the other one knows. Repeatable, and may run beside workers and callers: each step is the
 * one that a repeated request or a sweep takes.
 */
export async function reconcile(app: ReconcilingApp & ActingApp, losses: Losses): Promise<Reconciled> {
  await requireNamespace(app.temporal, app.config.temporalAddress);
  const about = { target: { kind: 'service', id: 'reconcile' }, accountId: null, asked: losses } as const;
  const done = await auditedAct(app, 'service.reconcile', about, () => compare(app, losses, true), textOf);
  const left = [...done.filter(({ reference }) => reference !== null), ...(await toLookUp(app))];
  return {
    findings: [...done.filter(({ reference }) => reference === null), ...left],
    isLeft: left.length > 0,
  };
}

function textOf(findings: readonly Finding[]): string {
  return findings.map(({ kind, count }) => `${kind} ${count}`).join(', ') || 'nothing to do';
}

/** Looks for differences of each kind, and mends them where that is wanted. */
async function compare(app: ReconcilingApp, losses: Losses, isWanted: boolean): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { kind, does, find } of KINDS) {
    const counted = { ...NOBODY, kind, count: 0, reference: null, what: isWanted ? `done: ${does}` : does };
    for await (const page of find(app, losses)) {
      const mended = await Promise.all(page.map(async ({ mend }) => !isWanted || (await mend())));
      counted.count += mended.filter(Boolean).length;
      const failed = page.filter((_, index) => !mended[index]);
      findings.push(
        ...failed.map(({ reference }) => ({ ...NOBODY, kind, count: 1, reference, what: NOT_DONE })),
      );
    }
    if (counted.count > 0) findings.push(counted);
  }
  return findings;
}

const NOBODY = { accountId: null, carrier: null, since: null };
const NOT_DONE = 'the stores do not hold what it takes, or another process was sooner: look again';

/** Waits for a person: `admin resolve` takes the decision, or a merchant sends a batch again. */
async function toLookUp(app: ReconcilingApp): Promise<Finding[]> {
  const batches = (await listLostBatches(app)).map(({ batchUuid, accountId, startedAt }) => ({
    kind: 'batch without rows',
    count: 1,
    reference: batchUuid,
    accountId,
    carrier: null,
    since: startedAt,
    what: 'its caller sends it again under its key; items that were booked find their parcels',
  }));
  return [...(await waitingForPeople(app)), ...batches];
}

async function waitingForPeople({ db }: ReconcilingApp): Promise<Finding[]> {
  const findings: Finding[] = [];
  let page: Awaited<ReturnType<typeof listNeedingAttention>> = [];
  do {
    const afterId = page.at(-1)?.id ?? 0;
    page = await listNeedingAttention(db, { afterId, limit: PAGE });
    findings.push(
      ...page.map(({ uuid, accountId, provider, since, reason }) => {
        const about = { reference: uuid, accountId, carrier: provider, since };
        return { kind: 'look up, then admin resolve', count: 1, ...about, what: reason };
      }),
    );
  } while (page.length === PAGE);
  return findings;
}

const PAGE = 500;
