import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { beginExport, completeExport, insertExport } from '../../src/db/queries/exports/exports.js';
import { which } from '../../tools/launcher/run.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import {
  creationBody,
  type HttpAccount,
  type HttpLicense,
  type HttpStack,
  startHttp,
} from '../support/http.js';
import { codeOf, cookieOf, invite, PASSWORD, secretOn } from '../support/panel.js';
import { patient } from '../support/patience.js';
import { anyPort } from '../support/processes.js';
import { ask, blockOf, open, PROXIES, type RunningProxy, startProxy } from '../support/proxies.js';
import { userToken } from '../support/v1.js';

/** Debian has all but Traefik, which its makers publish. A machine without one skips its tests. */
const PACKAGES = 'apt install nginx apache2 caddy haproxy';
const FAILURES = 3;

const cleanUps = new CleanUps();
let http: HttpStack;
let account: HttpAccount;
let license: HttpLicense;

test.before(async () => {
  http = await startHttp({
    config: { trustProxy: 1, authFailuresPerMinute: FAILURES, pageRateLimitPerMinute: 1000 },
  });
  account = await http.account();
  license = await http.license(account.id);
});
test.after.always(async () => {
  await cleanUps.end();
  await http?.close();
});

const asAccount = (headers: Record<string, string> = {}) => ({
  ...account.headers,
  'content-type': 'application/json',
  ...headers,
});

test('docker/Caddyfile: keeps secrets out of its logs as the Caddyfile of docs/operate.md does', (t) => {
  const filterIn = (text: string) => /log \{.*?\n\}/s.exec(text)?.[0].replaceAll(/\s+/g, ' ');

  const packed = filterIn(readFileSync('docker/Caddyfile', 'utf8'));

  t.truthy(packed);
  t.is(packed, filterIn(blockOf('/etc/caddy/Caddyfile')));
});

