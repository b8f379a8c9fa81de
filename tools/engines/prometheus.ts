import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessSpec } from '../launcher/child.js';
import { cacheFolder } from '../launcher/paths.js';
import { aptInstallIdle, aptUnpack, canUseApt, which } from '../launcher/run.js';

/** Prometheus and its tool. */
export interface PrometheusInstall {
  readonly prometheus: string;
  readonly promtool: string;
}

export const PROMETHEUS_HINT = 'put prometheus and promtool on PATH (Debian: apt install prometheus)';

/** Finds both programs: PATH, the cache, Debian's package as root. Null when there is none. */
export async function findPrometheus(): Promise<PrometheusInstall | null> {
  const known = onPath();
  if (known !== null) return known;
  const folder = join(cacheFolder, 'prometheus');
  const kept = { prometheus: join(folder, 'usr/bin/prometheus'), promtool: join(folder, 'usr/bin/promtool') };
  if (existsSync(kept.promtool)) return kept;
  // Unpacked alone: its pages and what they need are not missed by tests.
  return canUseApt() && (await aptUnpack('prometheus', folder)) ? kept : null;
}

/** Finds a Prometheus that shows its pages: PATH, Debian's package as root. Null when there is none. */
export async function findWholePrometheus(): Promise<PrometheusInstall | null> {
  const known = onPath();
  if (known !== null) return known;
  return canUseApt() && (await aptInstallIdle('prometheus')) ? onPath() : null;
}

function onPath(): PrometheusInstall | null {
  const [prometheus, promtool] = [which('prometheus'), which('promtool')];
  return prometheus === null || promtool === null ? null : { prometheus, promtool };
}

/** Options of a private server. */
export interface PrometheusOptions {
  readonly config: string;
  /** Existing folder for its configuration and data. */
  readonly folder: string;
  readonly port: number;
  readonly logFile: string;
}

/** Writes the configuration and returns how to run the server on loopback. */
export function prometheusSpec(
  program: string,
  { config, folder, port, logFile }: PrometheusOptions,
): ProcessSpec {
  const configFile = join(folder, 'prometheus.yaml');
  writeFileSync(configFile, config);
  return {
    name: 'prometheus',
    command: program,
    args: [
      `--config.file=${configFile}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      '--storage.tsdb.retention.time=2d',
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    logFile,
    healthy: async () => (await fetch(`http://127.0.0.1:${port}/-/ready`)).ok,
    startTimeoutMs: 60_000,
    stopTimeoutMs: 10_000,
  };
}
