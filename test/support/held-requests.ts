import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Owner } from './clean-ups.js';
import type { HttpAccount, HttpStack } from './http.js';

/** Opens a request that announces a body and sends none, and waits for the continue or refusal. */
export async function openRequest(
  http: HttpStack,
  path: string,
  headers: Record<string, string>,
  length: number,
): Promise<{ socket: Socket; answer: string }> {
  const { hostname, port } = new URL(http.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n` +
      `Content-Length: ${length}\r\n${lines.join('')}\r\n`,
  );
  const [answer] = await once(socket, 'data');
  return { socket, answer: String(answer).slice(0, 12) };
}

/** A call that never ends, and the moment it was made. */
export function endless(): { call: () => Promise<never>; called: Promise<void> } {
  let isCalled: () => void = () => undefined;
  const called = new Promise<void>((resolve) => {
    isCalled = resolve;
  });
  return {
    call: () => {
      isCalled();
      return new Promise<never>(() => undefined);
    },
    called,
  };
}

/** A request that stays open until the test ends. */
export function hang(owner: Owner, url: string, init: RequestInit = {}): void {
  const ending = new AbortController();
  owner.teardown(() => ending.abort());
  fetch(url, { ...init, signal: ending.signal }).catch(() => undefined);
}

/** Accounts with a license each. */
export async function accounts(http: HttpStack, count: number): Promise<HttpAccount[]> {
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const account = await http.account();
      await http.license(account.id);
      return account;
    }),
  );
}
