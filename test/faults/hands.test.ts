import test from 'ava';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { startMailServer } from '../support/mail-server.js';
import { memoryMib } from '../support/memory.js';
import { startApiProcess, startWorkerProcess } from '../support/processes.js';
import { startReceiver } from '../support/receiver.js';
import { startStack } from '../support/stack.js';
import { type Seen, workHands } from './hands.js';
import { troublesAfter } from './hands-rest.js';

/** `HANDS_ACTS=10000 HANDS_SEED=1 npm test -- faults/hands` does more, and the same again. */
const ACTS = Number(process.env.HANDS_ACTS ?? 200);
const SEED = Number(process.env.HANDS_SEED ?? Date.now() % 1_000_000);
const FEW = 60;
/** Fewer acts tell nothing about memory: what a process keeps at first is no leak. */
const WARM_UP = 500;
const MOST_GROWTH = 1.1;
/** Taken five times a second. */
const SETTLED_READINGS = 100;
const MS_OF_ACT = 2000;
/** How much garbage waits for its collection says nothing about what a process keeps. */
const COLLECTS_ON_SIGNAL = ['--expose-gc', '--import=data:text/javascript,process.on("SIGUSR2",()=>gc())'];
const IS_LONG = ACTS > 2 * WARM_UP;
const PARTS = Math.ceil(ACTS / 1000);

const cleanUps = new CleanUps();
test.after.always(() => cleanUps.end());

async function start() {
  const [mail, receiver] = await Promise.all([startMailServer(), startReceiver()]);
  cleanUps.teardown(() => Promise.all([mail.close(), receiver.close()]));
  const env = {
    CREATE_WAIT_MS: '90000',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    SMTP_URL: mail.url,
    // New users come from one address all the time.
    OPEN_RATE_LIMIT_PER_MINUTE: '100000',
    AUTH_FAILURES_PER_MINUTE: '100000',
  };
  const stack = await startStack({ env });
  cleanUps.teardown(() => stack.close());
  // In place of the flags of the tests' own process, whose large young generation hides what grows.
  const [api] = await Promise.all([
    startApiProcess(cleanUps, stack, {}, COLLECTS_ON_SIGNAL),
    startWorkerProcess(cleanUps, stack),
  ]);
  return { stack, ...api, hook: receiver.url };
}

/** Resident memory of an idle process whose garbage is collected: its least when that has not fallen for this many readings. */
async function settledMib(pid: number | undefined): Promise<number> {
  if (pid !== undefined) process.kill(pid, 'SIGUSR2');
  let least = memoryMib(pid, 'VmRSS');
  let readings = 0;
  await eventually(
    () => {
      const now = memoryMib(pid, 'VmRSS');
      readings = now < least ? 0 : readings + 1;
      least = Math.min(least, now);
      return readings > SETTLED_READINGS;
    },
    'memory that does not fall',
    300_000,
  );
  return least;
}

/** A report of the acts, line by line. */
function account({ forms, acts, sendings, orders, secrets }: Seen): string {
  const lines = [...forms].toSorted(([a], [b]) => a.localeCompare(b));
  const never = lines.filter(([, { done }]) => done === 0);
  return [
    `${sendings} sendings, ${orders.size} orders, ${secrets.size} secrets, ${lines.length} forms, ${lines.length - never.length} carried out`,
    ...[...acts].map(([kind, times]) => `${times} × ${kind}`),
    ...lines.map(
      ([name, { done, refused, answer }]) =>
        `${done} done, ${refused} refused ${name} ${done === 0 ? answer : ''}`,
    ),
  ].join('\n');
}

let hands: Awaited<ReturnType<typeof start>>;
let seen: Seen;
let before: number;

test.serial('the hands of two people: their first acts', async (t) => {
  if (IS_LONG) t.timeout(WARM_UP * MS_OF_ACT);
  hands = await start();
  const { stack, url, process: api, hook } = hands;
  t.log(`HANDS_SEED=${SEED}`);
  const acts = IS_LONG ? WARM_UP : FEW;

  seen = await workHands(stack, url, { seed: SEED, acts, isKeyed: true, hook });

  before = IS_LONG ? await settledMib(api.pid) : memoryMib(api.pid, 'VmRSS');
  // An act that opens a page without a form sends nothing.
  t.true(seen.sendings > acts / 2);
});

// In parts, since the runner ends a file that is silent for ten minutes.
for (let part = 1; part <= PARTS; part += 1) {
  test.serial(`the hands of two people: part ${part} of ${PARTS}`, async (t) => {
    const acts = ACTS / PARTS;
    if (IS_LONG) t.timeout(acts * MS_OF_ACT);
    const { stack, url, hook } = hands;
    const sent = seen.sendings;

    seen = await workHands(stack, url, { seed: SEED + 2 * part, acts, isKeyed: true, hook, began: seen });

    t.true(seen.sendings > sent);
  });
}

test.serial('the hands of two people double no parcel, lose no secret and undo no setting', async (t) => {
  if (IS_LONG) t.timeout(WARM_UP * MS_OF_ACT);
  const { stack, process: api } = hands;
  t.log(account(seen));
  const busy = memoryMib(api.pid, 'VmRSS');

  const after = IS_LONG ? await settledMib(api.pid) : busy;

  t.log(`resident memory of the API: ${before} MiB, then ${after} MiB, before it was idle ${busy} MiB`);
  t.deepEqual(await troublesAfter(stack, seen), []);
  if (IS_LONG) t.true(after <= before * MOST_GROWTH, `${before} MiB, then ${after} MiB`);
});

test.serial('without keys the same hands do harm: the check sees it', async (t) => {
  const { stack, url, hook } = await start();

  const seen = await workHands(stack, url, { seed: 1, acts: FEW, isKeyed: false, hook });

  const troubles = await troublesAfter(stack, seen);
  t.log(troubles.join('\n'));
  t.true(troubles.length > 0);
});
