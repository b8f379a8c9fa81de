#!/usr/bin/env bash
# Believed: hx-sse:connect of htmx 4 connects again as EventSource does, and better: its defaults are a
#   growing delay and no end of attempts.
# So it is: it differs where the stream is not there. A first answer that is an error (503 while the
#   server starts) is never tried again; only a stream that once stood is. (EventSource is alike there.)
#   A stream that ends and is followed by 204, the standard's way to tell a client to stop, is asked for
#   again without end. So is one that is followed by another page with 200, such as the sign-in page to
#   which an ended session is led: the type of the answer is not looked at, each answer counts as a
#   success, and the delay begins anew, so that each open tab asks twice a second for as long as it is
#   open. EventSource stops at once in both cases. And "retry: 3000" without data in the same message, as most servers send it
#   first, is not heeded; EventSource heeds it.
# Where it bites: live pages are dead after a deploy until they are reloaded, or one tab over night sends
#   tens of thousands of requests for the sign-in page. A server answers 401 or 503 on stream paths, never
#   a redirect, and puts retry: into a message with data; the page listens to htmx:error and asks again.
# Versions: htmx.org 4.0.1 (dist/ext/hx-sse.js), Chromium of @sparticuz/chromium 153.0.0 with
#   puppeteer-core 24.43.1, Node 20.20.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund htmx.org@4.0.1 @sparticuz/chromium@153.0.0 puppeteer-core@24.43.1 >/dev/null

cat > check.mjs <<'JS'
import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import chromium from '@sparticuz/chromium';
import puppeteer from 'puppeteer-core';

const dist = 'node_modules/htmx.org/dist/';
const CASES = ['first-503', 'then-204', 'then-sign-in', 'retry-alone'];
const asked = {};
const stream = (response, text) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
const html = (response, text) => response.writeHead(200, { 'content-type': 'text/html' }).end(text);
const answers = {
  'first-503': (response, n) => (n === 1 ? response.writeHead(503).end() : stream(response, 'data: here\n\n')),
  'then-204': (response, n) => (n === 1 ? stream(response, 'data: here\n\n') : response.writeHead(204).end()),
  'then-sign-in': (response, n) => (n === 1 ? stream(response, 'data: here\n\n') : response.writeHead(302, { location: '/sign-in' }).end()),
  'retry-alone': (response) => stream(response, 'retry: 3000\n\ndata: here\n\n'),
};
const page = (body) => `<!doctype html><script src="/htmx.js"></script><script src="/ext/hx-sse.js"></script>${body}`;
const server = createServer((request, response) => {
  const [, kind, name] = request.url.split('/');
  if (request.url === '/htmx.js' || kind === 'ext')
    return response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(dist + request.url.slice(1)));
  if (kind === 'sign-in') return html(response, '<h1>Sign in</h1>');
  if (kind === 'with-htmx') return html(response, page(CASES.map((name) => `<p hx-sse:connect="/htmx/${name}"></p>`).join('')));
  if (kind === 'with-eventsource')
    return html(response, page(`<script>${CASES.map((name) => `new EventSource('/native/${name}');`).join('')}</script>`));
  if (!answers[name]) return response.writeHead(404).end();
  asked[kind] ??= {};
  asked[kind][name] = (asked[kind][name] ?? 0) + 1;
  answers[name](response, asked[kind][name]);
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const browser = await puppeteer.launch({ args: [...chromium.args, '--no-sandbox'], executablePath: await chromium.executablePath(), headless: 'shell' });
try {
  for (const kind of ['with-htmx', 'with-eventsource']) {
    const tab = await browser.newPage();
    await tab.goto(`http://127.0.0.1:${server.address().port}/${kind}`);
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    await tab.close();
  }
} finally {
  await browser.close();
  server.close();
}
console.log('requests in ten seconds', JSON.stringify(asked));
const { htmx, native } = asked;
assert.equal(htmx['first-503'], 1);
assert.equal(native['then-204'], 2);
assert(htmx['then-204'] >= 4);
assert.equal(native['then-sign-in'], 2);
assert(htmx['then-sign-in'] >= 10);
assert(native['retry-alone'] <= 4);
assert(htmx['retry-alone'] >= 10);
JS
node check.mjs
