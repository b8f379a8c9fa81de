#!/usr/bin/env node
import { env } from 'node:process';
// The stdio door: passes messages between a host on this machine and the service, where the tools are.
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

/** Longer than the service waits for a carrier. */
const TIMEOUT_MS = 60_000;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

const LOST =
  'No answer came from the service, so the outcome is unknown. Do not repeat a booking or a cancellation: ask ' +
  'parcel_story, by uuid or by order_id, until the outcome is known.';

/** How Node says that there is no such name, or that nobody listens: no byte of a message left. */
const UNSENT = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED']);

/** Advice to a person by the status of a refusal. */
const TO_MEND = new Map([
  [401, 'The service does not know PARCELWORKS_CLIENT_ID with PARCELWORKS_CLIENT_SECRET.'],
  [404, 'No service that speaks the protocol is at PARCELWORKS_URL, or its operator has set MCP=off.'],
]);

/** @param {string} why */
function stop(why) {
  console.error(`parcelworks-mcp: ${why}`);
  process.exit(1);
}

/** @param {string} name */
function setting(name) {
  const value = env[name]?.trim() ?? '';
  if (value === '') stop(`${name} is missing.`);
  return value;
}

function address() {
  const text = setting('PARCELWORKS_URL');
  if (!URL.canParse(text)) stop('PARCELWORKS_URL is no address, such as https://shipping.example.com.');
  const url = new URL(`${text.replace(/(\/api\/v2)?\/*$/, '')}/mcp`);
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
  if (!isSafe) stop('PARCELWORKS_URL must begin with https://, since a secret is sent there.');
  return url;
}

const headers = {
  'x-client-id': setting('PARCELWORKS_CLIENT_ID'),
  'x-client-secret': setting('PARCELWORKS_CLIENT_SECRET'),
};
const service = new StreamableHTTPClientTransport(address(), {
  requestInit: { headers },
  // A redirect would take the secret elsewhere.
  fetch: (url, init) => fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) }),
});
const host = new StdioServerTransport();

function reasonOf(error) {
  if (error?.code >= 300 && error?.code < 400)
    return 'PARCELWORKS_URL leads elsewhere; give the address it leads to.';
  // `fetch` says why in the cause of what it throws.
  const why = error?.cause instanceof Error ? error.cause : error;
  return TO_MEND.get(error?.code) ?? (why instanceof Error ? why.message : String(why));
}

/** The host's answer in place of one that never came. */
function lost(message, error) {
  if (!('id' in message) || !('method' in message)) return null;
  const { id, method } = message;
  const base = { jsonrpc: '2.0', id };
  if (method !== 'tools/call') return { ...base, error: { code: -32000, message: reasonOf(error) } };
  return { ...base, result: { isError: true, content: [{ type: 'text', text: outcomeOf(error) }] } };
}

/** The model's words for a call without an answer. */
function outcomeOf(error) {
  const reason = reasonOf(error);
  if (UNSENT.has(error?.cause?.code)) return `The service cannot be reached; nothing was sent. ${reason}`;
  const isRefused = error?.code >= 300 && error?.code < 500;
  return isRefused ? `The service refused the call; nothing was done. ${reason}` : LOST;
}

/** The version that both sides agreed on, which each later request names. */
let initializeId;

/** Passes a message on, and answers it where nothing comes back. */
async function pass(message) {
  if ('method' in message && message.method === 'initialize') initializeId = message.id;
  try {
    await service.send(message);
  } catch (error) {
    console.error(`parcelworks-mcp: ${reasonOf(error)}`);
    const answer = lost(message, error);
    if (answer !== null) await host.send(answer);
  }
}

host.onmessage = (message) => void pass(message);
service.onmessage = (message) => {
  const version =
    'id' in message && message.id === initializeId ? message.result?.protocolVersion : undefined;
  if (typeof version === 'string') service.setProtocolVersion(version);
  void host.send(message);
};
host.onclose = () => void service.close();
process.stdin.once('end', () => void host.close());

await service.start();
await host.start();
