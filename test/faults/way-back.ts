import { setTimeout as delay } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { runAdmin } from '../support/admin.js';
import { type ApiClient, shipmentBody } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import { type Remembered, violations } from '../support/invariants.js';
import { patient } from '../support/patience.js';
import type { FaultRequest, LedgerEntry } from '../support/sandbox-client.js';
import type { TestStack } from '../support/stack.js';

/** One of each: asked by reference (`run`, `lionwheel`), or not (`cargo`, `getpackage`). */
const CARRIERS = ['run', 'lionwheel', 'cargo', 'getpackage'] as const;
const ASKED_BY_REFERENCE: ReadonlySet<string> = new Set(['run', 'lionwheel']);
const CALLERS = 16;
const PAUSE_MS = 100;
let keys = 0;

interface Request {
  key: string;
  body: unknown;
}

/** A creation that was answered 201 or 202. */
export interface Accepted extends Request {
  uuid: string;
  /** Null for 202. */
  code: string | null;
}

/** Requests creations of all carriers until each is accepted. */
export async function acceptMany(
  { account }: TestStack,
  client: ApiClient,
  amount: number,
): Promise<Accepted[]> {
  const accepted: Accepted[] = [];
  const waiting = Array.from({ length: amount }, (_, index) => ({
    key: `way-back-${account.id}-${(keys += 1)}`,
    body: shipmentBody(account, CARRIERS[index % CARRIERS.length] ?? 'run'),
  }));
  const caller = async () => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const { uuid, tracking_code: code } = (await answered(client, one, [201, 202])).body.data;
      accepted.push({ ...one, uuid, code });
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return accepted;
}

async function answered(client: ApiClient, { key, body }: Request, statuses: readonly number[]) {
  for (;;) {
    const answer = await client.create(body, key);
    if (statuses.includes(answer.status)) return answer;
    if (![202, 503].includes(answer.status)) throw new Error(`${key}: ${answer.status} ${answer.text}`);
    await delay(PAUSE_MS);
  }
}

interface FoundByAdmin {
  code: number | null;
  findings: { kind: string; count: number; reference: string | null; carrier: string | null }[];
}

/** The output and exit code of `admin reconcile`. */
export async function reconcileBy({ env }: TestStack, ...options: string[]): Promise<FoundByAdmin> {
  const { code, out, err } = await runAdmin(['reconcile', ...options, '--json'], env);
  try {
    return { code, findings: JSON.parse(out) };
  } catch {
    throw new Error(`admin reconcile: ${code} ${err}`);
  }
}

/** How many of each kind were found. */
export function countsOf({ findings }: FoundByAdmin): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind, count } of findings) counts[kind] = (counts[kind] ?? 0) + count;
  return counts;
}

/** Waits until nothing is under way but runs that wait for a person. */
async function untilOnlyPeopleWait({ db, temporal }: TestStack): Promise<void> {
  await eventually(
    async () => {
      const [row] = await db.select(
        `SELECT COUNT(*) AS open, COALESCE(SUM(status_code = 'needs_attention'), 0) AS waiting
         FROM shipments WHERE state = 'reserved'`,
      );
      const asking = await temporal.workflow.count(
        "WorkflowType = 'createShipment' AND ExecutionStatus = 'Running' AND BookingState = 'needs_attention'",
      );
      return Number(row?.open) === Number(row?.waiting) && Number(row?.waiting) === asking.count;
    },
    'the end of what is under way',
    180_000,
  );
}

/**
 * Looks up and decides what `admin reconcile` has left, as a person would, and then everything must hold: a parcel for
 * each accepted creation and no other. Where a carrier can be asked by the reference, nobody else has to.
 */
export async function endsWell(
  t: ExecutionContext,
  stack: TestStack,
  client: ApiClient,
  accepted: readonly Accepted[],
): Promise<void> {
  await untilOnlyPeopleWait(stack);
  const { findings } = await reconcileBy(stack);
  const parcels = await allParcels(stack);
  t.deepEqual(
    findings.filter(({ carrier }) => carrier === null || ASKED_BY_REFERENCE.has(carrier)),
    [],
  );
  t.log(`${parcels.length} parcels, ${findings.length} of them looked up by a person`);
  for (const { reference } of findings) {
    const uuid = String(reference);
    const parcel = parcels.find((one) => one.reference === uuid);
    await decide(stack, uuid, parcel === undefined ? await retrying(stack, uuid) : ['--adopt', parcel.code]);
  }
  const remembered: Remembered[] = [];
  for (const { key, body } of accepted) {
    const { text } = await answered(client, { key, body }, [201]);
    remembered.push({ key, body, status: 201, text });
  }
  t.deepEqual(await violations(stack, client, remembered), []);
  t.deepEqual(await reconcileBy(stack), { code: 0, findings: [] });
}

/** Decides as a person does, who waits where a call may still be under way. */
async function decide({ env }: TestStack, uuid: string, decision: string[]): Promise<void> {
  await eventually(
    async () => {
      const { code, err } = await runAdmin(['resolve', uuid, ...decision], env);
      if (code !== 0 && !/ can be decided from /.test(err)) throw new Error(err);
      return code === 0;
    },
    'a call that is over for certain',
    120_000,
  );
}

async function retrying({ db }: TestStack, uuid: string): Promise<string[]> {
  const [row] = await db.select(
    "SELECT COALESCE(MAX(number), 0) AS attempt FROM carrier_attempts WHERE shipment_uuid = ? AND operation = 'book'",
    [uuid],
  );
  return ['--retry', '--attempt', String(row?.attempt)];
}

/** The ledgers of all carriers. */
export async function allParcels({ sandboxes }: TestStack): Promise<LedgerEntry[]> {
  return (await Promise.all([...sandboxes.values()].map((sandbox) => sandbox.ledger()))).flat();
}

/** Makes every carrier book at once and answer too late; the returned function ends it. */
export async function answerTooLate(stack: TestStack): Promise<() => Promise<void>> {
  return await atAll(stack, { kind: 'latency_after', value: patient(20_000) });
}

/** Makes every carrier take nothing; the returned function ends it. */
export async function sendAway(stack: TestStack): Promise<() => Promise<void>> {
  return await atAll(stack, { kind: 'status', value: 503 });
}

async function atAll({ sandboxes }: TestStack, fault: { kind: string; value: number }) {
  const each = (one: FaultRequest) =>
    Promise.all(CARRIERS.map(async (provider) => await sandboxes.get(provider)?.fault(one)));
  await each({ operation: 'book', times: 0, ...fault });
  return async () => void (await each({ kind: 'none' }));
}
