import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../launcher/paths.js';
import { say } from '../launcher/progress.js';
import { aptInstall, canUseApt, run, which } from '../launcher/run.js';
import { sdkServer } from './sdk-download.js';

const VERSION = '1.31.0';

/** How to get the time-skipping server. */
export const TEST_SERVER_HINT =
  'install Java 11+ and Maven, or set TEMPORAL_TEST_SERVER to the path of a temporal-test-server';

const PROJECT = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>parcelworks</groupId><artifactId>test-server</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>io.temporal</groupId><artifactId>temporal-test-server</artifactId><version>${VERSION}</version>
  </dependency></dependencies>
</project>
`;

/** Faster start: each test file uses its server for seconds only. */
function wrapper(java: string, jars: string): string {
  const flags = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto';
  return `#!/bin/sh
exec "${java}" ${flags} -cp "${jars}/*" io.temporal.testserver.TestServer "$@"
`;
}

async function fromMaven(script: string): Promise<string | null> {
  if ((which('java') === null || which('mvn') === null) && canUseApt()) {
    await aptInstall(['default-jre-headless', 'maven']);
  }
  const java = which('java');
  const maven = which('mvn');
  if (java === null || maven === null) return null;
  say('… getting the time-skipping Temporal server with Maven, once for this user');
  const folder = join(cacheFolder, `temporal-test-server-${VERSION}`);
  const jars = join(folder, 'lib');
  const fresh = join(folder, `fresh-${process.pid}`);
  mkdirSync(fresh, { recursive: true });
  writeFileSync(join(fresh, 'pom.xml'), PROJECT);
  const goals = ['-q', '-B', 'dependency:copy-dependencies', '-DincludeScope=runtime'];
  const done = await run(maven, [...goals, `-DoutputDirectory=${join(fresh, 'lib')}`], {
    cwd: fresh,
    timeoutMs: 300_000,
  });
  if (done.code === 0) {
    rmSync(jars, { recursive: true, force: true });
    renameSync(join(fresh, 'lib'), jars);
    writeFileSync(script, wrapper(java, jars));
    chmodSync(script, 0o755);
  } else say(`  Maven could not: ${done.output.trim().slice(-300)}`);
  rmSync(fresh, { recursive: true, force: true });
  return done.code === 0 ? script : null;
}

/**
 * Path of the time-skipping Temporal server (`<path> <port>`): `TEMPORAL_TEST_SERVER`, cache, SDK download,
 * Maven's artifact with Java; null when unavailable.
 */
export async function findTestServer(): Promise<string | null> {
  const named = process.env['TEMPORAL_TEST_SERVER'] ?? which('temporal-test-server');
  if (named !== null) return named;
  const script = join(cacheFolder, `temporal-test-server-${VERSION}`, 'temporal-test-server');
  if (existsSync(script) && which('java') !== null) return script;
  return (await sdkServer('test-server')) ?? (await fromMaven(script));
}
