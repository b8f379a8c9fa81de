import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A rest of a body up to this is read to its end, so that the connection can be used again; of a longer one what comes
 * until the next look.
 */
const READ_AT_MOST_BYTES = 1024 * 1024;
/** Time in which the client reads the answer before its connection is cut. */
const LEAVE_OPEN_MS = 1000;
const LOOK_EVERY_MS = 100;

/**
 * Ends what is left of a body after the answer. Node would read it to its end, however long it is; a connection that is
 * closed with bytes unread is reset, and the client might never see the answer.
 */
export function endUnreadBody(req: IncomingMessage, res: ServerResponse): void {
  res.once('finish', () => {
    if (!req.complete && !req.socket.destroyed) bound(req, req.socket);
  });
}

function bound(req: IncomingMessage, socket: Socket): void {
  const most = socket.bytesRead + READ_AT_MOST_BYTES;
  const until = Date.now() + LEAVE_OPEN_MS;
  const timer = setInterval(() => {
    if (req.complete || socket.destroyed) clearInterval(timer);
    else if (Date.now() >= until || socket.bytesRead > most) socket.destroy();
  }, LOOK_EVERY_MS);
  timer.unref();
}
