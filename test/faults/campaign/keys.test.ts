import test from 'ava';
import { type Heard, KEY, type KeyOperation } from './keys.js';
import { isLinearizable } from './linear.js';

const CREATED: Heard = { is: 'created', uuid: 'a', text: '{"a"}' };
const UNKNOWN: Heard = { is: 'unknown' };
const status = (code: string): Heard => ({ is: 'status', code });
const parcels = (all: number, live: number): Heard => ({ is: 'parcels', all, live });

/** A call from `start` to `end`. */
function call(
  what: KeyOperation['what'],
  [start, end]: [number, number],
  heard: Heard,
  body = 0,
): KeyOperation {
  return { what, body, start, end: heard.is === 'unknown' ? Number.POSITIVE_INFINITY : end, heard };
}

const GOOD: Record<string, KeyOperation[]> = {
  'nothing was asked': [],
  'two ask at once, and one waits': [
    call('create', [0, 5], CREATED),
    call('create', [1, 3], { is: 'accepted', uuid: 'a' }),
    call('create', [6, 7], CREATED),
    call('ledger', [8, 9], parcels(1, 1)),
  ],
  'a lost answer stands for what happened': [
    call('create', [0, 1], UNKNOWN),
    call('create', [2, 3], { is: 'conflict' }, 1),
    call('create', [4, 5], CREATED),
  ],
  'a lost request stands for nothing': [
    call('create', [0, 1], UNKNOWN, 1),
    call('create', [2, 3], CREATED),
    call('create', [4, 5], { is: 'conflict' }, 1),
  ],
  'a cancellation whose answer is lost works later': [
    call('create', [0, 1], CREATED),
    call('cancel', [2, 3], UNKNOWN),
    call('read', [4, 5], status('created')),
    call('read', [6, 7], status('cancelled')),
    call('create', [8, 9], CREATED),
    call('ledger', [10, 11], parcels(1, 0)),
  ],
  'a person decides what the carrier did not say': [
    call('create', [0, 1], { is: 'accepted', uuid: 'a' }),
    call('read', [2, 3], status('needs_attention')),
    call('cancel', [4, 5], { is: 'refused' }),
    call('create', [6, 7], CREATED),
  ],
};

const PLANTED: Record<string, KeyOperation[]> = {
  'a key is two shipments': [
    call('create', [0, 1], CREATED),
    call('create', [2, 3], { is: 'created', uuid: 'b', text: '{"b"}' }),
  ],
  'a replay has other bytes': [
    call('create', [0, 1], CREATED),
    call('create', [2, 3], { is: 'created', uuid: 'a', text: '{"a" }' }),
  ],
  'another body is accepted': [call('create', [0, 1], CREATED), call('create', [2, 3], CREATED, 1)],
  'the same body is a conflict': [
    call('create', [0, 1], CREATED),
    call('create', [2, 3], { is: 'conflict' }),
  ],
  'a conflict comes before anything was sent': [
    call('create', [0, 1], { is: 'conflict' }, 1),
    call('create', [2, 3], CREATED),
  ],
  'what was accepted becomes another shipment': [
    call('create', [0, 1], { is: 'accepted', uuid: 'a' }),
    call('create', [2, 3], { is: 'created', uuid: 'b', text: '{"b"}' }),
  ],
  'what was created is under way again': [
    call('create', [0, 1], CREATED),
    call('create', [2, 3], { is: 'accepted', uuid: 'a' }),
  ],
  'a read after the answer does not see it': [
    call('create', [0, 1], CREATED),
    call('read', [2, 3], status('pending')),
  ],
  'a cancelled parcel is shown as live': [
    call('create', [0, 1], CREATED),
    call('cancel', [2, 3], { is: 'done' }),
    call('read', [4, 5], status('created')),
  ],
  'a parcel is cancelled that nobody cancelled': [
    call('create', [0, 1], CREATED),
    call('read', [2, 3], status('cancelled')),
  ],
  'reads go back and forth': [
    call('create', [0, 1], CREATED),
    call('cancel', [2, 3], UNKNOWN),
    call('read', [4, 5], status('cancelled')),
    call('read', [6, 7], status('created')),
  ],
  'a shipment is gone': [call('create', [0, 1], CREATED), call('read', [2, 3], { is: 'refused' })],
  'a parcel is booked twice': [call('create', [0, 1], CREATED), call('ledger', [2, 3], parcels(2, 2))],
  'a parcel is not booked': [call('create', [0, 1], CREATED), call('ledger', [2, 3], parcels(0, 0))],
  'a cancelled parcel is on its way': [
    call('create', [0, 1], CREATED),
    call('cancel', [2, 3], { is: 'done' }),
    call('ledger', [4, 5], parcels(1, 1)),
  ],
};

for (const [what, history] of Object.entries(GOOD)) {
  test(`a history is in order where ${what}`, (t) => t.true(isLinearizable(history, KEY)));
}

for (const [what, history] of Object.entries(PLANTED)) {
  test(`a history has no order where ${what}`, (t) => t.false(isLinearizable(history, KEY)));
}

test('thirty calls of three clients, half of them without an answer, are decided within a second', (t) => {
  const history = Array.from({ length: 30 }, (_, number) => {
    const times: [number, number] = [number, number + 3];
    if (number % 2 === 0) return call('create', times, UNKNOWN, number % 4 === 0 ? 0 : 1);
    return number % 3 === 0 ? call('create', times, { is: 'conflict' }, 1) : call('create', times, CREATED);
  });
  const startedAt = Date.now();

  const outcomes = [history, [...history, call('ledger', [50, 51], parcels(2, 2))]].map((one) =>
    isLinearizable(one, KEY),
  );

  t.deepEqual(outcomes, [true, false]);
  t.true(Date.now() - startedAt < 1000, `${Date.now() - startedAt} ms`);
});
