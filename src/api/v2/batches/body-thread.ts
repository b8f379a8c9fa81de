import { AppError } from '../../../domain/errors.js';
import { readBatchBody } from './body.js';
import type { ThreadJob, ThreadReply } from './body-reader.js';

export function readInThread({ bytes, licenseKeyInQuery }: ThreadJob): ThreadReply {
  try {
    const body = readBatchBody(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), licenseKeyInQuery);
    return { kind: 'read', body };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: 'refused', code: error.code, message: error.message };
  }
}
