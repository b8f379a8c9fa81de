import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { findPostgres, listens, postgresSpec } from '../../tools/engines/postgres.js';
import { findTemporalServer, type TemporalServer } from '../../tools/engines/temporal-server.js';
import { runOrFail } from '../../tools/launcher/run.js';
import type { Owner } from './clean-ups.js';
import { eventually } from './conditions.js';
import { type EngineTokens, makeEngineTokens } from './engine-tokens.js';
import { anyPort, TestProcess, temporaryFolder } from './processes.js';
import { type CertificateFiles, makeCertificates } from './tls.js';

/** Each service with its port for calls and the one by which the processes find each other. */
const SERVICES = {
  history: 7234,
  matching: 7235,
  frontend: 7233,
  // For the server's own workers, which have no key to show.
  'internal-frontend': 7236,
  worker: 7239,
} as const;
const SERVER_NAME = 'temporal.cluster.test';
const SCHEMAS = { temporal: 'temporal', temporal_visibility: 'visibility' };
const START_MS = 120_000;

/** A host of the cluster: an address of loopback on which each service has a process. */
export interface TemporalHost {
  address: string;
  frontendPort: number;
  services: readonly TestProcess[];
}

/** Services of the production server on two hosts, over PostgreSQL. */
export interface TemporalCluster {
  hosts: readonly [TemporalHost, TemporalHost];
  postgres: TestProcess;
  /** Bytes of its databases; `packed`: of what they hold, without the room that deleted rows leave until it is used again. */
  storedBytes(packed: 'packed' | 'as it is'): Promise<number>;
  /** Settings by which processes of ours are let in, beside the address. */
  env: Record<string, string>;
  tokenFor: EngineTokens['tokenFor'];
}

interface Setting {
  programs: TemporalServer;
  folder: string;
  databasePort: number;
  files: CertificateFiles;
  keySource: string;
}

/**
 * Starts it with mutual TLS between its processes and to its clients, who show a key too. `settings`: dynamic configuration.
 */
export async function startTemporalCluster(
  owner: Owner,
  settings: readonly string[],
): Promise<TemporalCluster> {
  const [programs, bin] = await Promise.all([findTemporalServer(), findPostgres()]);
  const [folder, databasePort] = [temporaryFolder(owner), await anyPort()];
  const files = await makeCertificates(owner, SERVER_NAME);
  const store = { folder: temporaryFolder(owner), port: databasePort };
  const postgres = await new TestProcess(owner, await postgresSpec(bin, store)).start();
  await writeSchemas(programs, databasePort);
  writeFileSync(join(folder, 'dynamic.yaml'), settings.map(asYaml).join(''));
  const { keySource, tokenFor } = makeEngineTokens(owner);
  const setting = { programs, folder, databasePort, files, keySource };
  // Each run on the machine has a network of loopback.
  const network = `127.${randomInt(10, 250)}.${randomInt(250)}`;
  const first = hostOf(owner, `${network}.2`, setting);
  const second = hostOf(owner, `${network}.3`, setting);
  // Of several that write the first row of the cluster, one would give up.
  await first.services[0]?.start();
  const others = [...first.services.slice(1), ...second.services];
  await Promise.all(others.map((service) => service.start()));
  const env = {
    TEMPORAL_TLS_SERVER_NAME: SERVER_NAME,
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: files.ca,
    TEMPORAL_TLS_CLIENT_CERT_PATH: files.cert,
    TEMPORAL_TLS_CLIENT_KEY_PATH: files.key,
    TEMPORAL_API_KEY: tokenFor(['temporal-system:admin']),
  };
  for (const host of [first, second])
    await eventually(() => answers(host, files, env.TEMPORAL_API_KEY), 'the cluster to answer', START_MS);
  return {
    hosts: [first, second],
    postgres,
    env,
    tokenFor,
    storedBytes: (packed) => databaseBytes({ bin, port: databasePort }, packed),
  };
}

async function writeSchemas({ sql }: TemporalServer, port: number): Promise<void> {
  for (const [database, schema] of Object.entries(SCHEMAS)) {
    const at = ['--plugin', 'postgres12', '--ep', '127.0.0.1', '-p', String(port), '-u', 'postgres'];
    const write = (...args: string[]) =>
      runOrFail('writing the schema', sql, [...at, '--db', database, ...args]);
    await write('create');
    await write('setup-schema', '-v', '0.0');
    await write('update-schema', '--schema-name', `postgresql/v12/${schema}`);
  }
}

