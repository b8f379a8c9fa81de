import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { which } from '../../tools/launcher/run.js';
import type { Owner } from './clean-ups.js';
import { docPages } from './doc-pages.js';
import { patient } from './patience.js';
import { anyPort, TestProcess, temporaryFolder } from './processes.js';
import { makeCertificates } from './tls.js';

/** Where a proxy of a test lies. */
interface Place {
  folder: string;
  port: number;
}

/** A proxy that `docs/operate.md` has a configuration for. */
export interface Proxy {
  name: string;
  program: string;
  /** Paths of its files, as the first line of their blocks names them. */
  files: readonly string[];
  /** The package's surroundings of the files, which are `written` here; the arguments that start it in front. */
  start(written: readonly string[], place: Place): string[];
  /** It cannot log a path without its query, so it logs none. */
  logsNone?: true;
  /** It cannot send a body a second time: it leads to an API that its last look found ready. */
  looksFirst?: true;
}

const NGINX: Proxy = {
  name: 'nginx',
  program: 'nginx',
  files: ['/etc/nginx/conf.d/parcelworks.conf'],
  start([site = ''], { folder }) {
    const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const config = join(folder, 'nginx.conf');
    writeFileSync(
      config,
      `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log ${folder}/access.log;
  gzip on;
  ${kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n  ')}
  include ${site};
}
`,
    );
    return ['-p', folder, '-e', join(folder, 'error.log'), '-c', config];
  },
};

const APACHE_MODULES =
  'mpm_event authz_core setenvif filter deflate reqtimeout ssl headers proxy proxy_http proxy_balancer lbmethod_byrequests slotmem_shm'.split(
    ' ',
  );

const APACHE: Proxy = {
  name: 'Apache',
  program: 'apache2',
  files: ['/etc/apache2/sites-available/parcelworks.conf'],
  start([site = ''], { folder, port }) {
    const config = join(folder, 'apache2.conf');
    writeFileSync(
      config,
      `ServerRoot ${folder}
ServerName localhost
PidFile ${folder}/apache2.pid
DefaultRuntimeDir ${folder}
Mutex file:${folder} default
ErrorLog ${folder}/error.log
Listen 127.0.0.1:${port}
${APACHE_MODULES.map((one) => `LoadModule ${one}_module /usr/lib/apache2/modules/mod_${one}.so`).join('\n')}
RequestReadTimeout header=20-40,minrate=500
RequestReadTimeout body=10,minrate=500
AddOutputFilterByType DEFLATE text/html text/plain text/css text/javascript application/json
Include ${site}
`,
    );
    return ['-f', config, '-X'];
  },
};

const CADDY: Proxy = {
  name: 'Caddy',
  program: 'caddy',
  files: ['/etc/caddy/Caddyfile'],
  start([site = ''], { folder, port }) {
    const config = join(folder, 'Caddyfile');
    // It gets its certificate where it has a public name.
    const options = `{\n  admin off\n  auto_https disable_redirects\n  storage file_system ${folder}\n`;
    const tls = `https://localhost:${port} {\n  bind 127.0.0.1\n  tls ${folder}/shipping.pem ${folder}/shipping.key`;
    const text = readFileSync(site, 'utf8').replace('localhost {', tls).replace('{\n', options);
    writeFileSync(config, text);
    return ['run', '--adapter', 'caddyfile', '--config', config];
  },
  looksFirst: true,
};

const HAPROXY: Proxy = {
  name: 'HAProxy',
  program: 'haproxy',
  files: ['/etc/haproxy/haproxy.cfg'],
  start([file = ''], { folder }) {
    const config = join(folder, 'haproxy-global.cfg');
    writeFileSync(config, 'global\n  log stderr format raw local0\n  maxconn 100\n');
    return ['-db', '-f', config, '-f', file];
  },
};

const TRAEFIK: Proxy = {
  name: 'Traefik',
  program: 'traefik',
  files: ['/etc/traefik/traefik.yaml', '/etc/traefik/parcelworks.yaml'],
  start: ([file = '']) => [`--configFile=${file}`],
  logsNone: true,
};

export const PROXIES: readonly Proxy[] = [NGINX, APACHE, CADDY, HAPROXY, TRAEFIK];

