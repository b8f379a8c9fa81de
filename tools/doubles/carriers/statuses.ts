import { SHIPPING_STATUSES, type StatusCode } from '../../../src/domain/statuses.js';
import type { Parcel } from './ledger.js';

/** A status of a carrier. */
export interface SandboxStatus {
  /** The carrier's word or number. */
  readonly word: string;
  readonly means: StatusCode;
  /** The carrier's text; empty when it sends only the word. */
  readonly text: string;
}

/** All statuses of a carrier. */
export interface SandboxStatuses {
  /** Of several with the same meaning, our name selects the first. */
  readonly known: readonly SandboxStatus[];
  /** Other words that the protocol permits, without a meaning for us. */
  readonly others: { readonly pattern: RegExp; readonly description: string };
}

/** A carrier's statuses from its words, their meanings and texts. */
export function statusesOf(
  meanings: Iterable<readonly [word: string, means: StatusCode]>,
  texts: Readonly<Record<string, string>> = {},
): SandboxStatus[] {
  return [...meanings].map(([word, means]) => ({ word, means, text: texts[word] ?? '' }));
}

/** Finds a status by the carrier's word (with or without its prefix before the dot) or by our name. */
function findStatus({ known }: SandboxStatuses, name: string): SandboxStatus | undefined {
  return (
    known.find(({ word }) => word === name || word.endsWith(`.${name}`)) ??
    known.find(({ means }) => means === name)
  );
}

/** The carrier's word for a name; null for an unknown one. */
export function wordOf(statuses: SandboxStatuses, name: string): string | null {
  const word = findStatus(statuses, name)?.word;
  return word ?? (statuses.others.pattern.test(name) ? name : null);
}

/** An event's complete status. A word without meaning stands for itself. */
export function statusOf(
  statuses: SandboxStatuses,
  { status: name }: Pick<Parcel['events'][number], 'status'>,
): Omit<SandboxStatus, 'means'> & { readonly means: StatusCode | undefined } {
  return findStatus(statuses, name) ?? { word: name, means: undefined, text: '' };
}

/** The parcel's current status. */
export function currentStatus(statuses: SandboxStatuses, parcel: Parcel): ReturnType<typeof statusOf> {
  const last = statusOf(statuses, parcel.events.at(-1) ?? { status: 'created' });
  if (!parcel.cancelled || last.means === 'cancelled') return last;
  return statusOf(statuses, { status: 'cancelled' });
}

/** Adds a status to the parcel, at a time in ms. */
export function appendStatus(statuses: SandboxStatuses, parcel: Parcel, word: string, atMs: number): void {
  parcel.cancelled = statusOf(statuses, { status: word }).means === 'cancelled';
  parcel.events.push({ status: word, atMs });
}

/** Words that a parcel can be advanced to: ours in order of a parcel's life, then the carrier's. */
export function takenWords({ known, others }: SandboxStatuses): { takes: string[]; or: string } {
  const meant = new Set<StatusCode>(known.map(({ means }) => means));
  const ours = SHIPPING_STATUSES.map(({ code }) => code).filter((code) => meant.has(code));
  return { takes: [...ours, ...known.map(({ word }) => word)], or: others.description };
}
