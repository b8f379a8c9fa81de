import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { allCarriers } from '../../src/carriers/registry.js';
import { loadConfig } from '../../src/config/config.js';
import { openDatabase } from '../../src/db/database.js';
import { trackingUrl } from '../../src/domain/tracking-url.js';
import { bringUpToDate } from '../../src/services/operations/migrate.js';
import { openDemoApi } from '../demo/api.js';
import { type DemoData, seedDemo } from '../demo/data.js';
import { fillDays } from '../demo/day-fill.js';
import { fillPatiently } from '../demo/fill.js';
import { tellSandboxes } from '../demo/sandbox.js';
import { TRACKED_LICENSE, trackedParcel } from '../demo/tracked.js';
import { sandboxProviders } from '../doubles/carriers/server.js';
import { findChromium } from '../engines/chromium.js';
import { findMysql, mysqlSpec, mysqlUrl } from '../engines/mysql.js';
import { findTemporalCli, temporalSpec } from '../engines/temporal.js';
import type { ProcessSpec } from './child.js';
import { demoFile, type Settings } from './demo-file.js';
import { environment, withToken } from './environment.js';
import { mailCatcherSpec, mailCatcherUrls } from './mail-spec.js';
import { ALLOCATOR, NODE_FLAGS } from './node-flags.js';
import { startPrometheus } from './observe.js';
import { devFolder, distFolder } from './paths.js';
import { freePort } from './ports.js';
import { messageOf, SetupError, say, step } from './progress.js';
import {
  becomeSupervisor,
  type DevSecrets,
  devSecrets,
  keepSecrets,
  writeDevFile,
  writeDevJson,
  writeState,
} from './state.js';
import { Supervisor } from './supervisor.js';

/** Shown in the demo's inbox. */
const ALERT_MAIL = 'operators@example.com';

function logFile(name: string): string {
  return join(devFolder, 'logs', `${name}.log`);
}

async function answersOk(url: string): Promise<boolean> {
  return (await fetch(url, { signal: AbortSignal.timeout(3000) })).ok;
}

function nodeSpec(
  name: string,
  script: string,
  args: readonly string[],
  env: Record<string, string>,
  healthUrl: string,
): ProcessSpec {
  return {
    name,
    command: process.execPath,
    args: [...NODE_FLAGS, join(distFolder, script), ...args],
    env: { ...ALLOCATOR, ...env },
    logFile: logFile(name),
    healthy: () => answersOk(healthUrl),
    startTimeoutMs: 60_000,
    // Longer than a worker's grace period.
    stopTimeoutMs: 27_000,
  };
}

async function startMysql(supervisor: Supervisor): Promise<string> {
  const given = process.env['DATABASE_URL'];
  if (given !== undefined) return given;
  const install = await findMysql();
  const port = await freePort(3307);
  const folder = join(devFolder, 'mysql');
  const options = { folder, port, logFile: logFile('mysql'), disposable: false };
  await step(`MySQL on port ${port}`, async () => supervisor.add(await mysqlSpec(install, options)));
  return mysqlUrl(port, 'parcelworks');
}

async function startTemporal(
  supervisor: Supervisor,
  codecEndpoint: string,
): Promise<{ address: string; ui: string | null }> {
  const given = process.env['TEMPORAL_ADDRESS'];
  if (given !== undefined) return { address: given, ui: null };
  const cli = await findTemporalCli();
  const port = await freePort(7233);
  const uiPort = await freePort(8233);
  const databaseFile = join(devFolder, 'temporal.db');
  const options = { port, uiPort, codecEndpoint, databaseFile, logFile: logFile('temporal') };
  await step(`Temporal on port ${port}`, () => supervisor.add(temporalSpec(cli, options)));
  return { address: `127.0.0.1:${port}`, ui: `http://127.0.0.1:${uiPort}` };
}

/** One process for all, with one port each. */
async function startSandboxes(supervisor: Supervisor): Promise<Record<string, string>> {
  const ports = await Promise.all(
    sandboxProviders().map(async (provider) => [provider, await freePort(4010)] as const),
  );
  const urls = ports.map(([provider, port]) => [provider, `http://127.0.0.1:${port}`] as const);
  const args = ['--folder', devFolder, ...ports.map(([provider, port]) => `${provider}:${port}`)];
  const spec = nodeSpec('sandboxes', 'tools/doubles/carriers/main.js', args, {}, '');
  await supervisor.add({
    ...spec,
    healthy: async () => {
      const answers = await Promise.all(urls.map(([, url]) => answersOk(`${url}/__health`)));
      return answers.every((ok) => ok);
    },
  });
  return Object.fromEntries(urls);
}

async function startMailCatcher(supervisor: Supervisor): Promise<Settings['mail']> {
  const given = process.env['SMTP_URL'];
  if (given !== undefined) return { smtp: given, ui: null, api: null };
  const options = {
    smtpPort: await freePort(1025),
    httpPort: await freePort(8025),
    folder: join(devFolder, 'mails'),
    logFile: logFile('mail-catcher'),
  };
  await supervisor.add(mailCatcherSpec(options));
  return mailCatcherUrls(options);
}

/** Waits for all parts, even if one fails: an unfinished process would outlive the stop. */
async function allStarted<T extends readonly Promise<unknown>[]>(
  parts: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(parts);
  return Promise.all(parts);
}

