import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LIMITS } from '../lib/limits/values.js';

type Take<Res> = (req: IncomingMessage, res: Res) => void;

/** What begins the requests that came behind the one under way. */
type Line = (() => void)[];

/**
 * Takes a connection's requests one after the other, each once the client has the answer before it. Node alone begins all
 * that a client sends at once, keeps their answers, and never closes those that are left when the connection ends. A
 * connection with too many is ended.
 */
export function oneAtATime<Res extends ServerResponse>(take: Take<Res>): Take<Res> {
  const lines = new WeakMap<Socket, Line>();
  const begin = (req: IncomingMessage, res: Res, line: Line) => {
    const { socket } = req;
    take(req, res);
    const goOn = () => {
      // What is left can no longer be answered.
      if (!socket.writable) return;
      const next = line.shift();
      if (next === undefined) lines.delete(socket);
      else next();
    };
    // After all other listeners: what the answer held is free when the next request comes.
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
