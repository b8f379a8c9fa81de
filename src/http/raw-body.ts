import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, Overloaded } from '../domain/errors.js';
import { Slots } from '../lib/limits/slots.js';
import { LIMITS } from '../lib/limits/values.js';
import { BodyShare } from './body-share.js';
import type { LoadGate } from './load-gate.js';

/** The client closed its connection inside the body: nobody is left to answer, and nothing of ours failed. */
export class ClientGone extends Error {}

/**
 * Refuses a body by the size that it announces, before anything else is looked at.
 * @throws AppError `payload_too_large`
 */
export function refuseAnnounced(req: IncomingMessage, limitBytes: number): void {
  if (announcedBytes(req) > limitBytes) throw tooLarge(limitBytes);
}

/**
 * Reads the bodies of a process's requests. What it holds of all of them together is bounded: bytes count from their
 * arrival, since an announcement costs a caller nothing. A body that is not there yet takes no place of work.
 */
export class BodyReader {
  readonly #bytes: Slots;
  readonly #bytesOfLarge: number;
  readonly #gate: LoadGate;

  constructor(budgetBytes: number, gate: LoadGate) {
    const { bodiesOfCallerShare, largeBodiesShare } = LIMITS.requests;
    this.#bytes = new Slots({ total: budgetBytes, perKey: bodiesOfCallerShare * budgetBytes });
    this.#bytesOfLarge = largeBodiesShare * budgetBytes;
    this.#gate = gate;
  }

  /**
   * Reads a whole body, for which the client is told to go on where it waits for that. Its bytes count until the answer
   * is sent. `caller`: who is held to a part of them, and to so many bodies that are on their way.
   * @throws AppError `payload_too_large` over `limitBytes`, {@link Overloaded}, {@link ClientGone}.
   */
  async read(
    req: IncomingMessage,
    res: ServerResponse,
    { limitBytes, caller }: { limitBytes: number; caller: string },
  ): Promise<Buffer> {
    refuseAnnounced(req, limitBytes);
    const announced = announcedBytes(req);
    if (announced === 0 && req.headers['transfer-encoding'] === undefined) return Buffer.alloc(0);
    // While the credentials were looked at: nothing would tell of it any more.
    if (req.destroyed) throw gone();
    const share = new BodyShare(this.#bytes, caller, this.#bytesOfLarge);
    res.once('close', () => share.release());
    if (!share.hasRoomFor(announced)) throw new Overloaded();
    const receive = async () => {
      if (req.headers.expect !== undefined) res.writeContinue();
      return await collect(req, share, announced > 0 ? intoOne(announced) : growing(limitBytes));
    };
    return req.complete ? await receive() : await this.#gate.whileReceiving(req, caller, receive);
  }
}

function announcedBytes(req: IncomingMessage): number {
  return Number(req.headers['content-length'] ?? 0);
}

/** Takes the chunks of a body. */
interface Sink {
  /** @throws AppError where the body goes too far. */
  add(chunk: Buffer): void;
  whole(): Buffer;
}

/** The parser lets no body be longer than announced. */
function intoOne(bytes: number): Sink {
  let body = Buffer.alloc(0);
  let filled = 0;
  return {
    add(chunk) {
      // Not of the pool: a large body may be handed to a thread, and the memory is used only as it is filled.
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

function collect(req: IncomingMessage, share: BodyShare, sink: Sink): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      try {
        if (!share.grow(chunk.length)) throw new Overloaded();
        sink.add(chunk);
      } catch (refusal) {
        req.off('data', onData);
        reject(refusal);
      }
    };
    req.on('data', onData);
    req.once('end', () => resolve(sink.whole()));
    const onGone = () => reject(gone());
    req.once('error', onGone);
    req.once('close', onGone);
  });
}

function gone(): ClientGone {
  return new ClientGone('The client closed the connection inside the body.');
}

function tooLarge(limitBytes: number): AppError {
  return new AppError('payload_too_large', `The request body is larger than ${limitBytes} bytes.`);
}
