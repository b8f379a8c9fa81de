import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that can be cut. */
export interface Gateway {
  /** The server's address, with the gateway's port. */
  url: string;
  /** Ends all connections, and refuses new ones until {@link mend}. */
  cut(): void;
  mend(): void;
  /** Leads new connections to another port; open ones stay where they are. */
  leadTo(port: number): void;
  close(): Promise<void>;
}

/** Forwards connections to the server of `url`, such as `mysql://user@host:port/name`. */
export async function startGateway(url: string): Promise<Gateway> {
  const target = new URL(url);
  let port = Number(target.port || 3306);
  const open = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => open.delete(socket));
  };
  const server = createServer((inside) => {
    if (isCut) {
      inside.destroy();
      return;
    }
    const outside = connect(port, target.hostname);
    for (const socket of [inside, outside]) keep(socket);
    inside.once('close', () => outside.destroy());
    outside.once('close', () => inside.destroy());
    inside.pipe(outside).pipe(inside);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = new URL(url);
  own.hostname = '127.0.0.1';
  own.port = String((server.address() as AddressInfo).port);
  const cut = () => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  return {
    url: own.href,
    cut,
    mend() {
      isCut = false;
    },
    leadTo(next) {
      port = next;
    },
    async close() {
      cut();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
