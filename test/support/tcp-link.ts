import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Owner } from './clean-ups.js';

/** `requests` go from the client to the server, `answers` come back. */
export type Direction = 'requests' | 'answers';

interface Pair {
  client: Socket;
  server: Socket;
}

/** A way to a server on loopback, of which either direction can be cut. */
export interface TcpLink {
  port: number;
  /** From now on nothing passes that way, and nobody notices: connections stay open, new ones too. */
  cut(direction: Direction): void;
  /** Held-back bytes pass, as packets do that are sent again; or every connection ends, and it is lost. */
  heal(how: 'resume' | 'reset'): void;
}

/** Starts a way to the port `target` of a host; it ends with its owner. */
export async function startTcpLink(owner: Owner, target: number, host = '127.0.0.1'): Promise<TcpLink> {
  const pairs = new Set<Pair>();
  let isCut: Direction | undefined;
  const server = createServer((client) => {
    const pair = { client, server: connect(target, host) };
    pairs.add(pair);
    const pass = (from: Socket, to: Socket, direction: Direction) => {
      from.setNoDelay(true);
      from.on('data', (data) => {
        if (!to.write(data)) from.pause();
      });
      to.on('drain', () => {
        if (isCut !== direction) from.resume();
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        // Behind a cut the other side learns of it when the way is healed.
        if (isCut !== direction) to.destroy();
        if (client.closed && pair.server.closed) pairs.delete(pair);
      });
      if (isCut === direction) from.pause();
    };
    pass(client, pair.server, 'requests');
    pass(pair.server, client, 'answers');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const end = () => {
    for (const { client, server: behind } of pairs) {
      client.destroy();
      behind.destroy();
    }
  };
  owner.teardown(() => {
    server.close();
    end();
  });
  return {
    port: (server.address() as AddressInfo).port,
    cut(direction) {
      isCut = direction;
      for (const pair of pairs) (direction === 'requests' ? pair.client : pair.server).pause();
    },
    heal(how) {
      isCut = undefined;
      if (how === 'reset') return end();
      for (const { client, server: behind } of pairs) {
        if (client.closed || behind.closed) {
          client.destroy();
          behind.destroy();
        }
        client.resume();
        behind.resume();
      }
    },
  };
}
