import { run, runOrFail } from '../launcher/run.js';

/** How far the dependencies were looked at for known weaknesses. */
export type Audit =
  | { kind: 'clean' | 'weak'; text: string }
  /** Registries without the endpoint, such as mirrors, and no network. */
  | { kind: 'skipped'; text: string };

/**
 * Asks the registry for known weaknesses of what is shipped. npm ends alike with a finding and without an answer, so only
 * its report tells them apart.
 */
export async function auditDependencies(folder: string, npm = 'npm'): Promise<Audit> {
  const args = ['audit', '--json', '--omit', 'dev', '--package-lock-only'];
  const { output } = await run(npm, args, { cwd: folder, timeoutMs: 120_000 });
  const report = reportIn(output);
  if (report === null) return { kind: 'skipped', text: 'npm gave no report' };
  if (!('auditReportVersion' in report)) return { kind: 'skipped', text: reasonOf(report) };
  const { high = 0, critical = 0, total = 0 } = countsOf(report);
  const text = `${total} known weaknesses, ${high + critical} of them high or critical`;
  return { kind: high + critical === 0 ? 'clean' : 'weak', text };
}

/** The JSON of npm, which may have warnings before it. */
function reportIn(output: string): object | null {
  try {
    const report: unknown = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1));
    return typeof report === 'object' ? report : null;
  } catch {
    return null;
  }
}

/** npm's words up to the address that it asked. */
function reasonOf(report: object): string {
  const words = 'message' in report ? String(report.message) : 'nothing that can be read';
  return `the registry answered: ${words.split(' - ')[0] ?? words}`;
}

function countsOf(report: object): Record<string, number> {
  const metadata = memberOf(report, 'metadata');
  const counts = memberOf(metadata, 'vulnerabilities');
  return Object.fromEntries(Object.entries(counts ?? {}).map(([name, count]) => [name, Number(count)]));
}

function memberOf(from: object | null, name: string): object | null {
  const value = valueOf(from, name);
  return typeof value === 'object' ? value : null;
}

/** npm's mark on what only development needs. */
const DEVELOPMENT = '"cdx:npm:package:development"';

/**
 * The parts of a release as CycloneDX JSON: what is shipped, from the lock file. npm's own `--omit dev` leaves out what
 * development needs too, such as Temporal's SDK. Without the addresses that the packages came from, which say where it
 * was built and nothing about them; npm names the root after its folder.
 */
export async function billOfMaterials(folder: string, name: string): Promise<string> {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const output = await runOrFail('npm sbom', 'npm', args, { cwd: folder });
  const left = new Set<unknown>();
  const refOf = (part: unknown) => valueOf(part, 'bom-ref');
  // The parts come before what they depend on.
  const bill: unknown = JSON.parse(output.slice(output.indexOf('{')), (key, value: unknown) => {
    switch (key) {
      case 'component':
        return typeof value === 'object' ? { ...value, name } : value;
      case 'externalReferences':
        return listOf(value).filter((one) => valueOf(one, 'type') !== 'distribution');
      case 'components':
        for (const part of listOf(value)) if (isOfDevelopment(part)) left.add(refOf(part));
        return listOf(value).filter((part) => !left.has(refOf(part)));
      case 'dependsOn':
        return listOf(value).filter((ref) => !left.has(ref));
      case 'dependencies':
        return listOf(value).filter((one) => !left.has(valueOf(one, 'ref')));
      default:
        return value;
    }
  });
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function isOfDevelopment(part: unknown): boolean {
  return JSON.stringify(part).includes(DEVELOPMENT);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function valueOf(from: unknown, name: string): unknown {
  if (typeof from !== 'object' || from === null) return undefined;
  return Object.entries(from).find(([key]) => key === name)?.[1];
}
