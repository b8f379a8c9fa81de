import test from 'ava';
import { decide, type Known, settlesItself } from '../../activities/booking-decision.js';
import type { CarrierAccount, CarrierAdapter, DuplicateHandling } from '../../src/carriers/contract.js';
import type { Attempt } from '../../src/db/queries/creation/attempts.js';
import type { BookedParcel } from '../../src/domain/shipment.js';
import { carrierDouble } from '../support/carrier-double.js';

/** How long carriers that can be asked take to show a parcel. */
const SETTLE_SECONDS = 60;

/** Each carrier's name says what is certain of a second booking: `asked` ones can be looked up by our reference. */
const CARRIERS = {
  blind: carrier('none'),
  rejecting: carrier('rejects'),
  replaying: carrier('replays'),
  'asked, rejecting': carrier('rejects', true),
  'asked, replaying': carrier('replays', true),
  'asked, only': carrier('lookup', true),
} as const;
type Carrier = keyof typeof CARRIERS;
const ALL: readonly Carrier[] = [
  'blind',
  'rejecting',
  'replaying',
  'asked, rejecting',
  'asked, replaying',
  'asked, only',
];
const REPEATED: readonly Carrier[] = ['rejecting', 'replaying'];
const ASKED: readonly Carrier[] = ['asked, rejecting', 'asked, replaying', 'asked, only'];

const YOUNG = 20;
const OLD = 61;
const FOUND: BookedParcel = { trackingCode: 'FOUND', carrierReference: 'C-1', description: null };

/** A situation in one row; what a row leaves out is the usual: attempt 2 of this account, nothing looked up or released. */
interface Situation {
  state: Attempt['state'];
  /** An earlier attempt without an answer, by its age in seconds. */
  open?: number;
  age?: number;
  /** Milliseconds for which the newest call may still be under way. */
  underWay?: number;
  code?: string;
  elsewhere?: true;
  /** Attempts that an operator has released; 1 is the one without an answer. */
  released?: 1 | 2;
  parcel?: BookedParcel | null;
}

const OTHER_ACCOUNT =
  "The license's settings name another account of the carrier's than the booking was sent to; the parcel may be in the former one.";
const NO_ANSWER = 'The carrier gave no readable answer and offers no look-up by reference.';
const NOT_SHOWN = 'The carrier has the parcel under the reference R but does not show it: words';
const REFUSED_YOUNG = { do: 'wait', text: 'The carrier refused, but may still be booking an earlier call.' };

