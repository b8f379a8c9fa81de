import type { Answer } from './answer.js';
import { Operations } from './generated/operations.js';
import type { CreateShipment, DryRun } from './generated/types.js';
import type { CallOptions } from './options.js';

/** A client of one account. */
export class Parcelworks extends Operations {
  /**
   * Says what {@link createShipment} would do: license, limits and the carrier's own checks. Nothing is booked, kept or
   * sent.
   */
  dryRunShipment(body: CreateShipment, options: CallOptions = {}): Promise<Answer<{ data: DryRun }>> {
    const query = { dry_run: true };
    return this.call({ method: 'POST', path: '/shipments', repeat: 'safe' }, { query, body }, options);
  }
}
