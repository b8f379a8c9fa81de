import type { Model, Timed } from './linear.js';

/** A client's knowledge of its call; `unknown`: a cut, a time-out or a 5xx. */
export type Heard =
  | { is: 'unknown' }
  | { is: 'created'; uuid: string; text: string }
  | { is: 'accepted'; uuid: string }
  | { is: 'conflict' }
  | { is: 'done' }
  | { is: 'refused' }
  | { is: 'status'; code: string }
  | { is: 'parcels'; all: number; live: number };

/** A call about one key. `body`: which of its bodies a creation has. */
export interface KeyOperation extends Timed {
  what: 'create' | 'cancel' | 'read' | 'ledger';
  body: number;
  heard: Heard;
}

/** Nothing, or one shipment; what no answer told is null. */
type State =
  | { is: 'nothing' }
  | { is: 'reserved' | 'booked' | 'cancelled'; body: number; uuid: string | null; text: string | null };
type Shipment = Exclude<State, { is: 'nothing' }>;

const NOTHING: State = { is: 'nothing' };

/**
 * One key at a carrier that refuses nothing: nothing, then one shipment under way, which becomes a parcel and may be
 * cancelled. Its answer is the same for ever, and another body meets a conflict.
 */
export const KEY: Model<State, KeyOperation> = {
  initial: NOTHING,
  next: (state, operation) =>
    [...new Set([state, ...silently(state)])].flatMap((one) => after(one, operation)),
};

/** An accepted creation becomes a parcel without a call. */
function silently(state: State): State[] {
  return state.is === 'reserved' ? [{ ...state, is: 'booked' }] : [];
}

function after(state: State, operation: KeyOperation): State[] {
  switch (operation.what) {
    case 'create':
      return created(state, operation);
    case 'cancel':
      return cancelled(state, operation.heard);
    case 'read':
      return read(state, operation.heard);
    case 'ledger':
      return counted(state, operation.heard);
  }
}

function created(state: State, { body, heard }: KeyOperation): State[] {
  if (state.is === 'nothing') {
    const reserved: Shipment = { is: 'reserved', body, uuid: null, text: null };
    if (heard.is === 'unknown') return [state, reserved];
    if (heard.is === 'accepted') return [{ ...reserved, uuid: heard.uuid }];
    if (heard.is === 'created') return [{ is: 'booked', body, uuid: heard.uuid, text: heard.text }];
    return [];
  }
  if (heard.is === 'unknown') return [state];
  if (heard.is === 'conflict') return state.body === body ? [] : [state];
  if (state.body !== body) return [];
  if (heard.is === 'accepted') {
    return state.is === 'reserved' && isSame(state.uuid, heard.uuid) ? [{ ...state, uuid: heard.uuid }] : [];
  }
  if (heard.is !== 'created' || state.is === 'reserved') return [];
  const isReplay = isSame(state.uuid, heard.uuid) && isSame(state.text, heard.text);
  return isReplay ? [{ ...state, uuid: heard.uuid, text: heard.text }] : [];
}

function isSame(known: string | null, told: string): boolean {
  return known === null || known === told;
}

function cancelled(state: State, heard: Heard): State[] {
  if (state.is === 'nothing') return [];
  if (heard.is === 'unknown') return state.is === 'booked' ? [state, { ...state, is: 'cancelled' }] : [state];
  if (heard.is === 'refused') return state.is === 'reserved' ? [state] : [];
  return heard.is === 'done' && state.is !== 'reserved' ? [{ ...state, is: 'cancelled' }] : [];
}

const CODES: Record<Shipment['is'], readonly string[]> = {
  reserved: ['pending', 'needs_attention'],
  // A cancellation without a readable answer asks for a person.
  booked: ['created', 'needs_attention'],
  cancelled: ['cancelled'],
};

function read(state: State, heard: Heard): State[] {
  if (heard.is === 'unknown') return [state];
  return state.is !== 'nothing' && heard.is === 'status' && CODES[state.is].includes(heard.code)
    ? [state]
    : [];
}

/** The carrier's ledger at the end, which a creation that nobody heard of may have reached. */
function counted(state: State, heard: Heard): State[] {
  if (heard.is !== 'parcels') return [];
  const all = state.is === 'nothing' || state.is === 'reserved' ? 0 : 1;
  return heard.all === all && heard.live === (state.is === 'booked' ? 1 : 0) ? [state] : [];
}
