import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { cargoProtocol } from './cargo.js';
import { type Fault, Faults, type Operation } from './faults.js';
import { getpackageProtocol } from './getpackage.js';
import { dateBooking, Ledger, type Parcel } from './ledger.js';
import { lionwheelProtocol } from './lionwheel.js';
import { logoAt } from './logo.js';
import type { SandboxConfig, SandboxProtocol, SandboxReply, SandboxRequest } from './protocol.js';
import { runProtocol } from './run.js';
import { appendStatus, currentStatus, takenWords, wordOf } from './statuses.js';
import { woltDriveProtocol } from './wolt-drive.js';

const PROTOCOLS = {
  run: runProtocol,
  lionwheel: lionwheelProtocol,
  cargo: cargoProtocol,
  getpackage: getpackageProtocol,
  wolt_drive: woltDriveProtocol,
} as const satisfies Record<string, SandboxProtocol>;

/** Carriers with a wire protocol, and thus a sandbox. */
export type SandboxProvider = keyof typeof PROTOCOLS;

export function sandboxProviders(): SandboxProvider[] {
  return Object.keys(PROTOCOLS).filter(isSandboxProvider);
}

export function isSandboxProvider(name: string): name is SandboxProvider {
  return Object.hasOwn(PROTOCOLS, name);
}

/** `port`: 0 or absent uses any free one. `ledgerFile`: absent keeps the ledger in memory. */
export interface SandboxOptions {
  port?: number;
  host?: '127.0.0.1';
  ledgerFile?: string;
  /** Initial URL for status changes; `/__config` can change it. */
  webhookUrl?: string | null;
}

/** A listening sandbox; `url` has no trailing slash. */
export interface Sandbox {
  url: string;
  port: number;
  close: () => Promise<void>;
}

interface State {
  protocol: SandboxProtocol;
  ledger: Ledger;
  faults: Faults;
  config: SandboxConfig;
}

