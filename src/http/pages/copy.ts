import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { ClientGone } from '../raw-body.js';

/** Sends content as fast as the caller reads it. @throws ClientGone if the caller leaves before the end, else the content's errors */
export async function copy(content: Readable, res: Response): Promise<void> {
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