const ROWS: readonly [on: readonly Carrier[], when: Situation, then: object][] = [
  // A parcel is known.
  [ALL, { state: 'accepted', code: 'CODE' }, adopts(2, parcelOf('CODE'))],
  [ALL, { state: 'accepted', code: 'CODE', open: OLD }, adopts(2, parcelOf('CODE'))],
  [ALL, { state: 'accepted', code: 'CODE', elsewhere: true }, adopts(2, parcelOf('CODE'))],
  [ASKED, { state: 'sending', parcel: FOUND }, adopts(2, FOUND)],
  [ASKED, { state: 'unknown', parcel: FOUND }, adopts(2, FOUND)],
  [ASKED, { state: 'rejected', open: YOUNG, parcel: FOUND }, adopts(1, FOUND)],

  // The call that may have booked is in another account.
  [ALL, { state: 'sending', elsewhere: true }, asks(2, OTHER_ACCOUNT)],
  [ALL, { state: 'unknown', elsewhere: true }, asks(2, OTHER_ACCOUNT)],
  [ALL, { state: 'unknown', code: 'duplicate', elsewhere: true }, asks(2, OTHER_ACCOUNT)],
  [ALL, { state: 'not_sent', open: OLD, elsewhere: true }, asks(2, OTHER_ACCOUNT)],
  [ALL, { state: 'rejected', open: OLD, elsewhere: true }, asks(2, OTHER_ACCOUNT)],
  [['blind'], { state: 'unknown', elsewhere: true, released: 2 }, { do: 'send' }],
  [ALL, { state: 'not_sent', elsewhere: true }, { do: 'send' }],
  [ALL, { state: 'rejected', elsewhere: true }, { do: 'refuse' }],

  // The newest attempt provably never left.
  [ALL, { state: 'not_sent' }, { do: 'send' }],
  [ALL, { state: 'not_sent', open: YOUNG }, { do: 'send' }],
  [ALL, { state: 'not_sent', open: OLD, released: 2 }, { do: 'send' }],

  // The newest attempt was refused.
  [ALL, { state: 'rejected' }, { do: 'refuse' }],
  [ALL, { state: 'rejected', released: 2 }, { do: 'send' }],
  [['blind'], { state: 'rejected', open: OLD }, asks(1, NO_ANSWER)],
  [['blind'], { state: 'rejected', open: OLD, released: 1 }, { do: 'refuse' }],
  [['blind'], { state: 'rejected', open: OLD, released: 2 }, { do: 'send' }],
  [REPEATED, { state: 'rejected', open: OLD }, asks(1, NO_ANSWER)],
  [REPEATED, { state: 'rejected', open: OLD, released: 1 }, asks(1, NO_ANSWER)],
  [REPEATED, { state: 'rejected', open: OLD, released: 2 }, { do: 'send' }],
  [ASKED, { state: 'rejected', open: OLD }, { do: 'look_up' }],
  [ASKED, { state: 'rejected', open: OLD, released: 2 }, { do: 'look_up' }],
  [ASKED, { state: 'rejected', open: YOUNG, parcel: null }, REFUSED_YOUNG],
  [ASKED, { state: 'rejected', open: YOUNG, parcel: null, released: 2 }, REFUSED_YOUNG],
  [ASKED, { state: 'rejected', open: OLD, parcel: null }, { do: 'refuse' }],
  [ASKED, { state: 'rejected', open: OLD, parcel: null, released: 1 }, { do: 'refuse' }],
  [ASKED, { state: 'rejected', open: OLD, parcel: null, released: 2 }, { do: 'send' }],

  // The carrier knows the reference.
  [['blind', ...REPEATED], { state: 'unknown', code: 'duplicate' }, asks(2, NOT_SHOWN)],
  [['blind', ...REPEATED], { state: 'unknown', code: 'duplicate', released: 2 }, { do: 'send' }],
  [ASKED, { state: 'unknown', code: 'duplicate' }, { do: 'look_up' }],
  [ASKED, { state: 'unknown', code: 'duplicate', age: YOUNG, parcel: null }, { do: 'wait', text: 'words' }],
  [ASKED, { state: 'unknown', code: 'duplicate', parcel: null }, asks(2, NOT_SHOWN)],
  [ASKED, { state: 'unknown', code: 'duplicate', parcel: null, released: 2 }, { do: 'send' }],

  // The newest attempt has no answer.
  [['blind'], { state: 'sending' }, asks(2, NO_ANSWER)],
  [['blind'], { state: 'unknown' }, asks(2, 'words')],
  [['blind'], { state: 'unknown', released: 1 }, asks(2, 'words')],
  [['blind'], { state: 'sending', released: 2 }, { do: 'send' }],
  [['blind'], { state: 'sending', underWay: 4000 }, asks(2, NO_ANSWER)],
  [
    ['blind'],
    { state: 'sending', underWay: 4000, released: 2 },
    { do: 'wait', text: 'The last call may still be under way.', forMs: 4000 },
  ],
  [['blind'], { state: 'unknown', released: 2 }, { do: 'send' }],
  [[...REPEATED, 'asked, replaying'], { state: 'sending' }, { do: 'send' }],
  [[...REPEATED, 'asked, replaying'], { state: 'unknown' }, { do: 'send' }],
  [['asked, rejecting', 'asked, only'], { state: 'sending' }, { do: 'look_up' }],
  [['asked, rejecting', 'asked, only'], { state: 'unknown' }, { do: 'look_up' }],
  [['asked, rejecting', 'asked, only'], { state: 'unknown', released: 2 }, { do: 'look_up' }],
  [['asked, rejecting'], { state: 'sending', age: YOUNG, parcel: null }, { do: 'send' }],
  [['asked, rejecting'], { state: 'unknown', parcel: null }, { do: 'send' }],
  [
    ['asked, only'],
    { state: 'sending', age: YOUNG, parcel: null },
    { do: 'wait', text: 'The carrier may still be booking the parcel.', forMs: 40_000 },
  ],
  [['asked, only'], { state: 'unknown', parcel: null }, { do: 'send' }],
];

