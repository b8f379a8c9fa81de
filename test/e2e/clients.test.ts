import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { buildOpenApi } from '../../src/api/openapi.js';
import { v2Routes } from '../../src/api/v2/routes.js';
import { SENT_EVENTS } from '../../src/api/v2/webhooks/events.js';
import { run, which } from '../../tools/launcher/run.js';
import { patient } from '../support/patience.js';

const VERSION = /^OPENAPI_GENERATOR=(.+)$/m;
const GENERATING_MS = 120_000;
const NO_REGISTRY = /npm error (?:code E(?:NOTFOUND|CONNREFUSED|AI_AGAIN|TIMEDOUT|CONNRESET)|network)/;
const repository = join(homedir(), '.m2/repository');

const versions = await readFile('test/clients/versions.sh', 'utf8');
const version = VERSION.exec(versions)?.[1] ?? '';
const jar = join(
  repository,
  `org/openapitools/openapi-generator-cli/${version}/openapi-generator-cli-${version}.jar`,
);

interface Language {
  readonly name: string;
  /** Compiles a client in its folder, without the network. */
  readonly compile: readonly [string, ...string[]];
  /** Libraries that the program is compiled with. */
  readonly libraries: readonly string[];
  /** A method of the class of each of these is in this file. */
  readonly webhooks: string;
  readonly shipData: string;
}

const LANGUAGES: readonly Language[] = [
  {
    name: 'go',
    compile: ['go', 'vet', '-mod=mod', '.'],
    libraries: [join(homedir(), 'go/pkg/mod/gopkg.in/validator.v2@v2.0.1')],
    webhooks: 'api_webhooks.go',
    shipData: 'model_ship_data.go',
  },
  {
    name: 'java',
    compile: ['mvn', '-o', '-q', '-B', '-DskipTests', 'compile'],
    libraries: [
      join(repository, 'com/squareup/okhttp3/okhttp/4.12.0'),
      join(repository, 'org/apache/maven/plugins/maven-compiler-plugin'),
    ],
    webhooks: 'src/main/java/org/openapitools/client/api/WebhooksApi.java',
    shipData: 'src/main/java/org/openapitools/client/model/ShipData.java',
  },
  {
    name: 'python',
    // The generator writes no types for what is sent to a client, in a file that nothing imports.
    compile: ['python3', '-m', 'compileall', '-q', '-x', 'webhook_events_api', 'openapi_client'],
    libraries: [],
    webhooks: 'openapi_client/api/webhooks_api.py',
    shipData: 'openapi_client/models/ship_data.py',
  },
];

/** Why a language is not tried on this machine; undefined where it is. */
function missing({ compile: [program], libraries }: Language): string | undefined {
  if (which('java') === null) return 'there is no Java';
  if (!existsSync(jar)) return `openapi-generator-cli ${version} is not in ~/.m2 (npm run clients brings it)`;
  if (which(program) === null) return `there is no ${program}`;
  const absent = libraries.find((path) => !existsSync(path));
  return absent === undefined ? undefined : `there is no ${absent}`;
}

for (const language of LANGUAGES) {
  const why = missing(language);
  const tried = why === undefined ? test.serial : test.serial.skip;
  const title = `openapi-generator ${language.name}: makes a client that compiles and has every field and operation`;

  tried(why === undefined ? title : `${title} (${why})`, async (t) => {
    t.timeout(patient(2 * GENERATING_MS));
    const folder = await mkdtemp(join(tmpdir(), 'parcelworks-client-'));
    t.teardown(() => rm(folder, { recursive: true, force: true }));
    const document = buildOpenApi(v2Routes, SENT_EVENTS, '1.0.0');
    const input = join(folder, 'v2.json');
    const output = join(folder, 'client');
    await writeFile(input, JSON.stringify(document));

    const generated = await run(
      'java',
      ['-jar', jar, 'generate', '-i', input, '-g', language.name, '-o', output],
      {
        timeoutMs: GENERATING_MS,
      },
    );
    const [program, ...args] = language.compile;
    const env = { GOPROXY: 'off', GOFLAGS: '' };
    const compiled = await run(program, args, { cwd: output, env, timeoutMs: GENERATING_MS });

    t.is(generated.code, 0, generated.output.slice(-2000));
    t.is(compiled.code, 0, compiled.output.slice(-2000));
    const shipData = await readFile(join(output, language.shipData), 'utf8');
    for (const field of ['contact_name', 'street', 'number', 'pickup', 'cod_amount']) {
      t.true(shipData.includes(field), field);
    }
    const webhooks = await readFile(join(output, language.webhooks), 'utf8');
    for (const operation of ['create_?webhook', 'list_?webhooks', 'delete_?webhook']) {
      t.regex(webhooks, new RegExp(operation, 'i'));
    }
  });
}

/** Those that npm brings, so that every machine with a registry tries two. */
const OF_NPM = ['hey-api', 'openapi-typescript'];

test.serial(
  'hey-api, openapi-typescript: clients of both documents are made without a warning, and compile',
  async (t) => {
    t.timeout(patient(3 * GENERATING_MS));

    const env = { CLIENTS_ALONE: '1' };
    const { code, output } = await run('sh', ['test/clients/run.sh', ...OF_NPM], {
      env,
      timeoutMs: 3 * GENERATING_MS,
    });

    if (code !== 0 && NO_REGISTRY.test(output)) {
      t.log('the registry of npm cannot be reached');
      t.true(process.env.CI === undefined, output.slice(-2000));
      return;
    }
    t.is(code, 0, output.slice(-4000));
    for (const generator of OF_NPM) {
      for (const api of ['v1', 'v2'])
        t.true(output.includes(`${generator} ${api}: made and compiled`), output);
    }
  },
);
