import { randomUUID } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import { ERROR_STATUS } from '../../src/domain/errors.js';
import type { HttpStack, SendOptions } from './http.js';

/** A request to be refused, with the documented code and, for a bad value, its field's path. */
export type RefusedCase = [
  what: string,
  code: keyof typeof ERROR_STATUS,
  method: string,
  path: string,
  options: () => SendOptions,
  field?: string,
];

export function titleOf([what, code, method]: RefusedCase): string {
  return `${method} ${what}: ${code}`;
}

/** Sends the request and checks the complete documented refusal. */
export async function assertRefused(
  t: ExecutionContext,
  http: HttpStack,
  refused: RefusedCase,
): Promise<void> {
  const [, code, method, path, options, field] = refused;
  const requestId = randomUUID();

  const answer = await http.send(method, path, {
    ...options(),
    headers: { 'x-request-id': requestId, ...options().headers },
  });

  t.is(answer.body?.error?.code, code, answer.text);
  t.is(answer.status, ERROR_STATUS[code]);
  t.is(answer.body.error.status, answer.status);
  t.is(answer.headers.get('x-request-id'), requestId);
  t.is(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  t.deepEqual(Object.keys(answer.body), ['error']);
  t.is('fields' in answer.body.error, code === 'validation_failed');
  if (field !== undefined) t.true(Array.isArray(answer.body.error.fields[field]), answer.text);
  t.is(answer.headers.has('allow'), code === 'method_not_allowed');
  t.is(answer.headers.has('retry-after'), code === 'service_unavailable');
  t.is(answer.headers.get('link'), `</docs/errors/${code}>; rel="help"`);
  t.false(answer.text.includes('secret detail'));
}
