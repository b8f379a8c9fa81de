import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findWholePrometheus, PROMETHEUS_HINT, prometheusSpec } from '../engines/prometheus.js';
import { devFolder, projectFolder } from './paths.js';
import { freePort } from './ports.js';
import { SetupError, step } from './progress.js';
import type { Supervisor } from './supervisor.js';

const OBSERVE = join(projectFolder, 'docker/observe');

/** The processes that a Prometheus beside them looks at, and how often. */
export interface Watched {
  readonly apiMetricsPort: number;
  readonly workerMetricsPort: number;
  /** File of the alerts; those that are shipped by default. */
  readonly rules?: string;
  readonly everySeconds?: number;
}

/** Where the processes show their figures. */
export function metricsUrls({ apiMetricsPort, workerMetricsPort }: Watched): object {
  const at = (port: number) => `http://127.0.0.1:${port}/metrics`;
  return { api: at(apiMetricsPort), worker: at(workerMetricsPort) };
}

/** The configuration of docker/observe with the addresses of these processes. */
export function prometheusConfig(watched: Watched): string {
  const { apiMetricsPort, workerMetricsPort, everySeconds = 5 } = watched;
  const rules = watched.rules ?? join(OBSERVE, 'alerts.yaml');
  return readFileSync(join(OBSERVE, 'prometheus.yaml'), 'utf8')
    .replace("'api:9464'", `'127.0.0.1:${apiMetricsPort}'`)
    .replace("'worker:9464', 'documents:9464'", `'127.0.0.1:${workerMetricsPort}'`)
    .replace('[alerts.yaml]', JSON.stringify([rules]))
    .replaceAll('_interval: 15s', `_interval: ${everySeconds}s`);
}

/** Starts a Prometheus with our alerts beside the demo, and returns its address. @throws SetupError where there is none */
export async function startPrometheus(supervisor: Supervisor, watched: Watched): Promise<string> {
  const install = await findWholePrometheus();
  if (install === null) throw new SetupError(`Prometheus is missing: ${PROMETHEUS_HINT}`);
  const port = await freePort(9090);
  const folder = join(devFolder, 'prometheus');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const logFile = join(devFolder, 'logs', 'prometheus.log');
  const config = prometheusConfig(watched);
  await step(`Prometheus on port ${port}`, () =>
    supervisor.add(prometheusSpec(install.prometheus, { config, folder, port, logFile })),
  );
  return `http://127.0.0.1:${port}`;
}
