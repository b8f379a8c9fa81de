import { randomBytes, randomInt } from 'node:crypto';
import { freePort } from '../../tools/launcher/ports.js';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import { startMailServer } from '../support/mail-server.js';
import { descendants, memoryMib, shareMib } from '../support/memory.js';
import { startStack } from '../support/stack.js';
import { cpuMs } from './cpu.js';
import { measure } from './measure.js';
import { BenchProcesses } from './processes.js';

const CREATIONS = Number(process.argv[2] ?? 10_000);
const LABELS = Number(process.argv[3] ?? 1000);
const PROVIDER = 'independent';
const EXPORT_TIMEOUT_MS = 60_000;

/**
 * Memory of an API and a worker of all queues, with encryption and metrics as in production: at the start, after
 * creations 32 at a time, after labels, each printed alone, and after an export. Arguments: how many creations (10,000)
 * and labels (1000). The browser's processes share most of their memory, so that each is counted with its part.
 */
const mail = await startMailServer();
const first = await freePort(19_000 + randomInt(900));
const stack = await startStack({
  env: {
    SMTP_URL: mail.url,
    TEMPORAL_PAYLOAD_KEY: `bench:${randomBytes(32).toString('base64')}`,
    API_METRICS_PORT: String(first),
    WORKER_METRICS_PORT: String(await freePort(first + 1)),
  },
});
const processes = new BenchProcesses(stack);
try {
  const worker = Number((await processes.startWorker()).pid);
  const { url, child } = await processes.startApiProcess();
  const api = new ApiClient(url, stack.account);
  const print = (when: string) => printMemory(when, Number(child.pid), worker);
  print('at the start');

  const uuids: string[] = [];
  const create = async () => {
    const { status, body, text } = await api.create(shipmentBody(stack.account, PROVIDER));
    if (status !== 201) throw new Error(text);
    uuids.push(body.data.uuid);
  };
  const watched = { API: Number(child.pid), worker };
  await measure(create, { count: CREATIONS / 2, width: 32 });
  const before = cpuMs(watched);
  await measure(create, { count: CREATIONS / 2, width: 32 });
  print(`${CREATIONS} creations`);
  for (const [name, ms] of Object.entries(cpuMs(watched))) {
    console.log(
      `${name}: ${((ms - (before[name] ?? 0)) / (CREATIONS / 2)).toFixed(2)} ms of processor time a creation`,
    );
  }

  const printed = uuids.slice(-LABELS);
  const label = async () => {
    const { status, text } = await api.get(`/shipments/${printed.pop()}/label`);
    if (status !== 200) throw new Error(text);
  };
  await measure(label, { count: LABELS, width: 4 });
  print(`${LABELS} labels`);

  await api.post('/exports', { license_key: stack.account.licenseKeys[PROVIDER], format: 'xlsx' });
  await eventually(() => mail.mails.length > 0, 'the mail of the export', EXPORT_TIMEOUT_MS);
  print('an export');
} finally {
  await processes.stop();
  await stack.close();
  await mail.close();
}

function printMemory(when: string, api: number, worker: number): void {
  const of = (name: string, pid: number) =>
    `${name} ${memoryMib(pid, 'VmRSS')} (PSS ${shareMib(pid).toFixed(0)}, peak ${memoryMib(pid, 'VmHWM')})`;
  const both = memoryMib(api, 'VmRSS') + memoryMib(worker, 'VmRSS');
  const browser = descendants(worker).reduce((sum, pid) => sum + shareMib(pid), 0);
  const parts = [of('API', api), of('worker', worker), `both ${both}`, `browser ${browser.toFixed(0)}`];
  console.log(`${when.padEnd(26)} ${parts.join(', ')} MiB`);
}
