import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LIMITS } from '../lib/limits/values.js';

type Take<Res> = (req: IncomingMessage, res: Res) => void;

/** Starts the requests waiting behind the present one. */
type Line = (() => void)[];

/**
 * Handles a connection's requests one after the other, each after the client has received the previous answer. Node
 * itself would start all pipelined requests at once, keep their answers, and never close those left when the connection
 * ends. A connection with too many requests is ended.
 */
export function oneAtATime<Res extends ServerResponse>(take: Take<Res>): Take<Res> {
  const lines = new WeakMap<Socket, Line>();
  const begin = (req: IncomingMessage, res: Res, line: Line) => {
    const { socket } = req;
    take(req, res);
    const goOn = () => {
      // The remaining ones can no longer be answered.
      if (!socket.writable) return;
      const next = line.shift();
      if (next === undefined) lines.delete(socket);
      else next();
    };
    // After all other listeners, which free what the answer held.
    res.once('close', () => process.nextTick(goOn));
  };
  return (req, res) => {
    const { socket } = req;
    const line = lines.get(socket);
    if (line === undefined) {
      const own: Line = [];
      lines.set(socket, own);
      begin(req, res, own);
    } else if (line.length < LIMITS.requests.pipelined) line.push(() => begin(req, res, line));
    else socket.destroy();
  };
}