/** The engines and the doubles of carriers and mail server. */
async function startEngines(supervisor: Supervisor, { codecToken }: DevSecrets): Promise<Settings> {
  const apiPort = await freePort(Number(process.env['PORT'] ?? 3000));
  const codecEndpoint = `http://127.0.0.1:${apiPort}/temporal-codec/${codecToken}`;
  const parts = [
    startMysql(supervisor),
    startTemporal(supervisor, codecEndpoint),
    startSandboxes(supervisor),
    startMailCatcher(supervisor),
    findChromium(),
  ] as const;
  const [databaseUrl, temporal, sandboxes, mail, chromium] = await allStarted(parts);
  if (chromium === null) say('! Chromium was not found: labels need it (Debian: apt install chromium)');
  return {
    databaseUrl,
    temporalAddress: temporal.address,
    temporalUi: temporal.ui,
    codecEndpoint,
    baseUrl: process.env['BASE_URL'] ?? `http://127.0.0.1:${apiPort}`,
    apiPort,
    workerHealthPort: await freePort(3900),
    apiMetricsPort: await freePort(9464),
    workerMetricsPort: await freePort(9474),
    sandboxes,
    mail,
    chromium,
  };
}

async function prepareData(
  settings: Settings,
  secrets: DevSecrets,
  env: Record<string, string>,
): Promise<DemoData> {
  const { databaseUrl, temporalAddress } = settings;
  const config = loadConfig({ ...process.env, ...env });
  await bringUpToDate(config, allCarriers()).catch((error: unknown) => {
    const where = `MySQL at ${new URL(databaseUrl).host} and Temporal at ${temporalAddress}`;
    throw new SetupError(`${where} could not be brought up to date: ${messageOf(error)}`);
  });
  const db = openDatabase({ url: databaseUrl, poolSize: 2 });
  try {
    const { sandboxes, mail } = settings;
    const data = await seedDemo({
      app: {
        db,
        config,
        adapters: allCarriers(),
        actor: { kind: 'admin', name: 'demo', origin: 'npm start' },
      },
      secrets,
      sandboxes,
      callbackUrl: mail.ui === null ? null : `${mail.ui}/callbacks`,
    });
    await tellSandboxes(sandboxes, data.webhooks);
    const { userToken, recipientToken } = data;
    keepSecrets({ ...secrets, userToken, recipientToken });
    return data;
  } finally {
    await db.close();
  }
}

/** The system of `npm start`: engines, sandboxes, worker and API. */
export class Stack {
  private demo: (() => object) | null = null;
  private filling: Promise<void> = Promise.resolve();
  private readonly stopping = new AbortController();
  private readonly supervisor = new Supervisor(() => this.writeFiles());

  /**
   * Starts everything, with a Prometheus and mails to operators where `observe` is set, and returns when it is healthy. @throws SetupError,
   * leaving started processes running
   */
  async start({ observe }: { observe: boolean }): Promise<void> {
    mkdirSync(devFolder, { recursive: true, mode: 0o700 });
    await becomeSupervisor();
    const secrets = devSecrets();
    const settings = await startEngines(this.supervisor, secrets);
    const env = { ...environment(settings, secrets), ...(observe ? { ALERT_MAIL } : {}) };
    const lines = Object.entries(env).map(([name, value]) => `${name}=${value}\n`);
    writeDevFile('env', lines.join(''));
    const data = await step('database migrated, demo accounts there', () =>
      prepareData(settings, secrets, env),
    );
    const workerHealth = `http://127.0.0.1:${settings.workerHealthPort}/`;
    const apiHealth = `http://127.0.0.1:${settings.apiPort}/health/ready`;
    await step('worker and API healthy', () =>
      allStarted([
        this.supervisor.add(nodeSpec('worker', 'src/main/worker.js', [], env, workerHealth)),
        this.supervisor.add(nodeSpec('api', 'src/main/api.js', [], withToken(env, data), apiHealth)),
      ]),
    );
    const prometheus = observe ? await startPrometheus(this.supervisor, settings) : null;
    const local = `http://127.0.0.1:${settings.apiPort}`;
    const api = openDemoApi(local, secrets.first, this.stopping.signal);
    const { code, shortCode, status } = await step('first parcel booked', () => trackedParcel(api));
    this.demo = () => ({
      ...demoFile(this.supervisor, settings, secrets, data),
      prometheus,
      tracking_page: trackingUrl(settings.baseUrl, shortCode),
      tracked: { provider: TRACKED_LICENSE.provider, code, status },
    });
    this.writeFiles();
    this.filling = this.fill(local, settings, secrets, data);
  }

  /** Adds the demo's other parcels in the background. */
  private fill(
    baseUrl: string,
    { databaseUrl, sandboxes }: Settings,
    secrets: DevSecrets,
    data: DemoData,
  ): Promise<void> {
    const shops = [
      { credentials: secrets.first, licenses: data.first },
      { credentials: secrets.second, licenses: data.second },
      { credentials: secrets.third, licenses: data.third },
    ];
    const stopping = this.stopping.signal;
    return fillPatiently({ baseUrl, databaseUrl, sandboxes, shops, stopping }, fillDays);
  }

  /** Stops everything in reverse order. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.filling;
    await this.supervisor.stopAll();
  }

  private writeFiles(): void {
    const pids = this.supervisor.processes().flatMap(({ pid }) => (pid === null ? [] : [pid]));
    writeState(pids);
    if (this.demo !== null) writeDevJson('demo.json', this.demo());
  }
}