/** A running proxy in front of an API. */
export interface RunningProxy {
  port: number;
  /** Everything that it has written into its folder, logs included. */
  log(): string;
}

/** Starts a proxy on a free port of loopback, from the text of `docs/operate.md` alone, with a line for each API. */
export async function startProxy(owner: Owner, proxy: Proxy, ...apiUrls: string[]): Promise<RunningProxy> {
  const folder = temporaryFolder(owner);
  const port = await anyPort();
  const { cert, key } = await makeCertificates(owner, 'localhost');
  writeFileSync(join(folder, 'shipping.key'), readFileSync(key));
  writeFileSync(join(folder, 'shipping.pem'), `${readFileSync(cert, 'utf8')}\n${readFileSync(key, 'utf8')}`);
  const written = proxy.files.map((path, index) => join(folder, `${index}-${path.split('/').at(-1)}`));
  for (const [index, file] of written.entries()) {
    const text = proxy.files.reduce(
      (all, path, at) => all.replaceAll(path, written[at] ?? ''),
      blockOf(proxy.files[index] ?? ''),
    );
    writeFileSync(
      file,
      moved(
        text,
        { folder, port },
        apiUrls.map((url) => new URL(url).host),
      ),
    );
  }
  const logFile = join(folder, 'output.log');
  const running = new TestProcess(owner, {
    name: proxy.name,
    command: which(proxy.program) ?? proxy.program,
    args: proxy.start(written, { folder, port }),
    env: { HOME: folder },
    logFile,
    // Traefik listens before it has read its routes.
    healthy: async () => (await ask({ port, log: () => '' }, 'GET', '/health/live')).status !== 404,
    startTimeoutMs: patient(30_000),
    stopTimeoutMs: 10_000,
  });
  owner.teardown(() => running.stop());
  await running.start();
  const logs = () => readdirSync(folder).filter((name) => name.endsWith('.log'));
  const log = () => logs().map((name) => readFileSync(join(folder, name), 'utf8'));
  return { port, log: () => log().join('\n') };
}

/** The block of a file in the page. */
export function blockOf(path: string): string {
  const page = docPages().find((one) => one.path === 'docs/operate.md');
  const block = page?.blocks.find(({ text }) => text.startsWith(`# ${path}\n`));
  if (block === undefined) throw new Error(`docs/operate.md shows no ${path}`);
  return block.text;
}

/** The configuration at another place: its host, ports, certificate and logs. */
function moved(text: string, { folder, port }: Place, apis: readonly string[]): string {
  const lineOfEach = (line: string) =>
    // HAProxy's servers have names.
    apis
      .map((api, index) => line.replace('127.0.0.1:3000', api).replace(' api ', ` api${index} `))
      .join('\n');
  return text
    .replaceAll(/^.*127\.0\.0\.1:3000.*$/gm, lineOfEach)
    .replaceAll('shipping.example.com', 'localhost')
    .replaceAll('/etc/ssl/', `${folder}/`)
    .replaceAll(/\/var\/log\/\w+\//g, `${folder}/`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace('*:443', `127.0.0.1:${port}`)
    .replace('bind :443', `bind 127.0.0.1:${port}`)
    .replace('address: :443', `address: 127.0.0.1:${port}`);
}

export interface ProxyAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

interface Asked extends Pick<RequestOptions, 'localAddress'> {
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Asks through a proxy; with `Expect` it sends the body once it is wanted. */
export async function ask(
  proxy: RunningProxy,
  method: string,
  path: string,
  asked: Asked = {},
): Promise<ProxyAnswer> {
  const response = await open(proxy, method, path, asked);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: Buffer.concat(chunks).toString('utf8'),
  };
}

/** The answer as it comes. */
export function open(
  { port }: RunningProxy,
  method: string,
  path: string,
  { headers = {}, body, localAddress = '127.0.0.1' }: Asked = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const req = request({
      host: 'localhost',
      family: 4,
      port,
      path,
      method,
      localAddress,
      agent: false,
      rejectUnauthorized: false,
      headers: { ...length, ...headers },
    });
    req.once('response', resolve);
    req.once('error', reject);
    if (headers.expect === undefined) req.end(body);
    else {
      req.once('continue', () => req.end(body));
      req.flushHeaders();
    }
  });
}
