import test from 'ava';
import { ERROR_HELP } from '../../../src/api/error-help.js';
import { CANCELLED_ITEM } from '../../../src/domain/batch.js';
import { ERROR_STATUS } from '../../../src/domain/errors.js';
import { REFUSAL_CODES } from '../../../src/domain/events.js';
import { readLibrary } from '../../../tools/docs/library.js';
import { type HttpStack, startHttp } from '../../support/http.js';
import { send } from '../../support/http-send.js';

const OFTEN = { pageRateLimitPerMinute: 100_000, docs: 'all' } as const;
const GUIDES = readLibrary('all').sections.flatMap(({ guides }) => guides.map(({ path }) => path));
const ERRORS = Object.keys(ERROR_HELP).map((code) => `/docs/errors/${code}`);
const FRAMED = ['/docs/webhooks', '/docs/errors', ...ERRORS, ...GUIDES];
let http: HttpStack;

test.before(async () => {
  http = await startHttp({ config: OFTEN });
});
test.after.always(() => http?.close());

const get = (path: string, accept = '*/*') => send(`${http.url}${path}`, 'GET', { headers: { accept } });

test('errors: every code that callers meet has a page with what it means and whether it may be repeated', async (t) => {
  const codes = [...Object.keys(ERROR_STATUS), ...REFUSAL_CODES, CANCELLED_ITEM.code];

  for (const code of new Set(codes)) {
    const { status, text } = await get(`/docs/errors/${code}`);

    t.is(status, 200, code);
    t.regex(text, new RegExp(`<h1 id="${code}">${code}</h1>`), code);
    t.true(text.includes('May a program repeat it?') && text.includes('What to do'), code);
  }
  const list = await get('/docs/errors');
  for (const code of new Set(codes)) t.true(list.text.includes(`href="/docs/errors/${code}"`), code);
});

test('errors: an answer names a page that is there, for its code; one of v1, which has no codes, names none', async (t) => {
  const refused = await get('/api/v2/account');
  const unknown = await get('/api/v2/nothing');
  const [, path = ''] = /^<(.+)>; rel="help"$/.exec(refused.headers.get('link') ?? '') ?? [];

  t.is(path, '/docs/errors/unauthenticated');
  t.is((await get(path)).status, 200);
  t.is(unknown.headers.get('link'), '</docs/errors/not_found>; rel="help"');
  t.deepEqual(Object.keys(refused.body.error), ['code', 'message', 'status']);
  for (const v1 of [
    await get('/api/nothing'),
    await send(`${http.url}/api/licenses`, 'POST', { raw: '{}' }),
  ]) {
    t.true(v1.status >= 400);
    t.false(v1.headers.has('link'));
  }
});

test('errors: where no pages are served, no answer names one', async (t) => {
  const bare = await startHttp({ config: { docs: 'none' } });
  t.teardown(() => bare.close());

  const refused = await send(`${bare.url}/api/v2/account`, 'GET');

  t.is(refused.status, 401);
  t.false(refused.headers.has('link'));
});

test('markdown: each page has its own beside it, under its name and for who prefers it', async (t) => {
  for (const path of FRAMED) {
    const page = await get(path, 'text/html');
    const beside = await get(`${path}.md`);
    const preferred = await get(path, 'text/markdown, text/html;q=0.9, */*;q=0.1');

    t.true(page.text.includes(`<link rel="alternate" type="text/markdown" href="${path}.md">`), path);
    t.is(page.headers.get('link'), `<${path}.md>; rel="alternate"; type="text/markdown"`, path);
    t.is(page.headers.get('vary'), 'Accept', path);
    t.is(beside.status, 200, path);
    t.is(beside.headers.get('content-type'), 'text/markdown; charset=utf-8', path);
    t.regex(beside.text, /^# /, path);
    t.is(preferred.text, beside.text, path);
  }
  t.regex((await get('/docs/guides/labels')).text, /^<!doctype html>/);
});

test('llms.txt: lists the Markdown of every page and of both references; every link in any of them leads somewhere', async (t) => {
  const list = await get('/llms.txt');
  const linked = new Set(linksOf(list.text));
  const read = new Set<string>();
  const waiting = [...linked];
  for (let link = waiting.pop(); link !== undefined; link = waiting.pop()) {
    const [path = ''] = link.split('#');
    if (read.has(path)) continue;
    read.add(path);
    const { status, text } = await get(path);
    t.is(status, 200, link);
    if (path.endsWith('.md')) waiting.push(...linksOf(text));
  }

  t.regex(list.text, /^# Parcelworks\n\n> /);
  t.is(list.headers.get('content-type'), 'text/plain; charset=utf-8');
  for (const path of FRAMED) t.true(read.has(`${path}.md`), path);
  for (const path of GUIDES) t.true(linked.has(`${path}.md`), path);
});

test('reference: its Markdown has every operation, field and example of the documents', async (t) => {
  for (const [path, source] of [
    ['/docs/v2', '/api/v2/openapi.json'],
    ['/docs/v1', '/api/openapi.json'],
  ] as const) {
    const document = JSON.parse((await get(source)).text);
    const parts = linksOf((await get(`${path}.md`)).text).filter((link) => link.includes(`${path}/`));
    const texts = await Promise.all(parts.map(async (part) => (await get(part)).text));
    const whole = texts.join('\n');

    for (const [route, methods] of Object.entries<Record<string, any>>(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        t.true(whole.includes(`## ${method.toUpperCase()} ${route}\n`), `${method} ${route}`);
        t.true(whole.includes(operation.summary), operation.summary);
        const example = operation.requestBody?.content['application/json'].example;
        if (example !== undefined) t.true(whole.includes(JSON.stringify(example, null, 2)), route);
      }
    }
    t.true(Math.max(...texts.map(({ length }) => length)) < 100 * 1024, path);
  }
  const shipments = (await get('/docs/v2/shipments.md')).text;
  t.regex(shipments, /^\| `ship_data\.contact_name`, required \| string, at least 1 at most \d+ \| \S/m);
});

test('markdown: pages for contributors alone stay out of what integrators read, also as links', async (t) => {
  const theirs = await startHttp({ config: { docs: 'integrators' } });
  t.teardown(() => theirs.close());
  const read = async (path: string) => await send(`${theirs.url}${path}`, 'GET');

  const contract = await read('/docs/v1-contract.md');
  const list = await read('/llms.txt');

  t.is((await read('/docs/operate.md')).status, 404);
  t.false(/operate|configure|architecture/.test(list.text));
  t.true(contract.text.includes('| Found by its `key`, letter by letter |'));
  t.false(/\.test\.ts|\| test \|/.test(contract.text));
  t.false(/operate\.md/.test((await read('/docs/guides/idempotency-and-errors.md')).text));
});

/** The addresses of links to this service, which are those of its base URL, as paths. */
function linksOf(markdown: string): string[] {
  const text = markdown.replaceAll(/```.*?```|`[^`\n]*`/gs, '');
  const base = http.config.baseUrl;
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, to = '']) =>
    to.startsWith(`${base}/`) ? [to.slice(base.length)] : to.startsWith('/') ? [`relative:${to}`] : [],
  );
}
