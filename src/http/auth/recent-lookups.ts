import { LRUCache } from 'lru-cache';
import { Rate } from '../../lib/limits/rate.js';

/** Right credentials are known for this long after they were last looked up. */
const KNOWN = { max: 10_000, ttl: 3_600_000 };
/** Wrong ones are known for this long, so that sending them again costs no statement where the address is blocked. */
const REFUSED = { max: 10_000, ttl: 60_000 };
/** Look-ups of unknown credentials from blocked addresses, of all such addresses together. */
const WHILE_BLOCKED = { perSecond: 20, burst: 100 };

/**
 * Which credentials were right lately, and whose they were, so that a blocked address still gets in with them and costs
 * few statements without. It lets nobody in by itself: known credentials are looked up again each time.
 */
export class RecentLookups<Owner extends NonNullable<unknown>> {
  readonly #known = new LRUCache<string, Owner>(KNOWN);
  readonly #refused = new LRUCache<string, true>(REFUSED);
  readonly #whileBlocked = new Rate(WHILE_BLOCKED);

  /** Whose the credentials were when they were last looked up. */
  ownerOf(credentials: string): Owner | undefined {
    return this.#known.get(credentials);
  }

  /** Whether a blocked address may have the credentials looked up: known ones always, unknown ones where there are few. */
  mayLookUp(credentials: string): boolean {
    if (this.#known.get(credentials) !== undefined) return true;
    return !this.#refused.get(credentials) && this.#whileBlocked.take() !== null;
  }

  /** Notes what a look-up came to; null where the credentials were wrong. */
  note(credentials: string, owner: Owner | null): void {
    if (owner === null) {
      this.#known.delete(credentials);
      this.#refused.set(credentials, true);
    } else {
      this.#known.set(credentials, owner);
      this.#refused.delete(credentials);
    }
  }
}
