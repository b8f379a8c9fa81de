#!/usr/bin/env bash
# Believed: hx-swap="outerMorph" of htmx 4 keeps what the person at the page did, as it keeps the
#   elements: what is typed, ticked, chosen, scrolled and opened.
# So it is: typed text, a tick, a choice, a radio button, a slider, the scroll position, the focus and the
#   caret stay, since they are properties that no attribute shows. What is opened is not kept: <details>
#   and <dialog> hold their state in the attribute "open", the server's markup has none, and the morph
#   takes it away. morphIgnore of htmx's configuration takes attributes by name and keeps both open.
# Where it bites: pages that poll: the part that one reads closes under one's eyes every few seconds,
#   while a test with input fields says that state is kept.
# Versions: htmx.org 4.0.1, Chromium of @sparticuz/chromium 153.0.0 with puppeteer-core 24.43.1, Node 20.20.
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

const part = (n) => `<div id="now" hx-get="/part" hx-trigger="poke" hx-swap="outerMorph"><b>${n}</b>
<input id="text" value=""><input id="tick" type="checkbox"><select id="choice"><option>a<option>b</select>
<input id="slider" type="range" value="20"><input name="r" type="radio" checked><input id="radio" name="r" type="radio">
<div id="area" style="height:50px;overflow:auto"><p style="height:500px">long</p></div>
<details id="details"><summary>more</summary>text</details><dialog id="dialog">text</dialog></div>`;
const config = `<meta name="htmx-config" content='{"morphIgnore":["data-htmx-powered","open"]}'>`;
let count = 0;
const server = createServer((request, response) => {
  const html = (text) => response.writeHead(200, { 'content-type': 'text/html' }).end(text);
  if (request.url === '/htmx.js')
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync('node_modules/htmx.org/dist/htmx.js'));
  else if (request.url === '/part') html(part(++count));
  else html(`<!doctype html>${request.url === '/ignoring' ? config : ''}<script src="/htmx.js"></script>${part(0)}`);
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const browser = await puppeteer.launch({ args: [...chromium.args, '--no-sandbox'], executablePath: await chromium.executablePath(), headless: 'shell' });
const afterMorph = async (path) => {
  const tab = await browser.newPage();
  await tab.goto(`http://127.0.0.1:${server.address().port}${path}`);
  await tab.evaluate(() => {
    tick.checked = radio.checked = details.open = true;
    choice.value = 'b';
    slider.value = 70;
    area.scrollTop = 77;
    dialog.show();
    text.focus();
  });
  await tab.keyboard.type('typed');
  const before = await tab.$eval('b', (b) => b.textContent);
  await tab.evaluate(() => htmx.trigger(now, 'poke'));
  await tab.waitForFunction((old) => document.querySelector('b').textContent !== old, {}, before);
  return tab.evaluate(() => [text.value, tick.checked, choice.value, slider.value, radio.checked, area.scrollTop, document.activeElement.id, details.open, dialog.open]);
};
try {
  const [plain, ignoring] = [await afterMorph('/'), await afterMorph('/ignoring')];
  console.log('default', JSON.stringify(plain));
  console.log('morphIgnore with open', JSON.stringify(ignoring));
  const kept = ['typed', true, 'b', '70', true, 77, 'text'];
  assert.deepEqual(plain, [...kept, false, false]);
  assert.deepEqual(ignoring, [...kept, true, true]);
} finally {
  await browser.close();
  server.close();
}
JS
node check.mjs
