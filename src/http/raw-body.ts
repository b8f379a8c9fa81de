import type { IncomingMessage } from 'node:http';
import { AppError } from '../domain/errors.js';

/** Bytes of a refused body that are still read, so that the client sees the answer and not a reset. */
const DISCARD_AT_MOST = 8 * 1024 * 1024;

/** The client closed its connection inside the body: nobody is left to answer, and nothing of ours failed. */
export class ClientGone extends Error {}

/**
 * Reads a whole request body.
 * @throws AppError `payload_too_large` over `limitBytes`, {@link ClientGone}.
 */
export async function readRawBody(req: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const announced = Number(req.headers['content-length'] ?? 0);
  if (announced > limitBytes) {
    discard(req, announced);
    throw tooLarge(limitBytes);
  }
  const hasBody = announced > 0 || req.headers['transfer-encoding'] !== undefined;
  return hasBody ? collect(req, limitBytes) : Buffer.alloc(0);
}

function collect(req: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) {
        req.off('data', onData);
        discard(req, size);
        reject(tooLarge(limitBytes));
        return;
      }
      chunks.push(chunk);
    };
    req.on('data', onData);
    req.once('end', () => resolve(Buffer.concat(chunks)));
    const onGone = () => reject(new ClientGone('The client closed the connection inside the body.'));
    req.once('error', onGone);
    req.once('close', onGone);
  });
}

function discard(req: IncomingMessage, sizeSoFar: number): void {
  let discarded = 0;
  if (sizeSoFar > DISCARD_AT_MOST) return;
  req.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > DISCARD_AT_MOST) req.destroy();
  });
  // Without a listener a reset of the client would be an uncaught error.
  req.on('error', () => undefined);
}

function tooLarge(limitBytes: number): AppError {
  return new AppError('payload_too_large', `The request body is larger than ${limitBytes} bytes.`);
}
