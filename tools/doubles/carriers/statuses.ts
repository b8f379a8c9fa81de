import { SHIPPING_STATUSES, type StatusCode } from '../../../src/domain/statuses.js';
import type { Parcel } from './ledger.js';

/** A status that a carrier reports. */
export interface SandboxStatus {
  /** The carrier's own word or number. */
  readonly word: string;
  readonly means: StatusCode;
  /** What the carrier says with it; empty where it sends the word alone. */
  readonly text: string;
}

/** All that a carrier reports. */
export interface SandboxStatuses {
  /** Where several mean the same, our word stands for the first. */
  readonly known: readonly SandboxStatus[];
  /** Further words that the protocol has room for, and whose meaning only the carrier knows. */
  readonly others: { readonly pattern: RegExp; readonly description: string };
}

/** A carrier's words and their meanings, with what it says to each. */
export function statusesOf(
  meanings: Iterable<readonly [word: string, means: StatusCode]>,
  texts: Readonly<Record<string, string>> = {},
): SandboxStatus[] {
  return [...meanings].map(([word, means]) => ({ word, means, text: texts[word] ?? '' }));
}

/** A status by the carrier's word, with or without what stands before its dot, or by ours. */
function findStatus({ known }: SandboxStatuses, name: string): SandboxStatus | undefined {
  return (
    known.find(({ word }) => word === name || word.endsWith(`.${name}`)) ??
    known.find(({ means }) => means === name)
  );
}

/** The carrier's word for a name that it takes; null for any other. */
export function wordOf(statuses: SandboxStatuses, name: string): string | null {
  const word = findStatus(statuses, name)?.word;
  return word ?? (statuses.others.pattern.test(name) ? name : null);
}

/** An event's status in full. A word whose meaning is not known stands for itself. */
export function statusOf(
  statuses: SandboxStatuses,
  { status: name }: Pick<Parcel['events'][number], 'status'>,
): Omit<SandboxStatus, 'means'> & { readonly means: StatusCode | undefined } {
  return findStatus(statuses, name) ?? { word: name, means: undefined, text: '' };
}

/** How the parcel stands now. */
export function currentStatus(statuses: SandboxStatuses, parcel: Parcel): ReturnType<typeof statusOf> {
  const last = statusOf(statuses, parcel.events.at(-1) ?? { status: 'created' });
  if (!parcel.cancelled || last.means === 'cancelled') return last;
  return statusOf(statuses, { status: 'cancelled' });
}

/** The parcel's next status, at an instant in ms. */
export function appendStatus(statuses: SandboxStatuses, parcel: Parcel, word: string, atMs: number): void {
  parcel.cancelled = statusOf(statuses, { status: word }).means === 'cancelled';
  parcel.events.push({ status: word, atMs });
}

/** The words that a parcel can be advanced to: ours in the order of a parcel's life, then the carrier's. */
export function takenWords({ known, others }: SandboxStatuses): { takes: string[]; or: string } {
  const meant = new Set<StatusCode>(known.map(({ means }) => means));
  const ours = SHIPPING_STATUSES.map(({ code }) => code).filter((code) => meant.has(code));
  return { takes: [...ours, ...known.map(({ word }) => word)], or: others.description };
}
