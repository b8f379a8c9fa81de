import { readPhone } from '../domain/phone.js';
import { withoutMarks } from '../lib/sent-text.js';

/**
 * Text that is safe in a carrier's field. Invisible characters are removed; control characters, lone
 * surrogates, line separators and the carrier's `separators` become blanks; blanks are collapsed and trimmed. Null
 * becomes empty text.
 */
export function clean(text: string | null | undefined, separators = ''): string {
  let plain = withoutMarks((text ?? '').normalize('NFC')).replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ');
  for (const separator of separators) plain = plain.replaceAll(separator, ' ');
  return plain.replace(/\s+/gu, ' ').trim();
}

/** Length in characters, not in UTF-16 units. */
export function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** Splits a text after at most `max` characters, between words if possible. */
export function divided(text: string, max: number): { head: string; tail: string } {
  if (lengthOf(text) <= max) return { head: text, tail: '' };
  const head = Array.from(text).slice(0, max).join('');
  const blank = text.charAt(head.length) === ' ' ? head.length : head.lastIndexOf(' ');
  const end = blank > 0 ? blank : head.length;
  return { head: text.slice(0, end).trim(), tail: text.slice(end).trim() };
}

/** The first `max` characters; never splits a character. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : Array.from(text).slice(0, max).join('').trimEnd();
}

/**
 * A carrier's words, safe to store and show: one line, at most 200 characters. Only the first 2000 UTF-16 units
 * are read: normalizing many combining marks takes quadratic time.
 */
export function carrierText(text: string): string {
  return cut(clean(text.trimStart().slice(0, 2000)), 200);
}

/** The number to dial, as {@link readPhone} finds it; empty when there is none. */
export function localPhone(phone: string): string {
  return readPhone(phone)?.number ?? '';
}

/** The rest of a phone field, for a carrier's notes; empty when there is none. */
export function otherPhones(phone: string): string {
  return labelled('טלפון', readPhone(phone)?.others ?? null);
}

/** Joins the non-empty texts with blanks. */
export function words(...texts: string[]): string {
  return texts.filter((text) => text !== '').join(' ');
}

/** The text after its label; empty when the text is. */
export function labelled(label: string, text: string | null): string {
  const value = clean(text);
  return value === '' ? '' : `${label} ${value}`;
}
