import type { RawAnswer } from './answer.js';
import type { Sending } from './request.js';

/** Answers to reads, by URL: the service is asked whether they changed, and sends them again only if they did. */
export class KeptReads {
  readonly #answers = new Map<string, RawAnswer>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The request to send. */
  asked({ url, init }: Sending): RequestInit {
    const etag = this.#answers.get(url)?.headers.get('etag');
    return etag == null ? init : { ...init, headers: { ...init.headers, 'If-None-Match': etag } };
  }

  /** The answer, or the kept one where it is unchanged. */
  fresh({ url, method }: Sending, raw: RawAnswer): RawAnswer {
    const kept = this.#answers.get(url);
    if (raw.status === 304 && kept !== undefined) return kept;
    if (method === 'GET' && raw.status === 200 && raw.headers.has('etag')) this.#keep(url, raw);
    return raw;
  }

  #keep(url: string, raw: RawAnswer): void {
    this.#answers.delete(url);
    this.#answers.set(url, raw);
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= this.#limit) return;
      this.#answers.delete(oldest);
    }
  }
}
