import { bareEnvironment } from '../../src/config/bare-environment.js';
import { listLabelSources } from '../../src/db/queries/labels/label-sources.js';
import { BrowserPool } from '../../src/documents/browser/pool.js';
import { composeLabels } from '../../src/documents/labels/document.js';
import { labelsAsHtml } from '../../src/documents/labels/print.js';
import { DEFAULT_LABEL_OPTIONS } from '../../src/domain/labels.js';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { startStack } from '../support/stack.js';
import { measure, percentile, type Sample, timesOf } from './measure.js';
import { BenchProcesses } from './processes.js';

const ROUNDS = Number(process.argv[2] ?? 5);
const LABELS = 100;
const PROVIDER = 'independent';
const TIMEOUT_MS = 120_000;

/**
 * Labels through the API (request to address, the PDF kept), beside the same browser printing the same HTML, in
 * alternating rounds. API and worker run as separate processes. Argument: how many rounds (5).
 */
const stack = await startStack();
const processes = new BenchProcesses(stack);
const browser = new BrowserPool({
  executablePath: stack.config.browserPath,
  pages: 1,
  sandbox: stack.config.browserSandbox,
  environment: bareEnvironment(),
});
try {
  await processes.startWorker();
  const api = new ApiClient(await processes.startApi(), stack.account);
  const uuids = await shipments(api, LABELS);
  await bareAndOurs(api, uuids.slice(0, 2), 1);

  for (const labelType of ['thermal', 'A4'] as const) {
    const { ours, bare } = await bareAndOurs(api, uuids, ROUNDS, labelType);
    console.log(`\n${LABELS} labels in one document, ${labelType}`);
    line('browser alone', bare);
    line('POST /shipments/labels', ours);
    console.log(
      `  p50 is ${(percentile(timesOf(ours), 0.5) / percentile(timesOf(bare), 0.5)).toFixed(2)} of the browser alone`,
    );
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
  await Promise.all([processes.stop(), browser.close()]);
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
        await browser.print({ frame: '', body: html }, TIMEOUT_MS);
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
  const document = await composeLabels(sources, { ...DEFAULT_LABEL_OPTIONS, labelType }, { baseUrl });
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

function line(name: string, samples: readonly Sample[]): void {
  const sorted = timesOf(samples);
  const at = (share: number) => `${percentile(sorted, share).toFixed(1)} ms`;
  console.log(`  ${name.padEnd(24)} p50 ${at(0.5)}  p95 ${at(0.95)}`);
}
