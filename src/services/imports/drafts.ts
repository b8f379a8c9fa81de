import { createHash, randomUUID } from 'node:crypto';
import {
  findDraftTable,
  findMapping,
  type ImportDraft,
  insertDraft,
  keepMapping,
  lockDraft,
  setDraft,
} from '../../db/queries/imports/drafts.js';
import {
  bookedRows,
  bookingsOf,
  holdShipped,
  type ImportRow,
  noteBatch,
  openRows,
  replaceRows,
  rowsOfRound,
  takeReady,
  updateRows,
} from '../../db/queries/imports/rows.js';
import type { Unreadable } from '../../documents/imports/table.js';
import { notFound } from '../../domain/errors.js';
import { cellText, type Edits, edited } from '../../domain/imports/edits.js';
import { type ImportColumns, isComplete } from '../../domain/imports/fields.js';
import type { Item } from '../../domain/imports/orders.js';
import { type PresetValues, withPreset } from '../../domain/imports/preset.js';
import { plainHeader, recognize } from '../../domain/imports/recognize.js';
import { LIMITS } from '../../lib/limits/values.js';
import type { App } from '../app.js';
import { checkRows, type ItemCheck, TOLD, type UncheckedRow } from './check.js';
import { type ImportApp, readFile, readOrders } from './reading.js';
import { openTable } from './reading-thread.js';

const MAPPINGS_KEPT = 100;

type DraftApp = Pick<App, 'db'>;
type ReadingApp = Pick<App, 'db'> & ImportApp;
/** Why a file makes no draft. */
export type Refused = Unreadable | 'too_many_orders';

interface NewDraft {
  accountId: number;
  licenseId: number;
  fileName: string;
  file: Buffer;
  language: string;
  /** For what the file does not say. */
  preset?: PresetValues | null;
  check: ItemCheck;
}

/** Keeps a file as a draft, with its orders checked where its columns are known. Returns its uuid, or why there is none. */
export async function startDraft(app: ReadingApp, given: NewDraft): Promise<Refused | { uuid: string }> {
  const { accountId, licenseId, fileName, file, language, preset = null, check } = given;
  const read = await readFile(app, file, { accountId, language });
  if (typeof read === 'string') return read;
  const { packed, header } = read;
  const known = recognize(header);
  const remembered = await findMapping(app.db, { accountId, headerHash: hashOf(header) });
  const columns = remembered ?? known.columns;
  const orders = isComplete(columns) ? await readOrders(app, packed, { accountId, columns }) : [];
  if (typeof orders === 'string') return orders;
  if (orders.length > LIMITS.batches.items) return 'too_many_orders';
  const rows = orders.map((order) => {
    return { ...order, item: withPreset(order.item, preset), edits: {}, isTaken: false };
  });
  const checked = await checkRows(app, rows, { check, licenseId, others: new Map() });
  const uuid = randomUUID();
  const { source } = known;
  await app.db.transaction(async (tx) => {
    const draft = { uuid, accountId, licenseId, fileName, source, packedTable: packed, columns, preset };
    await replaceRows(tx, await insertDraft(tx, draft), checked);
  });
  return { uuid };
}

/** The header and first rows of a draft's file; null once data of it were erased. */
export async function draftTable(
  { db }: DraftApp,
  draft: Pick<ImportDraft, 'accountId' | 'uuid'>,
): Promise<{ header: string[]; sample: string[][] } | null> {
  const found = await findDraftTable(db, draft);
  return found?.packedTable == null ? null : openTable(found.packedTable);
}

/**
 * Reads a draft's file again by other columns, and remembers them for the next file with this header. What was typed stays
 * at its row. Returns why not, else null.
 */
export async function chooseColumns(
  app: ReadingApp,
  draft: ImportDraft,
  { columns, check }: { columns: ImportColumns; check: ItemCheck },
): Promise<Refused | null> {
  const { accountId, licenseId } = draft;
  const found = await findDraftTable(app.db, draft);
  if (found?.packedTable == null || found.round > 0) return null;
  const orders = await readOrders(app, found.packedTable, { accountId, columns });
  if (typeof orders === 'string') return orders;
  if (orders.length > LIMITS.batches.items) return 'too_many_orders';
  await app.db.transaction(async (tx) => {
    const locked = await lockDraft(tx, draft);
    if (locked === null || locked.round > 0) return;
    const typed = new Map((await openRows(tx, draft.id)).map((row) => [row.line, row]));
    const rows = orders.map((order) => {
      const { edits = {}, isTaken = false, hold = null } = typed.get(order.line) ?? {};
      // An order that a person left out stays out.
      const item = withPreset(order.item, draft.preset);
      return { ...order, item, hold: hold === 'chosen' ? hold : order.hold, edits, isTaken };
    });
    await replaceRows(
      tx,
      draft.id,
      await checkRows({ db: app.db }, rows, { check, licenseId, others: new Map() }),
    );
    await setDraft(tx, draft, { columns });
  });
  const headerHash = hashOf(openTable(found.packedTable).header);
  await keepMapping(app.db, { accountId, headerHash, columns, most: MAPPINGS_KEPT });
  return null;
}

