import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { ClientGone } from '../raw-body.js';

interface SentFile {
  filename: string;
  contentType: string;
  content: Readable;
  /** Further ones. */
  headers: Readonly<Record<string, string>>;
}

/**
 * Sends a file to keep, as fast as the caller reads it; HEAD gets the headers alone. @throws ClientGone if the caller
 * leaves before the end, else the content's errors
 */
export async function sendFile(
  { method }: Pick<Request, 'method'>,
  res: Response,
  { filename, contentType, content, headers }: SentFile,
): Promise<void> {
  res.set({
    'Content-Type': contentType,
    'Content-Disposition': `attachment; filename="${filename}"`,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    ...headers,
  });
  if (method === 'HEAD') res.end();
  else await copy(content, res);
}

async function copy(content: Readable, res: Response): Promise<void> {
  let isGone = res.closed;
  res.once('close', () => {
    isGone = content.errored === null && !res.writableFinished;
  });
  try {
    await pipeline(content, res);
  } catch (error) {
    throw isGone ? new ClientGone('The client closed the connection inside the file.') : error;
  }
}