async function databaseBytes(
  { bin, port }: { bin: string; port: number },
  packed: 'packed' | 'as it is',
): Promise<number> {
  let bytes = 0;
  for (const database of Object.keys(SCHEMAS)) {
    const at = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-d', database];
    const ask = (sql: string) => runOrFail('asking PostgreSQL', join(bin, 'psql'), [...at, '-Atc', sql]);
    if (packed === 'packed') await ask('VACUUM FULL');
    bytes += Number(await ask('SELECT pg_database_size(current_database())'));
  }
  return bytes;
}

/** `name=value` as the server reads it. */
function asYaml(setting: string): string {
  const [name, value] = setting.split('=');
  return `${name}:\n  - value: ${value}\n`;
}

function hostOf(owner: Owner, address: string, setting: Setting): TemporalHost {
  const { programs, folder } = setting;
  const env = environmentOf(address, setting);
  const services = Object.entries(SERVICES).map(
    ([service, port]) =>
      new TestProcess(owner, {
        name: `${service} at ${address}`,
        command: programs.server,
        args: ['start', '--service', service],
        env,
        logFile: join(folder, `${service}-${address}.log`),
        healthy: () => listens(address, port),
        startTimeoutMs: START_MS,
        stopTimeoutMs: 20_000,
      }),
  );
  return { address, frontendPort: SERVICES.frontend, services };
}

/** The variables that the server's own configuration reads. */
function environmentOf(
  address: string,
  { folder, databasePort, files, keySource }: Setting,
): Record<string, string> {
  const { ca, cert, key } = files;
  return {
    DB: 'postgres12',
    POSTGRES_SEEDS: '127.0.0.1',
    DB_PORT: String(databasePort),
    POSTGRES_USER: 'postgres',
    NUM_HISTORY_SHARDS: '512',
    BIND_ON_IP: address,
    TEMPORAL_BROADCAST_ADDRESS: address,
    USE_INTERNAL_FRONTEND: 'true',
    TEMPORAL_AUTH_AUTHORIZER: 'default',
    TEMPORAL_AUTH_CLAIM_MAPPER: 'default',
    TEMPORAL_JWT_KEY_SOURCE1: keySource,
    // Each host would write its own into the cluster's row, and hosts that start together would refuse each other's.
    CLUSTER_RPC_ADDRESS: `cluster:${SERVICES.frontend}`,
    CLUSTER_HTTP_ADDRESS: 'cluster:7243',
    DYNAMIC_CONFIG_FILE_PATH: join(folder, 'dynamic.yaml'),
    LOG_LEVEL: 'warn',
    TEMPORAL_TLS_REQUIRE_CLIENT_AUTH: 'true',
    TEMPORAL_TLS_SERVER_CERT: cert,
    TEMPORAL_TLS_SERVER_KEY: key,
    TEMPORAL_TLS_SERVER_CA_CERT: ca,
    TEMPORAL_TLS_INTERNODE_SERVER_NAME: SERVER_NAME,
    TEMPORAL_TLS_FRONTEND_CERT: cert,
    TEMPORAL_TLS_FRONTEND_KEY: key,
    TEMPORAL_TLS_FRONTEND_SERVER_NAME: SERVER_NAME,
    TEMPORAL_TLS_CLIENT1_CA_CERT: ca,
    TEMPORAL_TLS_CLIENT2_CA_CERT: ca,
  };
}

/** Whether a client is let in. */
async function answers(host: TemporalHost, { ca, cert, key }: CertificateFiles, apiKey: string) {
  const tls = {
    serverNameOverride: SERVER_NAME,
    serverRootCACertificate: readFileSync(ca),
    clientCertPair: { crt: readFileSync(cert), key: readFileSync(key) },
  };
  const settings = { address: addressOf(host), tls, apiKey, connectTimeout: 3000 };
  const connection = await Connection.connect(settings).catch(() => null);
  const found = await connection?.workflowService.listNamespaces({}).catch(() => null);
  await connection?.close();
  return found !== null && found !== undefined;
}

/** The address of a host's frontend. */
export function addressOf({ address, frontendPort }: TemporalHost): string {
  return `${address}:${frontendPort}`;
}