for (const [index, proxy] of PROXIES.entries()) {
  const isThere = which(proxy.program) !== null;
  const run = isThere ? test.serial : test.serial.skip;
  const title = isThere ? proxy.name : `${proxy.name}, which is not here (${PACKAGES})`;
  let running: RunningProxy;
  /** An address that no other test of refusals has. */
  const localAddress = `127.0.1.${index + 1}`;

  run(`${title}: starts from the text of docs/operate.md`, async (t) => {
    running = await startProxy(cleanUps, proxy, http.url);

    t.is((await ask(running, 'GET', '/health/ready')).status, 200);
  });

  run(`${title}: a caller counts by its own address, whatever it writes into X-Forwarded-For`, async (t) => {
    const remaining = async (localAddress: string, forged: string) => {
      const headers = { 'x-forwarded-for': forged };
      const answer = await ask(running, 'GET', '/track/0000000000', { headers, localAddress });
      return Number(answer.headers['x-ratelimit-remaining']);
    };

    const first = await remaining('127.0.0.2', '198.51.100.1');
    t.is(await remaining('127.0.0.2', '198.51.100.2'), first - 1);
    t.true((await remaining('127.0.0.3', '198.51.100.1')) > first - 1, 'another caller has its own count');
  });

  run(`${title}: 304 for what the caller has, compressed or not`, async (t) => {
    for (const path of ['/panel/assets/panel.css', '/api/v2/openapi.json', '/docs']) {
      for (const coding of ['gzip', 'identity']) {
        const headers = { 'accept-encoding': coding };
        const first = await ask(running, 'GET', path, { headers });
        const again = await ask(running, 'GET', path, {
          headers: { ...headers, 'if-none-match': String(first.headers.etag) },
        });

        t.is(first.status, 200);
        t.is(again.status, 304, `${path} in ${coding} has ${first.headers.etag}`);
      }
    }
  });

  run(`${title}: a page's stream comes as it is sent`, async (t) => {
    const { id } = await http.account();
    const { id: licenseId } = await http.license(id);
    const exportId = await insertExport(http.db, { accountId: id, licenseId, format: 'csv', filter: {} });
    await beginExport(http.db, { accountId: id, exportId });
    const cookie = await cookieOf(http, 'owner', id);
    const stream = await open(running, 'GET', `/panel/live/a/${id}/exports`, {
      headers: { cookie, 'hx-request': 'true', 'accept-encoding': 'gzip, deflate, br, zstd' },
    });
    t.teardown(() => stream.destroy());
    let text = '';
    stream.setEncoding('utf8').on('data', (data: string) => {
      text += data;
    });
    const signal = AbortSignal.timeout(patient(30_000));
    const until = async (pattern: RegExp) => {
      while (!pattern.test(text)) await once(stream, 'data', { signal });
    };

    await until(/^data: .*status processing/m);
    await completeExport(http.db, { accountId: id, exportId, rowCount: 1, filename: 'shipments.csv' });
    await until(/^data: .*status completed/m);

    t.is(stream.statusCode, 200);
    t.is([...text.matchAll(/^id: /gm)].length, 2);
  });

  run(`${title}: a batch of 6 MB arrives`, async (t) => {
    const note = 'a'.repeat(60_000);
    const shipments = Array.from({ length: 100 }, () => creationBody({ order: { note } }));
    const body = JSON.stringify({ shipments });

    const answer = await ask(running, 'POST', '/api/v2/batches', { headers: asAccount(), body });

    t.true(body.length > 6_000_000);
    t.is(answer.status, 202, answer.text.slice(0, 500));
  });

  run(`${title}: keys of 255 characters, and bodies that wait for 100 Continue`, async (t) => {
    const key = `${randomUUID()}"';~${'k'.repeat(255)}`.slice(0, 255);
    const body = JSON.stringify(creationBody());
    const create = async (sent: string) =>
      await ask(running, 'POST', '/api/v2/shipments', {
        headers: asAccount({ 'idempotency-key': sent, expect: '100-continue' }),
        body,
      });

    const statuses = [await create(key), await create(key), await create(`${key.slice(0, 254)}x`)];

    const [one, again, other] = http.created.slice(-3).map(({ creation }) => creation.idempotency.keyHash);
    t.deepEqual(
      statuses.map(({ status }) => status),
      [201, 201, 201],
      statuses[0]?.text,
    );
    t.is(again, one);
    t.not(other, one);
  });

  run(`${title}: a path keeps its %2F`, async (t) => {
    const order = `A/${randomUUID()} %`;
    await http.order(account.id, license, order);

    const answer = await ask(running, 'GET', `/api/v2/orders/${encodeURIComponent(order)}`, {
      headers: asAccount(),
    });

    t.is(answer.status, 200, answer.text);
    t.is(JSON.parse(answer.text).data.order_id, order);
  });

  run(`${title}: the panel's cookie is for its host and https alone`, async (t) => {
    const { path } = await invite(http, 'operator');
    const page = await ask(running, 'GET', path, { localAddress: `127.0.2.${index + 1}` });
    const secret = secretOn({ status: page.status, text: page.text, to: null, cookie: '' });
    const form = new URLSearchParams({ secret, password: PASSWORD, code: codeOf(secret) });

    const accepted = await ask(running, 'POST', path, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: http.config.baseUrl },
      body: form.toString(),
      localAddress: `127.0.2.${index + 1}`,
    });

    t.is(accepted.status, 200, accepted.text);
    t.regex(String(accepted.headers['set-cookie']), /^__Host-parcelworks=\S+; .*Secure/);
  });

  run(
    `${title}: logs have the path of /wp/app, and no query, header or path with a secret, whether the API is there or not`,
    async (t) => {
      const [token, path] = [await userToken(http, account.id), `/carriers/run/${randomUUID()}`];
      const away = await startProxy(cleanUps, proxy, `http://127.0.0.1:${await anyPort()}`);
      const page = `/wp/app?%20store=shop.example&token=${encodeURIComponent(token)}`;
      const headers = { referer: `https://shop.example${page}`, 'x-client-secret': token };
      const entered = await ask(running, 'GET', page, { headers });
      const secrets = [token.split('|')[1], path, entered.headers.location?.split('=')[1], 'shop.example'];

      await ask(running, 'POST', path, { body: '{}' });
      const failed = await ask(away, 'GET', page, { headers });
      await ask(away, 'POST', path, { body: '{}' });
      for (const one of [running, away]) await ask(one, 'GET', '/track/0000000000');

      t.is(entered.status, 303);
      t.true([502, 503].includes(failed.status), failed.text);
      t.is(secrets.filter((secret) => secret !== undefined).length, 4);
      for (const { log } of [running, away]) {
        const isWhole = () => /\/wp\/app[ "].*\/track\/0000000000/s.test(log());
        if (proxy.logsNone === undefined) await eventually(isWhole, 'the lines of both pages');
        for (const secret of secrets) t.false(log().includes(secret ?? ''), log());
      }
    },
  );

  const passesOn = proxy.looksFirst === undefined ? run : test.serial.skip;
  passesOn(
    `${title}: of two APIs one is replaced after the other, and every creation is answered`,
    async (t) => {
      const apis = [await door(t, http.url), await door(t, http.url)];
      const both = await startProxy(cleanUps, proxy, ...apis.map(({ url }) => url));
      const create = async () =>
        await ask(both, 'POST', '/api/v2/shipments', {
          headers: asAccount({ 'idempotency-key': randomUUID() }),
          body: JSON.stringify(creationBody()),
        });
      const statuses: number[] = [];
      for (const api of apis) {
        api.close();
        for (let count = 0; count < 4; count += 1) statuses.push((await create()).status);
        await api.open();
      }

      t.deepEqual(
        statuses,
        statuses.map(() => 201),
      );
    },
  );

  run(`${title}: who is refused learns when to come back`, async (t) => {
    let last = await ask(running, 'GET', '/api/v2/account', { localAddress });
    // A minute may begin in between.
    for (let count = 0; count < 3 * FAILURES && last.status === 401; count += 1) {
      last = await ask(running, 'GET', '/api/v2/account', { localAddress });
    }

    t.is(last.status, 429);
    t.regex(String(last.headers['retry-after']), /^\d+$/);
  });
}

/** An address that leads to the API, until it is closed as that of a process that ends: no proxy holds a connection then. */
async function door(t: ExecutionContext, to: string) {
  const port = await anyPort();
  const callers = new Set<Socket>();
  let server: Server | undefined;
  const close = () => {
    server?.close();
    // Apache would keep its side of one that is only ended.
    for (const caller of callers) caller.destroy();
  };
  const open = async () => {
    server = createServer((caller) => {
      const api = connect(Number(new URL(to).port), '127.0.0.1');
      for (const socket of [caller, api]) socket.on('error', () => undefined);
      callers.add(caller);
      caller.pipe(api).pipe(caller);
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  t.teardown(close);
  await open();
  return { url: `http://127.0.0.1:${port}`, open, close };
}
