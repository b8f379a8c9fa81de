import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LIMITS } from '../lib/limits/values.js';

/**
 * Discards the rest of a body after the answer. Node would read it to its end, however long; closing the connection
 * with unread bytes resets it, and the client might never see the answer.
 */
export function endUnreadBody(req: IncomingMessage, res: ServerResponse): void {
  res.once('finish', () => {
    if (!req.complete && !req.socket.destroyed) bound(req, req.socket);
  });
}

function bound(req: IncomingMessage, socket: Socket): void {
  const most = socket.bytesRead + LIMITS.requests.unreadBodyBytes;
  const until = Date.now() + LIMITS.requests.unreadBodyMs;
  const timer = setInterval(() => {
    if (req.complete || socket.destroyed) clearInterval(timer);
    else if (Date.now() >= until || socket.bytesRead > most) socket.destroy();
  }, 100);
  timer.unref();
}
