import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import test from 'ava';
import { Overloaded } from '../../src/domain/errors.js';
import { AnswerBudget } from '../../src/http/answer-budget.js';

const KIB = 1024;

/** An answer that is open until it emits `close`. */
function openAnswer(closed = false): ServerResponse {
  return Object.assign(new EventEmitter(), { closed }) as unknown as ServerResponse;
}

test('AnswerBudget: one address gets half, others the rest, and small answers always go', (t) => {
  const budget = new AnswerBudget(1024 * KIB);
  const first = openAnswer();
  const take = (ip: string, kib: number) => budget.take({ ip }, openAnswer(), kib * KIB);
  budget.take({ ip: '192.0.2.1' }, first, 512 * KIB);

  t.throws(() => take('192.0.2.1', 65), { instanceOf: Overloaded });
  t.notThrows(() => take('192.0.2.1', 64));
  t.notThrows(() => take('192.0.2.2', 200));
  first.emit('close');
  t.notThrows(() => take('192.0.2.1', 65));
});

test('AnswerBudget: the addresses of one IPv6 network share their part', (t) => {
  const budget = new AnswerBudget(1024 * KIB);
  budget.take({ ip: '2001:db8::1' }, openAnswer(), 512 * KIB);

  t.throws(() => budget.take({ ip: '2001:db8::2' }, openAnswer(), 65 * KIB), { instanceOf: Overloaded });
});

test('AnswerBudget: an answer whose caller is gone takes nothing', (t) => {
  const budget = new AnswerBudget(1024 * KIB);
  budget.take({ ip: '192.0.2.1' }, openAnswer(true), 512 * KIB);

  t.notThrows(() => budget.take({ ip: '192.0.2.1' }, openAnswer(), 512 * KIB));
});
