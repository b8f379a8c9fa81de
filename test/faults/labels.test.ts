import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { ApiClient } from '../support/api-client.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { startWorkerProcess, type TestProcess } from '../support/processes.js';
import { mountSmallDisk } from '../support/small-disk.js';
import { startStack } from '../support/stack.js';

const owner = new CleanUps();
const disk = mountSmallDisk();
owner.teardown(() => disk?.remove());
const stack = await startStack();
owner.teardown(() => stack.close());
const worker = await startWorkerProcess(owner, stack);
const api = new ApiClient(await stack.startApi(undefined, { createWaitMs: 20_000 }), stack.account);
test.after.always(() => owner.end());

const created = (packages: number) => api.created('independent', { ship_data: { packages } });

/** Asks again while the answer is "later", as a client would. */
async function labelOf(uuid: string): Promise<number> {
  return await eventually(
    async () => {
      const { status } = await api.get(`/shipments/${uuid}/label`);
      return status === 503 ? false : status;
    },
    'a label',
    60_000,
  );
}

test.serial(
  'the browser of a worker is killed while it prints, then the worker: both labels come',
  async (t) => {
    const [small, large, other] = [await created(1), await created(60), await created(59)];
    t.is(await labelOf(small), 200);

    const first = labelOf(large);
    const [browser] = browsersOf(worker);
    process.kill(browser ?? 0, 'SIGKILL');
    t.is(await first, 200);

    const second = labelOf(other);
    await isPrinting(other);
    await worker.kill9();
    await worker.start();
    t.is(await second, 200);

    const rows = await stack.db.select('SELECT label_generated FROM shipments WHERE uuid IN (?, ?)', [
      large,
      other,
    ]);
    t.deepEqual(
      rows.map((row) => row.label_generated),
      [1, 1],
    );
    t.deepEqual(deadChildrenOf(worker), []);
  },
);

test.serial(
  'a store that takes nothing is waited for; nothing is marked before the label is kept',
  async (t) => {
    const uuid = await created(2);
    const folder = stack.env.STORAGE_DIR ?? '';
    renameSync(folder, `${folder}-away`);
    writeFileSync(folder, 'no directory');
    t.teardown(() => rmSync(`${folder}-away`, { recursive: true, force: true }));

    const waiting = labelOf(uuid);
    await isPrinting(uuid, 2);
    const [during] = await stack.db.select('SELECT label_generated FROM shipments WHERE uuid = ?', [uuid]);
    rmSync(folder);
    mkdirSync(folder);

    t.is(during?.label_generated, 0);
    t.is(await waiting, 200);
  },
);

(disk === null ? test.serial.skip : test.serial)(
  'a store whose disk is full takes no label while parcels are booked; with room again it prints by itself',
  async (t) => {
    const uuid = await created(3);
    const folder = stack.env.STORAGE_DIR ?? '';
    renameSync(folder, `${folder}-roomy`);
    symlinkSync(disk?.path ?? '', folder);
    t.teardown(() => {
      rmSync(folder);
      renameSync(`${folder}-roomy`, folder);
    });
    const makeRoom = disk?.fill();

    const waiting = labelOf(uuid);
    await isPrinting(uuid, 2);
    await created(1);
    makeRoom?.();

    t.is(await waiting, 200);
    t.regex(worker.log, /ENOSPC/);
  },
);

/** Waits until the shipment's label is being printed, for the n-th time. */
async function isPrinting(uuid: string, attempt = 1): Promise<void> {
  await eventually(async () => {
    for await (const run of stack.temporal.workflow.list({ query: `ShipmentId="${uuid}"` })) {
      if (run.type !== 'renderLabels') continue;
      const { raw } = await stack.temporal.workflow.getHandle(run.workflowId).describe();
      const [activity] = raw.pendingActivities ?? [];
      if ((activity?.attempt ?? 0) >= attempt) return true;
    }
    return false;
  }, 'printing');
}

function processes(): { pid: number; parent: number; state: string; name: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(join('/proc', name, 'stat'), 'utf8');
        const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return [
          { pid: Number(name), parent: Number(parent), state, name: stat.slice(0, stat.lastIndexOf(')')) },
        ];
      } catch {
        return [];
      }
    });
}

function browsersOf(worker: TestProcess): number[] {
  return processes()
    .filter(({ parent, name }) => parent === worker.pid && /chrom/.test(name))
    .map(({ pid }) => pid);
}

function deadChildrenOf(worker: TestProcess): number[] {
  return processes()
    .filter(({ parent, state }) => parent === worker.pid && state === 'Z')
    .map(({ pid }) => pid);
}
