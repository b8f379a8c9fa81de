import { LRUCache } from 'lru-cache';
import { SHORT_ANSWER } from '../db/queries/delivery-sending.js';
import { cutText } from '../lib/text.js';

const DAY_MS = 86_400_000;
const SUBSCRIPTIONS = { max: 10_000, ttl: DAY_MS };
/** 256 pages of 16 KiB tell an owner what is wrong; deliveries are kept for weeks, and a receiver may answer each so. */
const LONG_BYTES_A_DAY = 4 * 1024 * 1024;

/** How much of receivers' answers is stored: long ones up to {@link LONG_BYTES_A_DAY} a subscription and process. */
export class KeptAnswers {
  readonly #kept = new LRUCache<string, { bytes: number }>(SUBSCRIPTIONS);

  /** The answer, or its first {@link SHORT_ANSWER} characters where the subscription has no room for long ones today. */
  keep(subscriptionId: string, body: string): string {
    if (body.length <= SHORT_ANSWER) return body;
    const kept = this.#keptOf(subscriptionId);
    const bytes = Buffer.byteLength(body);
    if (kept.bytes + bytes > LONG_BYTES_A_DAY) return cutText(body, SHORT_ANSWER);
    kept.bytes += bytes;
    return body;
  }

  /** Set once a day: setting it again would begin a new one. */
  #keptOf(subscriptionId: string): { bytes: number } {
    const known = this.#kept.get(subscriptionId);
    if (known !== undefined) return known;
    const fresh = { bytes: 0 };
    this.#kept.set(subscriptionId, fresh);
    return fresh;
  }
}
