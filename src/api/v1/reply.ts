import type { Reply } from '../operation.js';
import { isObject } from './input.js';

/** An answer thrown to end the request. */
export class Refusal extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super(`refused with ${reply.status}`);
    this.name = 'Refusal';
    this.reply = reply;
  }
}

/** 200 in the one envelope of the shipping group, and of the recipient app's successes. */
export function succeeded(data: unknown, message = '', warning = ''): Reply {
  return { status: 200, json: { data, message, success: true, warning } };
}

/** A failure in the envelope; its `data` is an empty array, or the carrier's answer. */
export function failed(status: number, message: string, data: unknown = []): Reply {
  return { status, json: { data, message, success: false, warning: '' } };
}

/** A body without envelope. */
export function bare(status: number, json: unknown): Reply {
  return { status, json };
}

/** The failure body of the recipient app. */
export function appFailure(
  status: number,
  message: string,
  errors: Readonly<Record<string, readonly string[]>> = {},
): Reply {
  const isEmpty = Object.keys(errors).length === 0;
  return { status, json: { errors: isEmpty ? [] : errors, message, success: false } };
}

/**
 * The shipping group's normalisation: a `code` directly in an envelope's `data` becomes a text. Deeper ones, and those
 * of bodies without envelope, stay unchanged.
 */
export function normalised(reply: Reply): Reply {
  const { json } = reply;
  if (!isObject(json) || !isObject(json.data) || !Object.hasOwn(json.data, 'code')) return reply;
  const { code } = json.data;
  const text = typeof code === 'object' && code !== null ? JSON.stringify(code) : String(code ?? '');
  return { ...reply, json: { ...json, data: { ...json.data, code: text } } };
}