function hashOf(header: readonly string[]): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(header.map(plainHeader)))
    .digest();
}

/** A person's act on an order: `edits` are typed, `isTaken` books one that was set aside, `isLeft` leaves one out. */
interface Change {
  id: number;
  edits: Edits;
  isTaken?: boolean;
  isLeft?: boolean;
}

/**
 * Keeps what was typed and checks the draft's faulty orders again: one order's number may free another's. False, and
 * nothing is kept, where one of them was booked meanwhile as it was.
 */
export async function changeRows(
  app: DraftApp,
  draft: ImportDraft,
  { changes, check }: { changes: readonly Change[]; check: ItemCheck },
): Promise<boolean> {
  return await app.db.transaction(async (tx) => {
    if ((await lockDraft(tx, draft)) === null) throw notFound('draft');
    const open = await openRows(tx, draft.id);
    const byId = new Map(changes.map((change) => [change.id, change]));
    const openIds = new Set(open.map(({ id }) => id));
    if (changes.some(({ id }) => !openIds.has(id))) return false;
    const changed = open.filter(({ id }) => byId.has(id)).map((row) => withChange(row, byId.get(row.id)));
    const faulty = open.filter(({ id, state }) => state === 'faulty' && !byId.has(id));
    const checkedIds = new Set([...changed, ...faulty].map(({ id }) => id));
    const booked = await bookedRows(tx, draft.id);
    const others = new Map(
      [...booked, ...open.filter(({ id, state }) => state === 'ready' && !checkedIds.has(id))].map((row) => [
        cellText(edited(row.item, row.edits), 'order.id').trim(),
        row.line,
      ]),
    );
    // The carrier's refusal counts until something is changed.
    const rows = [...changed, ...faulty.map((row) => ({ ...row, told: row.faults[TOLD]?.[0]?.text }))];
    await updateRows(
      tx,
      await checkRows({ db: app.db }, rows, { check, licenseId: draft.licenseId, others }),
    );
    return true;
  });
}

function withChange(row: ImportRow, change: Change | undefined): UncheckedRow & { id: number } {
  const { isTaken = row.isTaken, isLeft } = change ?? {};
  const hold = isLeft === true ? 'chosen' : isTaken && row.hold === 'chosen' ? null : row.hold;
  const { id, line, item } = row;
  return {
    id,
    line,
    item,
    edits: { ...row.edits, ...change?.edits },
    hold,
    isTaken: isLeft === true ? false : isTaken,
  };
}

/**
 * Books the orders that are ready; those that have got a parcel since they were checked wait for a person. `round`: of the page that asks, so that a second click, or one on an older page, finds
 * the batch of the first. `create` makes the batch under a key. Returns its uuid; null where nothing was ready.
 */
export async function bookDraft(
  { db }: DraftApp,
  draft: ImportDraft,
  { round, create }: { round: number; create: (items: readonly Item[], key: string) => Promise<string> },
): Promise<string | null> {
  await db.transaction(async (tx) => {
    const locked = await lockDraft(tx, draft);
    if (locked === null || locked.round !== round) return;
    await holdShipped(tx, draft);
    if ((await takeReady(tx, { draftId: draft.id, round })) > 0)
      await setDraft(tx, draft, { round: round + 1 });
  });
  const rows = await rowsOfRound(db, { draftId: draft.id, round });
  const [first] = rows;
  if (first === undefined) return null;
  if (first.batchUuid !== null) return first.batchUuid;
  // The rows of a booking never change, so the same key always has the same orders.
  const items = rows.map((row) => edited(row.item, row.edits));
  const batchUuid = await create(items, `import-${draft.uuid}-${round}`);
  await noteBatch(db, { draftId: draft.id, round, batchUuid });
  return batchUuid;
}

/** The round that a page offers: one whose batch was not made, for instance in an outage, comes first. */
export async function nextRound({ db }: DraftApp, draft: ImportDraft) {
  const bookings = await bookingsOf(db, draft.id);
  const open = bookings.find(({ batchUuid }) => batchUuid === null);
  return { round: open?.round ?? draft.round, waiting: open?.orders ?? 0, bookings };
}
