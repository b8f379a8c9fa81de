import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

const ANSWER_BYTES = 16 * 1024;

/**
 * The first `answerBytes` of a body as text, decoded from gzip, deflate or br while reading, so that a
 * decompression bomb costs nothing. Undecodable data end the text. @throws the stream's error when the body
 * ends early
 */
export async function readKept(body: Readable, encoding: string | string[] | undefined): Promise<string> {
  const decoder = decoderOf(encoding);
  // Iteration throws the pipeline's error; the callback only marks it as handled.
  const source = decoder === null ? body : pipeline(body, decoder, () => undefined);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of source) {
      if (!(chunk instanceof Uint8Array)) continue;
      chunks.push(chunk.subarray(0, ANSWER_BYTES - size));
      size += chunk.length;
      if (size >= ANSWER_BYTES) break;
    }
  } catch (error) {
    if (!isDecodingError(error)) throw error;
  } finally {
    body.destroy();
  }
  return Buffer.concat(chunks).toString('utf8');
}

function decoderOf(encoding: string | string[] | undefined) {
  switch (
    String(encoding ?? '')
      .trim()
      .toLowerCase()
  ) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return null;
  }
}

function isDecodingError(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  return (
    error.code.startsWith('Z_') ||
    error.code.startsWith('ERR__ERROR_') ||
    error.code.startsWith('ERR_PADDING')
  );
}