for (const [carriers, situation, expected] of ROWS) {
  test(`decide: ${JSON.stringify(situation)} at ${carriers.join('; ')}`, (t) => {
    for (const name of carriers)
      t.deepEqual<unknown, unknown>(decide(known(name, situation)), expected, name);
  });
}

test('decide: nothing is sent beside what may be booked, and nobody is asked twice', (t) => {
  for (const name of ALL) {
    for (const situation of situations()) {
      const step = decide(known(name, situation));

      const { adapter, attempt, released, parcel } = known(name, situation);
      const says = `${name} ${JSON.stringify(situation)}: ${JSON.stringify(step)}`;
      const isAsked = adapter.findByReference !== undefined;
      const isSafe =
        situation.state === 'not_sent' ||
        attempt.number <= released ||
        adapter.duplicates === 'replays' ||
        (adapter.duplicates === 'rejects' && !isAsked) ||
        parcel === null;
      t.true(step.do !== 'send' || isSafe, says);
      t.true(step.do !== 'look_up' || (isAsked && parcel === undefined), says);
      t.is(step.do === 'adopt', attempt.trackingCode !== null || Boolean(parcel), says);
      t.true(step.do !== 'refuse' || situation.state === 'rejected', says);
      t.is(settlesItself(adapter), name !== 'blind');
    }
  }
});

/** Everything that can be read of an attempt. */
function* situations(): Iterable<Situation> {
  for (const state of ['accepted', 'sending', 'unknown', 'rejected', 'not_sent'] as const) {
    for (const open of [undefined, YOUNG, OLD]) {
      for (const age of [YOUNG, OLD]) {
        for (const released of [undefined, 1, 2] as const) {
          for (const parcel of [undefined, null, FOUND]) {
            for (const code of ['x', 'duplicate']) {
              for (const elsewhere of [undefined, true] as const) {
                yield { state, open, age, released, parcel, code, elsewhere } as Situation;
              }
            }
          }
        }
      }
    }
  }
}

function known(name: Carrier, situation: Situation): Known {
  const { state, age = OLD, open, elsewhere, released = 0, parcel, underWay = 0 } = situation;
  const isOpen = state === 'sending' || state === 'unknown';
  const code = situation.code ?? (state === 'sending' ? '' : 'x');
  const attempt: Attempt = {
    number: 2,
    state,
    ageSeconds: age,
    underWayMs: underWay,
    outcome: { code, text: state === 'sending' ? '' : 'words' },
    open: isOpen
      ? { number: 2, ageSeconds: age }
      : open === undefined
        ? null
        : { number: 1, ageSeconds: open },
    accountIdentity: elsewhere ? 'former' : 'account',
    trackingCode: state === 'accepted' ? code : null,
  };
  const looked = parcel === undefined ? {} : { parcel };
  return { reference: 'R', attempt, released, adapter: CARRIERS[name], account: ACCOUNT, ...looked };
}

const ACCOUNT: CarrierAccount = {
  licenseId: 1,
  settings: {},
  secrets: {},
  collectFrom: { street: '', number: '', city: '', company: '' },
  identity: 'account',
};

function carrier(duplicates: DuplicateHandling, isAsked = false): CarrierAdapter {
  const { adapter } = carrierDouble('any', duplicates);
  if (!isAsked) return adapter;
  return {
    ...adapter,
    limits: { ...adapter.limits, settleMs: SETTLE_SECONDS * 1000 },
    findByReference: async () => ({ kind: 'accepted', value: null }),
  };
}

function parcelOf(trackingCode: string): BookedParcel {
  return { trackingCode, carrierReference: null, description: null };
}

function adopts(attempt: number, parcel: BookedParcel) {
  return { do: 'adopt', attempt, parcel };
}

function asks(attempt: number, text: string) {
  return { do: 'ask_person', attempt, text };
}
