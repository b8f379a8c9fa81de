import { readPhone } from '../domain/phone.js';
import { withoutMarks } from '../lib/sent-text.js';

/**
 * Text safe to put into a carrier's field: what nobody sees is left out; control characters, lone surrogates, line
 * separators and the carrier's own `separators` become blanks; blanks are collapsed and trimmed.
 */
export function plainText(text: string, separators = ''): string {
  let plain = withoutMarks(text.normalize('NFC')).replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ');
  for (const separator of separators) plain = plain.replaceAll(separator, ' ');
  return plain.replace(/\s+/gu, ' ').trim();
}

/** Length in characters, not in UTF-16 units. */
export function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** A text in a field of `max` characters, and what goes on elsewhere; divided between words where it has some. */
export function divided(text: string, max: number): { head: string; tail: string } {
  if (lengthOf(text) <= max) return { head: text, tail: '' };
  const head = Array.from(text).slice(0, max).join('');
  const blank = text.charAt(head.length) === ' ' ? head.length : head.lastIndexOf(' ');
  const end = blank > 0 ? blank : head.length;
  return { head: text.slice(0, end).trim(), tail: text.slice(end).trim() };
}

/** The first `max` characters, never half a character. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : Array.from(text).slice(0, max).join('').trimEnd();
}

/** Of a carrier's text: many more than are shown, since blanks are collapsed. */
const READ_UNITS = 2000;

/**
 * A carrier's own words, safe to store and to show: one line, at most 200 characters. Only the first 2000 UTF-16 units
 * are looked at: the time of normalizing grows with the square of a row of combining marks.
 */
export function carrierText(text: string): string {
  return cut(plainText(text.trimStart().slice(0, READ_UNITS)), 200);
}

/** The number of a phone field that is dialled, as {@link readPhone} has it; empty where there is none. */
export function localPhone(phone: string): string {
  return readPhone(phone)?.number ?? '';
}

/** What else a phone field holds, for a carrier's notes; empty for nothing. */
export function otherPhones(phone: string): string {
  return labelled('טלפון', readPhone(phone)?.others ?? null);
}

/** Text as {@link plainText} makes it, empty where there is none. */
export function clean(text: string | null | undefined, separators = ''): string {
  return plainText(text ?? '', separators);
}

/** The texts that are not empty, with a blank between. */
export function words(...texts: string[]): string {
  return texts.filter((text) => text !== '').join(' ');
}

/** A text behind its label; empty where there is no text. */
export function labelled(label: string, text: string | null): string {
  const value = clean(text);
  return value === '' ? '' : `${label} ${value}`;
}