/** Starts a sandbox with a carrier's wire format and the controls `/__ledger`, `/__faults` … */
export async function startSandbox(
  carrier: SandboxProvider | SandboxProtocol,
  options: SandboxOptions = {},
): Promise<Sandbox> {
  const state: State = {
    protocol: typeof carrier === 'string' ? PROTOCOLS[carrier] : carrier,
    ledger: new Ledger(options.ledgerFile),
    faults: new Faults(),
    config: {
      rejectDuplicates: true,
      hidesParcels: false,
      token: null,
      charset: 'utf-8',
      webhookUrl: options.webhookUrl ?? null,
      webhookSecret: 'sandbox-webhook-secret',
    },
  };
  const server = createServer((request, response) => {
    handle(request, response, state).catch(() => response.destroy());
  });
  const host = options.host ?? '127.0.0.1';
  const port = await listen(server, options.port ?? 0, host);
  return {
    url: `http://${host}:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

async function handle(request: IncomingMessage, response: ServerResponse, state: State): Promise<void> {
  const target = request.url ?? '/';
  if (target.startsWith('/__')) return control(request, response, state);
  const call: SandboxRequest = {
    method: request.method ?? 'GET',
    target,
    headers: request.headers,
    body: (await readBody(request)).toString('utf8'),
  };
  const operation = state.protocol.operationOf(call);
  if (operation === undefined) return sendJson(response, 404, { error: 'No such program.' });
  const { token } = state.config;
  if (token !== null && !state.protocol.isAuthorized(call, token)) {
    return sendJson(response, 401, { error: 'The token is missing or wrong.' });
  }
  return serve(operation, call, response, state);
}

async function serve(
  operation: Operation,
  request: SandboxRequest,
  response: ServerResponse,
  { protocol, ledger, config, faults }: State,
): Promise<void> {
  const hits = faults.take(operation);
  await delay(hits, 'latency');
  await faults.released(operation);
  const fault = hits.find(({ kind }) => kind !== 'latency' && kind !== 'latency_after');
  if (fault?.kind === 'drop_before') return void response.socket?.destroy();
  if (fault?.kind === 'status' && !fault.after) return sendStatus(response, fault.value ?? 500);
  if (fault?.kind === 'error_in_200') {
    return send(response, protocol.refuse(operation, fault.value ?? 0, config));
  }
  const seen = operation === 'find' && config.hidesParcels ? new Ledger(undefined) : ledger;
  const reply = protocol.answer(operation, { ...request, ledger: seen, config, nowMs: Date.now() });
  await delay(hits, 'latency_after');
  return sendFaulty(response, reply, fault);
}

/** Continues after the caller has left, as carriers do, but does not keep a closed sandbox alive. */
async function delay(hits: readonly Fault[], kind: Fault['kind']): Promise<void> {
  for (const hit of hits) if (hit.kind === kind) await wait(hit.value ?? 0, undefined, { ref: false });
}

function sendFaulty(response: ServerResponse, reply: SandboxReply, fault: Fault | undefined): void {
  if (fault?.kind === 'drop_after') return void response.socket?.destroy();
  if (fault?.kind === 'status') return sendStatus(response, fault.value ?? 500);
  if (fault?.kind !== 'truncate') return send(response, reply);
  const half = reply.body.subarray(0, Math.floor(reply.body.length / 2));
  if (fault.value === 1) return send(response, { ...reply, body: half });
  response.writeHead(200, { 'content-type': reply.contentType, 'content-length': reply.body.length });
  response.write(half, () => response.socket?.destroy());
}

async function control(request: IncomingMessage, response: ServerResponse, state: State): Promise<void> {
  const route = `${request.method} ${request.url}`;
  if (route === 'GET /__health') return sendJson(response, 200, { ok: true });
  const logo = logoAt(request.url ?? '');
  if (logo !== null) return send(response, { status: 200, contentType: 'image/png', body: logo });
  const { statuses } = state.protocol;
  if (route === 'GET /__ledger') {
    return sendJson(
      response,
      200,
      state.ledger.parcels.map((parcel) => present(state.protocol, parcel)),
    );
  }
  if (route === 'GET /__statuses') {
    return sendJson(response, 200, { ...takenWords(statuses), statuses: statuses.known });
  }
  if (route === 'GET /__ledger/count') {
    return sendJson(response, 200, { count: state.ledger.parcels.length });
  }
  if (route === 'GET /__faults') return sendJson(response, 200, state.faults.waiting);
  if (!['POST /__faults', 'POST /__advance', 'POST /__config'].includes(route)) {
    return sendJson(response, 404, { error: 'No such control.' });
  }
  const body = await readJson(request);
  if (body === undefined) return sendJson(response, 400, { error: 'The body must be a JSON object.' });
  if (route === 'POST /__advance') return advance(response, body, state);
  if (route === 'POST /__config') return configure(response, body, state);
  const problem = state.faults.add(Object.fromEntries(body));
  return problem === null
    ? sendJson(response, 200, state.faults.waiting)
    : sendJson(response, 400, { error: problem });
}

/**
 * Moves a parcel to a status. `at` dates it (ISO 8601; now by default), `booked_at` its booking; `times` repeats its
 * webhook; `forge` signs that with a wrong secret.
 */
async function advance(
  response: ServerResponse,
  body: Map<string, unknown>,
  { ledger, protocol, config }: State,
): Promise<void> {
  const parcel = ledger.byCode(String(body.get('code')));
  if (parcel === undefined) return sendJson(response, 404, { error: 'No parcel has this code.' });
  const at = body.get('at');
  const atMs = at === undefined ? Date.now() : Date.parse(String(at));
  const times = Number(body.get('times') ?? 1);
  if (Number.isNaN(atMs) || !(times >= 0 && times <= 100)) {
    return sendJson(response, 400, { error: 'at must be a time, and times at most 100.' });
  }
  const bookedMs = body.has('booked_at') ? Date.parse(String(body.get('booked_at'))) : undefined;
  if (Number.isNaN(bookedMs)) return sendJson(response, 400, { error: 'booked_at must be a time.' });
  if (bookedMs !== undefined) dateBooking(parcel, bookedMs);
  const { statuses } = protocol;
  const word = wordOf(statuses, String(body.get('status')));
  if (word === null) {
    return sendJson(response, 400, { error: 'The carrier has no such status.', ...takenWords(statuses) });
  }
  if (protocol.advance === undefined) appendStatus(statuses, parcel, word, atMs);
  else protocol.advance(parcel, word, atMs);
  ledger.save(parcel);
  const webhookSecret = body.get('forge') === true ? `not ${config.webhookSecret}` : config.webhookSecret;
  let posted = {};
  for (let time = 0; time < times; time += 1) {
    posted = await postWebhook(protocol, parcel, { ...config, webhookSecret });
  }
  return sendJson(response, 200, { ...present(protocol, parcel), ...posted });
}

/** Posts the parcel's newest status; `webhook_status` is the answer, 0 for none. */
async function postWebhook(
  protocol: SandboxProtocol,
  parcel: Parcel,
  config: SandboxConfig,
): Promise<object> {
  if (config.webhookUrl === null || protocol.webhook === undefined) return {};
  const { headers, body } = protocol.webhook(parcel, config, Date.now());
  try {
    const reply = await fetch(config.webhookUrl, { method: 'POST', headers, body });
    await reply.arrayBuffer();
    return { webhook_status: reply.status };
  } catch {
    return { webhook_status: 0 };
  }
}

function configure(response: ServerResponse, body: Map<string, unknown>, { config }: State): void {
  const reject = body.get('rejectDuplicates');
  const hides = body.get('hidesParcels');
  const token = body.get('token');
  const charset = body.get('charset');
  const webhookUrl = body.get('webhook_url');
  const webhookSecret = body.get('webhook_secret');
  if (typeof reject === 'boolean') config.rejectDuplicates = reject;
  if (typeof hides === 'boolean') config.hidesParcels = hides;
  if (typeof token === 'string' || token === null) config.token = token;
  if (charset === 'utf-8' || charset === 'windows-1255') config.charset = charset;
  if (typeof webhookUrl === 'string' || webhookUrl === null) config.webhookUrl = webhookUrl;
  if (typeof webhookSecret === 'string') config.webhookSecret = webhookSecret;
  return sendJson(response, 200, {
    ...config,
    token: config.token === null ? null : '***',
    webhookSecret: '***',
  });
}

function present({ statuses }: SandboxProtocol, parcel: Parcel) {
  const { means, word } = currentStatus(statuses, parcel);
  const status = means ?? word;
  const { reference, code, requests, bookedAt, request } = parcel;
  return { reference, code, status, requests, booked_at: bookedAt, request };
}

async function readJson(request: IncomingMessage): Promise<Map<string, unknown> | undefined> {
  try {
    const body: unknown = JSON.parse((await readBody(request)).toString('utf8'));
    if (typeof body !== 'object' || body === null) return undefined;
    return new Map(Object.entries(body));
  } catch {
    return undefined;
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

function sendStatus(response: ServerResponse, status: number): void {
  if (status === 429) response.setHeader('retry-after', '1');
  send(response, { status, contentType: 'text/plain', body: Buffer.from(`HTTP ${status}`) });
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  send(response, { status, contentType: 'application/json', body: Buffer.from(JSON.stringify(value)) });
}

function send(response: ServerResponse, { status, contentType, body }: SandboxReply): void {
  response.writeHead(status, { 'content-type': contentType, 'content-length': body.length });
  response.end(body);
}
