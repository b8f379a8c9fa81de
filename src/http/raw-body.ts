import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, Overloaded } from '../domain/errors.js';
import { Slots } from '../lib/limits/slots.js';
import { LIMITS } from '../lib/limits/values.js';
import type { Capacity } from '../lib/metrics.js';
import type { LoadGate } from './load-gate.js';

const LARGE_BODY_BYTES = 256 * 1024;

/** How fast a body must come: within `bodyMs`, and from then on at this rate on average. */
type Pace = Pick<typeof LIMITS.requests, 'bodyMs' | 'bodyBytesPerSecond'>;

/** The client disconnected inside the body: there is no one to answer, and nothing of ours failed. */
export class ClientGone extends Error {}

/**
 * Refuses a body by its announced size, before any other check.
 * @throws AppError `payload_too_large`
 */
export function refuseAnnounced(req: IncomingMessage, limitBytes: number): void {
  if (announcedBytes(req) > limitBytes) throw tooLarge(limitBytes);
}

/**
 * Reads request bodies within a budget of bytes for the whole process: bytes count from their arrival, since announcing
 * them costs a caller nothing. A body that has not arrived yet holds no slot of work.
 */
export class BodyReader {
  readonly #bytes: Slots;
  readonly #bytesOfLarge: number;
  readonly #gate: LoadGate;
  readonly #pace: Pace;

  constructor(budgetBytes: number, gate: LoadGate, pace: Pace) {
    const { bodiesOfCallerShare, largeBodiesShare } = LIMITS.requests;
    this.#bytes = new Slots({ total: budgetBytes, perKey: bodiesOfCallerShare * budgetBytes });
    this.#bytesOfLarge = largeBodiesShare * budgetBytes;
    this.#gate = gate;
    this.#pace = pace;
  }

  /** Bytes of bodies that are held. */
  get bytes(): Capacity {
    return this.#bytes;
  }

  /**
   * Reads a whole body, after sending 100 Continue if the client waits for it. Its bytes count until the answer is
   * sent. `caller`: limited to a part of the bytes and to a number of unfinished bodies.
   * @throws AppError `payload_too_large` over `limitBytes`, `request_timeout`, {@link Overloaded}, {@link ClientGone}.
   */
  async read(
    req: IncomingMessage,
    res: ServerResponse,
    { limitBytes, caller }: { limitBytes: number; caller: string },
  ): Promise<Buffer> {
    refuseAnnounced(req, limitBytes);
    const announced = announcedBytes(req);
    if (announced === 0 && req.headers['transfer-encoding'] === undefined) return Buffer.alloc(0);
    // Closed during the credentials check: no event would report it any more.
    if (req.destroyed) throw gone();
    const share = new BodyShare(this.#bytes, caller, this.#bytesOfLarge);
    res.once('close', () => share.release());
    if (!share.hasRoomFor(announced)) throw new Overloaded();
    const receive = async () => {
      if (req.headers.expect !== undefined) res.writeContinue();
      const sink = announced > 0 ? intoOne(announced) : growing(limitBytes);
      return await collect(req, share, { sink, pace: this.#pace });
    };
    return req.complete ? await receive() : await this.#gate.whileReceiving(req, caller, receive);
  }
}

/**
 * One body's share of the bytes of bodies of a process. A body above 256 KiB finds room in a part of them only: single
 * creations go on beside batches.
 */
export class BodyShare {
  readonly #slots: Slots;
  readonly #caller: string;
  readonly #ofLarge: number;
  readonly #releases: (() => void)[] = [];
  #held = 0;

  /** `ofLarge`: bytes of all bodies while this one is large. */
  constructor(slots: Slots, caller: string, ofLarge: number) {
    this.#slots = slots;
    this.#caller = caller;
    this.#ofLarge = ofLarge;
  }

  /** Whether this many more bytes would fit now. Takes none. */
  hasRoomFor(bytes: number): boolean {
    return this.#slots.free(this.#caller, this.#total(bytes)) >= bytes;
  }

  /** Takes this many more bytes; false when they do not fit. */
  grow(bytes: number): boolean {
    const release = this.#slots.tryTake(this.#caller, bytes, this.#total(bytes));
    if (release === null) return false;
    this.#releases.push(release);
    this.#held += bytes;
    return true;
  }

  /** Releases everything. */
  release(): void {
    for (const release of this.#releases.splice(0)) release();
    this.#held = 0;
  }

  #total(more: number): number | undefined {
    return this.#held + more > LARGE_BODY_BYTES ? this.#ofLarge : undefined;
  }
}

function announcedBytes(req: IncomingMessage): number {
  return Number(req.headers['content-length'] ?? 0);
}

/** Receives the chunks of a body. */
interface Sink {
  /** @throws AppError if the body is too large */
  add(chunk: Buffer): void;
  whole(): Buffer;
}

/** The parser accepts no body longer than announced. */
function intoOne(bytes: number): Sink {
  let body = Buffer.alloc(0);
  let filled = 0;
  return {
    add(chunk) {
      // Not pooled: a large body may be transferred to a thread, and its memory is used only as it fills.
      if (filled === 0) body = Buffer.allocUnsafeSlow(bytes);
      filled += chunk.copy(body, filled);
    },
    whole: () => body.subarray(0, filled),
  };
}

function growing(limitBytes: number): Sink {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    add(chunk) {
      size += chunk.length;
      if (size > limitBytes) throw tooLarge(limitBytes);
      chunks.push(chunk);
    },
    whole: () => Buffer.concat(chunks),
  };
}

function collect(
  req: IncomingMessage,
  share: BodyShare,
  { sink, pace }: { sink: Sink; pace: Pace },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let received = 0;
    const refuse = (refusal: unknown) => {
      stopWatching();
      req.off('data', onData);
      reject(refusal);
    };
    const onData = (chunk: Buffer) => {
      try {
        if (!share.grow(chunk.length)) throw new Overloaded();
        sink.add(chunk);
        received += chunk.length;
      } catch (refusal) {
        refuse(refusal);
      }
    };
    const stopWatching = watchPace(
      pace,
      () => received,
      () => refuse(new AppError('request_timeout', 'The request body came too slowly.')),
    );
    req.on('data', onData);
    const onGone = () => refuse(gone());
    req.once('error', onGone);
    req.once('close', onGone);
    req.once('end', () => {
      stopWatching();
      req.off('close', onGone);
      resolve(sink.whole());
    });
  });
}

/** Calls `onSlow` as soon as fewer bytes are there than {@link Pace} wants. Returns what ends the watch. */
function watchPace(
  { bodyMs, bodyBytesPerSecond }: Pace,
  received: () => number,
  onSlow: () => void,
): () => void {
  const startedAt = performance.now();
  let timer: NodeJS.Timeout;
  const look = () => {
    const leftMs = startedAt + bodyMs + (received() / bodyBytesPerSecond) * 1000 - performance.now();
    // Timers may come a millisecond early.
    if (leftMs < 1) onSlow();
    else timer = setTimeout(look, leftMs);
  };
  timer = setTimeout(look, bodyMs);
  return () => clearTimeout(timer);
}

function gone(): ClientGone {
  return new ClientGone('The client closed the connection inside the body.');
}

function tooLarge(limitBytes: number): AppError {
  return new AppError('payload_too_large', `The request body is larger than ${limitBytes} bytes.`);
}
