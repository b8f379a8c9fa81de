import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { listLabelSources } from '../../src/db/queries/label-sources.js';
import { freePort } from '../../src/dev/commands.js';
import { BrowserPool } from '../../src/documents/browser/pool.js';
import { composeLabels } from '../../src/documents/labels/document.js';
import { labelsAsHtml } from '../../src/documents/labels/print.js';
import { DEFAULT_LABEL_OPTIONS } from '../../src/domain/labels.js';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import { startStack, type TestStack } from '../support/stack.js';
import { measure, type Sample } from './measure.js';

const ROUNDS = Number(process.argv[2] ?? 5);
const LABELS = 100;
const PROVIDER = 'independent';
const TIMEOUT_MS = 120_000;

/**
 * Labels through the API (request to address, the PDF kept), beside the same browser printing the same HTML, in
 * alternating rounds. API and worker are processes of their own. Argument: how many rounds (5).
 */
const stack = await startStack();
const children: ChildProcess[] = [];
const browser = new BrowserPool({
  executablePath: stack.config.browserPath,
  pages: 1,
  sandbox: stack.config.browserSandbox,
});
try {
  const api = new ApiClient(await startProcesses(stack), stack.account);
  const uuids = await shipments(api, LABELS);
  await bareAndOurs(api, uuids.slice(0, 2), 1);

  for (const labelType of ['thermal', 'A4'] as const) {
    const { ours, bare } = await bareAndOurs(api, uuids, ROUNDS, labelType);
    console.log(`\n${LABELS} labels in one document, ${labelType}`);
    line('browser alone', bare);
    line('POST /shipments/labels', ours);
    console.log(`  p50 is ${(p50(ours) / p50(bare)).toFixed(2)} of the browser alone`);
  }

  const path = (uuid: string) => `/shipments/${uuid}/label`;
  await change();
  const queue = uuids.slice();
  const one = await measure(() => expectOk(api, path(queue.pop() ?? '')), { count: 40, width: 1 });
  const kept = await measure(() => expectOk(api, path(uuids.at(-1) ?? '')), { count: 200, width: 1 });
  console.log('\none label');
  line('printed now', [one]);
  line('kept', [kept]);
} finally {
  await Promise.all([...children.map(stop), browser.close()]);
  await stack.close();
}

/** The same documents by the browser alone and through the API; each round prints something new. */
async function bareAndOurs(
  api: ApiClient,
  uuids: readonly string[],
  rounds: number,
  labelType: 'thermal' | 'A4' = 'thermal',
): Promise<{ ours: Sample[]; bare: Sample[] }> {
  const once = { count: 1, width: 1 };
  const samples: { ours: Sample[]; bare: Sample[] } = { ours: [], bare: [] };
  for (let round = 0; round < rounds; round += 1) {
    await change();
    const html = await htmlOf(uuids, labelType);
    samples.bare.push(
      await measure(async () => {
        await browser.print(html, TIMEOUT_MS);
      }, once),
    );
    const body = {
      license_key: stack.account.licenseKeys[PROVIDER],
      shipments: uuids,
      label_type: labelType,
    };
    samples.ours.push(
      await measure(async () => {
        const { status, text } = await api.post('/shipments/labels', body);
        if (status !== 200) throw new Error(text);
      }, once),
    );
  }
  return samples;
}

async function htmlOf(uuids: readonly string[], labelType: 'thermal' | 'A4'): Promise<string> {
  const sources = await listLabelSources(stack.db, { accountId: stack.account.id, uuids });
  const { baseUrl } = stack.config;
  const document = composeLabels(sources, { ...DEFAULT_LABEL_OPTIONS, labelType }, { baseUrl });
  return labelsAsHtml(document, { logo: null });
}

/** Makes every label another one, so that none is kept. */
async function change(): Promise<void> {
  await stack.db.run("UPDATE orders SET number = CONCAT('N-', LEFT(MD5(RAND()), 10))");
}

async function expectOk(api: ApiClient, path: string): Promise<void> {
  const { status, text } = await api.get(path);
  if (status !== 200) throw new Error(text);
}

async function shipments(api: ApiClient, count: number): Promise<string[]> {
  const uuids: string[] = [];
  const make = async () => {
    const { status, body, text } = await api.create(shipmentBody(stack.account, PROVIDER));
    if (status !== 201) throw new Error(text);
    uuids.push(body.data.uuid);
  };
  await measure(make, { count, width: 8 });
  return uuids;
}

async function startProcesses(of: TestStack): Promise<string> {
  const [port, health] = [await freePort(38_400), await freePort(38_500)];
  const env = { ...process.env, ...of.env, LOG_LEVEL: 'warn', PORT: String(port), NODE_ENV: 'production' };
  start('../../src/main/worker.js', { ...env, WORKER_HEALTH_PORT: String(health) });
  start('../../src/main/api.js', env);
  const url = `http://127.0.0.1:${port}`;
  await eventually(() => answers(`http://127.0.0.1:${health}`), 'the worker', 60_000);
  await eventually(() => answers(`${url}/health/ready`), 'the API', 60_000);
  return url;
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

function start(path: string, env: NodeJS.ProcessEnv): void {
  const entry = fileURLToPath(new URL(path, import.meta.url));
  children.push(spawn(process.execPath, [entry], { env, stdio: ['ignore', 'inherit', 'inherit'] }));
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

function times(samples: readonly Sample[]): number[] {
  return samples.flatMap(({ sorted }) => sorted).sort((a, b) => a - b);
}

function p50(samples: readonly Sample[]): number {
  const sorted = times(samples);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function line(name: string, samples: readonly Sample[]): void {
  const sorted = times(samples);
  const p95 = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? 0;
  console.log(`  ${name.padEnd(24)} p50 ${p50(samples).toFixed(1)} ms  p95 ${p95.toFixed(1)} ms`);
}
