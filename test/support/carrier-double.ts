import type { BookingRequest, CarrierAdapter, Outcome } from '../../src/carriers/contract.js';
import { quoted } from '../../src/domain/problems/problem.js';
import type { BookedParcel } from '../../src/domain/shipment.js';
import type { Owner } from './clean-ups.js';

/** A carrier without look-up and duplicate check, with scripted answers. */
export interface CarrierDouble {
  adapter: CarrierAdapter;
  /** Booked references in order. */
  booked: string[];
  /** Inputs of `book` in order. */
  told: BookingRequest[];
  /** Outcomes of the next calls of `book`; then calls are accepted. */
  next: Outcome<BookedParcel>[];
  /** When set, `checkBooking` refuses after the first call, as after a change of settings. */
  refusesAfterFirst: boolean;
  /** Blocks calls of `book` until the returned function is called or the owner ends. */
  hold(owner: Owner): () => void;
}

/** Makes a carrier double; `provider` must be unique in the test file. */
export function carrierDouble(
  provider: string,
  duplicates: CarrierAdapter['duplicates'] = 'none',
): CarrierDouble {
  const booked: string[] = [];
  const told: BookingRequest[] = [];
  const next: Outcome<BookedParcel>[] = [];
  let held: Promise<void> | undefined;
  const adapter: CarrierAdapter = {
    provider,
    displayName: `Double ${provider}`,
    duplicates,
    limits: { requestsPerSecond: 1000, concurrency: 50, settleMs: 0 },
    configSchema: { type: 'object' },
    canCancel: () => true,
    checkBooking: (request) =>
      request.shipment.recipient.name === 'Too Long' || (double.refusesAfterFirst && booked.length > 0)
        ? { 'ship_data.contact_name': [quoted('The name is too long.')] }
        : {},
    async book(request) {
      await held;
      told.push(request);
      const outcome = next.shift() ?? accepted(`${provider}-${told.length}`);
      if (outcome.kind === 'accepted' || outcome.kind === 'unknown') booked.push(request.reference);
      return outcome;
    },
  };
  const hold = (owner: Owner) => {
    let letGo = () => {};
    held = new Promise((resolve) => {
      letGo = resolve;
    });
    owner.teardown(letGo);
    return letGo;
  };
  const double: CarrierDouble = { adapter, booked, told, next, refusesAfterFirst: false, hold };
  return double;
}

function accepted(trackingCode: string): Outcome<BookedParcel> {
  return { kind: 'accepted', value: { trackingCode, carrierReference: null, description: null } };
}
