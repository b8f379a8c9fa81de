import test from 'ava';
import { beginExport, completeExport, insertExport } from '../../../src/db/queries/exports/exports.js';
import type { Role } from '../../../src/domain/panel-roles.js';
import { LIMITS } from '../../../src/lib/limits/values.js';
import { type HttpStack, startHttp } from '../../support/http.js';
import { askPanel, cookieOf } from '../../support/panel.js';

const http = await startHttp();
test.after.always(() => http.close());

/** An account whose license has an export in progress. */
async function exporting(stack: HttpStack) {
  const { id: accountId } = await stack.account();
  const { id: licenseId } = await stack.license(accountId);
  const exportId = await insertExport(stack.db, { accountId, licenseId, format: 'csv', filter: {} });
  await beginExport(stack.db, { accountId, exportId });
  const end = () =>
    completeExport(stack.db, { accountId, exportId, rowCount: 4711, filename: 'shipments.csv' });
  return { accountId, end };
}

/** The stream of an account's page of exports as script asks for it. */
async function follow(stack: HttpStack, account: number, cookie: string, headers: object = {}) {
  const response = await fetch(`${stack.url}/panel/live/a/${account}/exports`, {
    redirect: 'manual',
    headers: { cookie, 'hx-request': 'true', 'hx-request-type': 'partial', ...headers },
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    response,
    /** The text so far, once it matches; all of it, where the stream has ended. */
    async until(pattern: RegExp): Promise<string> {
      while (!pattern.test(text)) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: '' };
        if (done) return text;
        text += value;
      }
      return text;
    },
    close: async () => await reader?.cancel(),
  };
}

const NEVER = /(?!)/;

async function signedIn(role: Role, account?: number): Promise<string> {
  return await cookieOf(http, role, account);
}

test('a page’s stream sends the part again when it has changed, and ends with the work', async (t) => {
  const { accountId, end } = await exporting(http);
  const cookie = await signedIn('owner', accountId);
  const page = await askPanel(`${http.url}/panel/a/${accountId}/exports`, { headers: { cookie } });
  t.true(page.text.includes(`hx-sse:connect="/panel/live/a/${accountId}/exports"`));

  const stream = await follow(http, accountId, cookie);
  t.is(stream.response.status, 200);
  t.regex(stream.response.headers.get('content-type') ?? '', /^text\/event-stream/);
  t.is(stream.response.headers.get('cache-control'), 'no-store, no-transform');
  t.is(
    stream.response.headers.get('content-encoding'),
    'identity',
    'what has no coding, some proxies compress',
  );
  t.regex(await stream.until(/\n\n/), /^id: \S+\n(data: .*\n)*data: .*status processing/m);
  await end();
  const all = await stream.until(NEVER);

  t.regex(all, /status completed/);
  t.regex(all, /4711/);
  t.true(all.endsWith('event: end\ndata:\n\n'));
  t.is([...all.matchAll(/^id: /gm)].length, 2);
});

test('a stream that is opened again does not repeat what the page has', async (t) => {
  const { accountId, end } = await exporting(http);
  const cookie = await signedIn('owner', accountId);
  const first = await follow(http, accountId, cookie);
  const [, id = ''] = /id: (\S+)/.exec(await first.until(/\n\n/)) ?? [];
  await first.close();

  const again = await follow(http, accountId, cookie, { 'last-event-id': id });

  t.is(await again.until(/\n\n/), ':\n\n');
  await end();
  t.regex(await again.until(NEVER), /status completed/);
});

test('a stream ends with its session, and the page learns why when it asks again', async (t) => {
  const { accountId } = await exporting(http);
  const cookie = await signedIn('owner', accountId);
  const stream = await follow(http, accountId, cookie);
  await stream.until(/\n\n/);

  await askPanel(`${http.url}/panel/sign-out`, { form: {}, headers: { cookie } });

  t.notRegex(await stream.until(NEVER), /event: end/);
  t.is((await follow(http, accountId, cookie)).response.status, 401);
  t.is((await follow(http, accountId, cookie, { 'last-event-id': 'x' })).response.status, 401);
});

test('a stream needs the right to its page', async (t) => {
  const { accountId } = await exporting(http);
  const other = await exporting(http);
  const statusOf = async (role: Role) => {
    const { response, close } = await follow(http, accountId, await signedIn(role, other.accountId));
    await close();
    return response.status;
  };
  t.is(await statusOf('owner'), 404, 'of another account');
  const { response } = await follow(http, other.accountId, await signedIn('staff', other.accountId));
  t.is(response.status, 404, 'without the right');
  const headers = { cookie: await signedIn('owner', accountId) };
  t.is((await askPanel(`${http.url}/panel/live/a/${accountId}/shipments`, { headers })).status, 404);
});

test('a page without a place asks again and again, and one that had a place comes back later', async (t) => {
  const { accountId } = await exporting(http);
  const cookie = await signedIn('owner', accountId);
  const taken = await Promise.all(
    Array.from({ length: LIMITS.panel.streamsOfUser }, () => follow(http, accountId, cookie)),
  );
  await Promise.all(taken.map((stream) => stream.until(/\n\n/)));

  const { response, until } = await follow(http, accountId, cookie);
  t.regex(response.headers.get('content-type') ?? '', /^text\/html/);
  t.is(response.headers.get('hx-reswap'), 'outerMorph');
  t.regex(
    await until(NEVER),
    /^<div id="exports" hx-get="\/panel\/a\/\d+\/exports" hx-trigger="every 3s, again"/,
  );
  t.is((await follow(http, accountId, cookie, { 'last-event-id': 'x' })).response.status, 503);
  const other = await follow(http, accountId, await signedIn('owner', accountId));
  t.regex(other.response.headers.get('content-type') ?? '', /^text\/event-stream/);

  await Promise.all([...taken, other].map(({ close }) => close()));
});

test('a stream takes no place from other requests, and ends at once with the process', async (t) => {
  const draining = new AbortController();
  const config = { maxOpenRequests: 1, maxWorkingRequests: 1 };
  const stack = await startHttp({ config, app: () => ({ draining: draining.signal }) });
  try {
    const { accountId } = await exporting(stack);
    const cookie = await cookieOf(stack, 'owner', accountId);
    const stream = await follow(stack, accountId, cookie);
    await stream.until(/\n\n/);
    t.is((await askPanel(`${stack.url}/panel/profile`, { headers: { cookie } })).status, 200);

    draining.abort();

    t.notRegex(await stream.until(NEVER), /event: end/);
    t.is((await follow(stack, accountId, cookie, { 'last-event-id': 'x' })).response.status, 503);
  } finally {
    await stack.close();
  }
});
