import { latestAttempt } from '../../db/queries/creation/attempts.js';
import { keepCall } from '../../db/queries/creation/restoring.js';
import {
  listStaleReservations,
  type StaleReservation,
} from '../../db/queries/creation/stale-reservations.js';
import { listStaleExports } from '../../db/queries/exports/exports.js';
import { stateOfRun } from '../../temporal/run-state.js';
import { listMissingSchedules } from '../../temporal/schedules.js';
import type { App } from '../app.js';
import { continueForgotten } from '../creation/abandoned-creations.js';
import type { RestoringApp } from '../creation/restoring.js';
import { continueExport, isExportForgotten } from '../exports/abandoned-exports.js';
import { armEngine, wantedSchedules } from '../operations/migrate.js';
import { AT_ONCE, type Difference, lostCancellations, lostShipments } from './lost-rows.js';

export type ReconcilingApp = RestoringApp &
  Pick<App<'pollIntervalSeconds' | 'retention' | 'temporalAddress'>, 'config' | 'adapters'>;

/** Losses that an operator knows of. `bothOlder`: neither knows all that was sent to carriers. */
export interface Losses {
  bothOlder: boolean;
}

interface Kind {
  kind: string;
  does: string;
  /** Pages of those that there are. */
  find(app: ReconcilingApp, losses: Losses): AsyncIterable<Difference[]>;
}

/** One line a kind: what is asked, and what is done. In the order in which they are mended. */
export const KINDS: readonly Kind[] = [
  { kind: 'Schedule that is missing', does: 'make it', find: missingSchedules },
  { kind: 'shipment, or its end, without rows', does: 'write it again from its run', find: lostShipments },
  { kind: 'cancellation without rows', does: 'record it from its run', find: lostCancellations },
  {
    kind: 'creation whose calls may be lost',
    does: 'look at the carrier, or ask a person, before it is sent',
    find: doubtfulCalls,
  },
  {
    kind: 'creation without a run',
    does: 'start it under its id; it begins with what was sent before',
    find: forgottenCreations,
  },
  { kind: 'export without a run', does: 'start it', find: forgottenExports },
];

type StaleExport = Awaited<ReturnType<typeof listStaleExports>>[number];

/** Its start may still be under way. */
const STARTING_SECONDS = 60;

async function* missingSchedules({
  temporal,
  config,
  adapters,
}: ReconcilingApp): AsyncIterable<Difference[]> {
  const wanted = wantedSchedules(config, adapters);
  const missing = await listMissingSchedules(temporal, wanted);
  let arming: Promise<unknown> | undefined;
  const mend = async () => {
    arming ??= armEngine(temporal, wanted);
    await arming;
    return true;
  };
  yield missing.map((reference) => ({ reference, mend }));
}

async function* forgottenCreations(app: ReconcilingApp): AsyncIterable<Difference[]> {
  for await (const page of reservations(app)) {
    const forgotten = await Promise.all(
      page.map(
        async ({ workflowId, createdAt }) =>
          (await stateOfRun(app.temporal, workflowId, { at: createdAt })) === 'unknown',
      ),
    );
    yield page
      .filter((_, index) => forgotten[index])
      .map((creation) => ({ reference: creation.uuid, mend: () => continueForgotten(app, creation) }));
  }
}

/** Reservations of which nothing was sent as far as MySQL knows: a call is noted whose outcome is unknown. */
async function* doubtfulCalls(app: ReconcilingApp, { bothOlder }: Losses): AsyncIterable<Difference[]> {
  if (!bothOlder) return;
  for await (const page of reservations(app)) {
    for (const { uuid } of page) {
      const latest = await latestAttempt(app.db, uuid);
      if (latest !== null && latest.state !== 'not_sent') continue;
      const call = { attempt: (latest?.number ?? 0) + 1, parcel: null };
      const mend = async () => {
        await keepCall(app.db, uuid, call);
        return true;
      };
      yield [{ reference: uuid, mend }];
    }
  }
}

/** All reservations, oldest first. */
function reservations({ db }: ReconcilingApp): AsyncIterable<StaleReservation[]> {
  const all = { withWaiting: true, olderThanSeconds: 0, limit: AT_ONCE };
  return pagesOf((after) => listStaleReservations(db, { ...all, after }));
}

async function* forgottenExports(app: ReconcilingApp): AsyncIterable<Difference[]> {
  const stale = { olderThanSeconds: STARTING_SECONDS, limit: AT_ONCE };
  const pages = pagesOf<StaleExport>((after) => listStaleExports(app.db, { ...stale, afterId: after?.id }));
  for await (const page of pages) {
    const forgotten = await Promise.all(page.map((found) => isExportForgotten(app, found)));
    yield page
      .filter((_, index) => forgotten[index])
      .map((found) => ({ reference: String(found.id), mend: () => continueExport(app, found) }));
  }
}

/** Every page of a list; `read` gets the last of the page before. */
async function* pagesOf<T>(read: (after: T | undefined) => Promise<T[]>): AsyncIterable<T[]> {
  let page: T[] = [];
  do {
    page = await read(page.at(-1));
    yield page;
  } while (page.length === AT_ONCE);
}
