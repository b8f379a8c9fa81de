import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { seededRandom } from '../faults/seeded-random.js';
import type { Owner } from './clean-ups.js';
import { listen } from './local-server.js';

/** The fault of one exchange between a client and the service. */
type ProxyFault =
  | 'none'
  /** The connection ends before the service gets the request. */
  | 'cut before'
  /** The service has done its work; the connection ends before the client gets anything. */
  | 'cut after'
  /** Half of the answer arrives, then the connection ends. */
  | 'truncated'
  /** Half of the answer arrives, and is complete by its length. */
  | 'shortened'
  /** The service does not get it. */
  | '429'
  | '503'
  /** The service has done its work, and a gateway says 502 instead of its answer. */
  | '502 after'
  /** The answer comes later than the client waits. */
  | 'slow';

const PROXY_FAULTS = [
  'cut before',
  'cut after',
  'truncated',
  'shortened',
  '429',
  '503',
  '502 after',
  'slow',
] as const satisfies readonly ProxyFault[];

export interface FaultProxy {
  url: string;
  /** How often each fault happened. */
  counts: ReadonlyMap<ProxyFault, number>;
  close(): Promise<void>;
}

interface ProxyOptions {
  /** The fault of the next exchange. */
  next(request: IncomingMessage): ProxyFault;
  /** For how long `slow` holds the answer back. */
  slowMs: number;
}

/** Passes requests on to the service at `target`, with a fault each as `next` says. */
export async function startFaultProxy(target: string, { next, slowMs }: ProxyOptions): Promise<FaultProxy> {
  const { hostname, port } = new URL(target);
  const counts = new Map<ProxyFault, number>();
  const open = new Set<ClientRequest>();
  const server = createServer((asked, answer) => {
    const fault = next(asked);
    counts.set(fault, (counts.get(fault) ?? 0) + 1);
    if (fault === 'cut before') {
      asked.socket.destroy();
      return;
    }
    if (fault === '429' || fault === '503') {
      refuse(asked, answer, fault);
      return;
    }
    const { method, url: path, headers } = asked;
    const passed = request({ hostname, port, method, path, headers }, (got) => void passBack(got, answer));
    open.add(passed);
    passed.once('close', () => open.delete(passed));
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
    const passBack = async (got: IncomingMessage, to: ServerResponse) => {
      const body = Buffer.concat(await got.toArray().catch(() => []));
      if (!got.complete) to.destroy();
      else if (fault === 'slow') setTimeout(() => finish(got, body, to, 'none'), slowMs);
      else finish(got, body, to, fault);
    };
  });
  const { url, close } = await listen(server);
  return {
    url,
    counts,
    close: () => {
      for (const passed of open) passed.destroy();
      return close();
    },
  };
}

function refuse(asked: IncomingMessage, answer: ServerResponse, fault: '429' | '503'): void {
  asked.resume();
  const code = fault === '429' ? 'rate_limited' : 'service_unavailable';
  const body = JSON.stringify({ error: { code, message: 'By the fault proxy.', status: Number(fault) } });
  // Soon, so that a run of a thousand orders ends.
  answer.writeHead(Number(fault), { 'content-type': 'application/json', 'retry-after': '0' }).end(body);
}

function finish(got: IncomingMessage, body: Buffer, answer: ServerResponse, fault: ProxyFault): void {
  const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...headers } = got.headers;
  if (fault === 'cut after') {
    answer.destroy();
  } else if (fault === '502 after') {
    answer.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
  } else if (fault === 'shortened') {
    answer.writeHead(got.statusCode ?? 502, headers).end(body.subarray(0, body.length / 2));
  } else if (fault === 'truncated') {
    answer.writeHead(got.statusCode ?? 502, { ...headers, 'content-length': body.length });
    answer.write(body.subarray(0, body.length / 2), () => answer.destroy());
  } else {
    answer.writeHead(got.statusCode ?? 502, headers).end(body);
  }
}

/** A bad way to the service: two exchanges of five go wrong, the same ones for the same seed. It ends with its owner. */
export async function startBadWay(
  owner: Owner,
  target: string,
  { seed, slowMs }: { seed: number; slowMs: number },
): Promise<FaultProxy> {
  const random = seededRandom(seed);
  const next = () => (random.below(5) < 2 ? random.pick(PROXY_FAULTS) : 'none');
  const proxy = await startFaultProxy(target, { next, slowMs });
  owner.teardown(() => proxy.close());
  return proxy;
}
