import { isObject } from './input.js';

/** An answer of API v1: its body is sent as JSON. */
export interface Reply {
  status: number;
  body: unknown;
  headers?: Readonly<Record<string, string>>;
  /** Runs once the answer was handed out to a caller that was still there. */
  whenTold?: () => Promise<void>;
}

/** The one envelope of the shipping group, and of the recipient app's successes. */
export interface Envelope {
  /** An empty array on every error. */
  data: unknown;
  message: string;
  success: boolean;
  warning: string;
}

/** An answer that ends the request wherever it is thrown. */
export class Refusal extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super(`refused with ${reply.status}`);
    this.name = 'Refusal';
    this.reply = reply;
  }
}

/** 200 in the envelope. */
export function succeeded(data: unknown, message = '', warning = ''): Reply {
  return { status: 200, body: { ...envelope({ data, message, success: true }), warning } };
}

/** A failure in the envelope; its `data` is an empty array unless the carrier said something. */
export function failed(status: number, message: string, data: unknown = []): Reply {
  return { status, body: envelope({ data, message, success: false }) };
}

/** A body without envelope. */
export function bare(status: number, body: unknown): Reply {
  return { status, body };
}

/** The failure body of the recipient app. */
export function appFailure(
  status: number,
  message: string,
  errors: Readonly<Record<string, readonly string[]>> = {},
): Reply {
  const isEmpty = Object.keys(errors).length === 0;
  return { status, body: { errors: isEmpty ? [] : errors, message, success: false } };
}

/**
 * The shipping group's normalisation: a `code` directly in an envelope's `data` becomes a text. Deeper ones, and those
 * of bodies without envelope, stay as they are.
 */
export function normalised(reply: Reply): Reply {
  const { body } = reply;
  if (!isObject(body) || !isObject(body.data) || !Object.hasOwn(body.data, 'code')) return reply;
  const { code } = body.data;
  const text = typeof code === 'object' && code !== null ? JSON.stringify(code) : String(code ?? '');
  return { ...reply, body: { ...body, data: { ...body.data, code: text } } };
}

function envelope(parts: Omit<Envelope, 'warning'>): Envelope {
  return { ...parts, warning: '' };
}
