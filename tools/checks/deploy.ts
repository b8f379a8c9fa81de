import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../launcher/paths.js';
import { runMain, say } from '../launcher/progress.js';
import { type RunOptions, run, which } from '../launcher/run.js';
import {
  type Found,
  findCompose,
  findHadolint,
  findHelm,
  findKubeconform,
  findSchemas,
  KUBERNETES,
} from './deploy-tools.js';

/** Kinds without a schema in Kubernetes itself. */
const FOREIGN_KINDS = 'ScaledObject,ServiceMonitor';
/** Settings that docker/.env.example leaves to its reader. */
const EXAMPLE = { BASE_URL: 'https://shipping.example.com', MAIL_FROM: 'Parcelworks <parcels@example.com>' };
const CHART = join(projectFolder, 'chart');

/** Runs a tool on our files; what it says is printed where it fails. Returns whether it passed, or was not there. */
async function passes(
  what: string,
  tool: Found,
  args: readonly string[],
  options: RunOptions = {},
): Promise<boolean> {
  if ('missing' in tool) {
    say(`skipped ${what}: ${tool.missing}`);
    return true;
  }
  const { code, output } = await run(tool.path, args, { cwd: projectFolder, ...options });
  if (code !== 0) say(`${what}:\n${output.trim()}`);
  return code === 0;
}

async function checkDockerfile(): Promise<boolean> {
  return await passes('hadolint', await findHadolint(), ['docker/Dockerfile']);
}

async function checkCompose(): Promise<boolean> {
  const args = ['-f', 'docker/compose.yaml', '--env-file', 'docker/.env.example', '--profile', '*'];
  const what = [...args, 'config', '--quiet'];
  return await passes('docker compose config', await findCompose(), what, { env: EXAMPLE });
}

async function checkCaddyfile(): Promise<boolean> {
  const caddy = which('caddy');
  const args = ['validate', '--adapter', 'caddyfile', '--config', 'docker/Caddyfile'];
  const tool = caddy === null ? { missing: 'caddy is not on PATH' } : { path: caddy };
  return await passes('caddy validate', tool, args, { env: { BASE_URL: EXAMPLE.BASE_URL } });
}

async function checkChart(): Promise<boolean> {
  const helm = findHelm();
  if ('missing' in helm) return await passes('helm lint, helm template and kubeconform', helm, []);
  const [kubeconform, schemas] = await Promise.all([findKubeconform(), findSchemas()]);
  const sets = readdirSync(join(CHART, 'ci')).map((file) => join(CHART, 'ci', file));
  const results = await Promise.all(
    sets.map((values) => checkValues(values, { helm, kubeconform, schemas })),
  );
  return results.every(Boolean);
}

async function checkValues(
  values: string,
  { helm, kubeconform, schemas }: { helm: { path: string }; kubeconform: Found; schemas: Found },
): Promise<boolean> {
  if (!(await passes('helm lint', helm, ['lint', '--strict', CHART, '--values', values]))) return false;
  const args = ['template', 'parcelworks', CHART, '--values', values, '--kube-version', KUBERNETES];
  const { code, output } = await run(helm.path, args);
  if (code !== 0) {
    say(`helm template ${values}:\n${output}`);
    return false;
  }
  if ('missing' in schemas) return await passes('kubeconform', schemas, []);
  const location = join(schemas.path, '{{.ResourceKind}}{{.KindSuffix}}.json');
  const options = ['-strict', '-kubernetes-version', KUBERNETES, '-skip', FOREIGN_KINDS];
  return await passes('kubeconform', kubeconform, [...options, '-schema-location', location, '-'], {
    input: output,
  });
}

runMain(async () => {
  const passed = await Promise.all([checkDockerfile(), checkCompose(), checkCaddyfile(), checkChart()]);
  return passed.every(Boolean) ? 0 : 1;
});
