import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, Overloaded } from '../domain/errors.js';
import { BodyBudget, type BodyShare } from './body-budget.js';

/** The client closed its connection inside the body: nobody is left to answer, and nothing of ours failed. */
export class ClientGone extends Error {}

/**
 * Refuses a body by the size that it announces, before anything else is looked at.
 * @throws AppError `payload_too_large`
 */
export function refuseAnnounced(req: IncomingMessage, limitBytes: number): void {
  if (announcedBytes(req) > limitBytes) throw tooLarge(limitBytes);
}

/** Reads the bodies of a process's requests. What it holds of all of them together is bounded. */
export class BodyReader {
  readonly #budget: BodyBudget;

  constructor(budgetBytes: number) {
    this.#budget = new BodyBudget(budgetBytes);
  }

  /**
   * Reads a whole body, for which the client is told to go on where it waits for that. Its bytes count until the answer
   * is sent. `caller`: who is held to a part of them.
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
    const share = this.#budget.open(caller);
    res.once('close', () => share.release());
    if (!share.grow(announced)) throw new Overloaded();
    if (req.headers.expect !== undefined) res.writeContinue();
    return announced > 0
      ? await collect(req, intoOne(announced))
      : await collect(req, growing(limitBytes, share));
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
  // Not of the pool: a large body may be handed to a thread, and the memory is used only as it is filled.
  const body = Buffer.allocUnsafeSlow(bytes);
  let filled = 0;
  return {
    add(chunk) {
      filled += chunk.copy(body, filled);
    },
    whole: () => body.subarray(0, filled),
  };
}

function growing(limitBytes: number, share: BodyShare): Sink {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    add(chunk) {
      size += chunk.length;
      if (size > limitBytes) throw tooLarge(limitBytes);
      if (!share.grow(chunk.length)) throw new Overloaded();
      chunks.push(chunk);
    },
    whole: () => Buffer.concat(chunks),
  };
}

function collect(req: IncomingMessage, sink: Sink): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      try {
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
