import { readFileSync } from 'node:fs';
import type { Express } from 'express';
import { deliveryExample } from '../../api/v2/webhooks/examples.js';
import { SHIPMENT_EVENTS } from '../../domain/events.js';
import { Html, html } from '../../domain/html.js';
import { limitPages } from '../middleware/page-limit.js';
import { refuseMethod } from '../mount.js';
import type { MountDeps } from '../mount-deps.js';
import { sendPage } from './send-page.js';

const PATH = '/docs/webhooks';
const MAX_AGE_SECONDS = 300;
/** Seen from the compiled file: the snippets are no TypeScript, so they are read where they lie in the source. */
const SNIPPETS = new URL('../../../../src/http/pages/snippets/', import.meta.url);

const STYLE = `
:root { color-scheme: light dark; --ground: #fff; --ink: #16202e; --soft: #55606f; --line: #dde2e9; --code: #f3f5f8;
  --link: #0b57b7; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #11161d; --ink: #eef2f7; --soft: #aab4c2; --line: #303a48; --code: #1a212b; --link: #8fc1ff; }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.6 system-ui, "Segoe UI", Roboto, Arial, sans-serif; }
.bar { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; padding: .9rem 1.25rem; background: #10243e; color: #fff; }
.bar strong { margin-inline-end: auto; font-size: 1.1rem; }
.bar a { color: #fff; text-underline-offset: .2em; }
main { max-width: 62rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; }
h1 { margin: 1.5rem 0 .5rem; font-size: 2rem; line-height: 1.2; }
h2 { margin: 2.75rem 0 .5rem; padding-top: 1.25rem; border-top: 1px solid var(--line); font-size: 1.35rem; line-height: 1.3; }
h3 { margin: 1.75rem 0 .5rem; font-size: 1.05rem; }
p, ul, ol { margin: .75rem 0; }
li + li { margin-top: .4rem; }
.lead { color: var(--soft); font-size: 1.125rem; }
a { color: var(--link); }
a:focus-visible, pre:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .875rem; }
:not(pre) > code { padding: .1em .35em; border-radius: .3em; background: var(--code); overflow-wrap: anywhere; }
pre { margin: .75rem 0; padding: 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: .6rem;
  background: var(--code); line-height: 1.5; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .55rem .75rem .55rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
td:first-child { width: 26rem; }
@media (max-width: 40rem) {
  thead { display: none; }
  tr, td { display: block; }
  td { padding: 0; border: 0; }
  tr { padding: .6rem 0; border-bottom: 1px solid var(--line); }
}
`;

/** The page for those who receive webhooks; its snippets are the files that the tests run. No script, no other host. */
export function mountReceivingWebhooks(app: Express, deps: MountDeps): void {
  const body = page();
  app.get(PATH, limitPages(deps, `GET ${PATH}`), (req, res) => {
    sendPage(req, res, {
      status: 200,
      body,
      style: STYLE,
      language: 'en',
      imageOrigins: [],
      maxAgeSeconds: MAX_AGE_SECONDS,
    });
  });
  app.all(PATH, refuseMethod(['GET', 'HEAD']));
}

function snippet(file: string): Html {
  return code(readFileSync(new URL(file, SNIPPETS), 'utf8').trim(), `The file ${file}`);
}

/** A block that scrolls sideways, so it can be reached by keyboard and has a name. */
function code(text: string, label: string): Html {
  return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`;
}

function page(): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Receiving webhooks – Parcelworks API v2</title>
<link rel="icon" href="/docs/assets/favicon-32x32.png">
<style>${STYLE_MARKUP}</style>
</head>
<body>
<header class="bar">
<strong>Parcelworks API v2</strong>
<a href="/docs">All routes</a>
<a href="/api/v2/openapi.json">OpenAPI document</a>
</header>
<main>
<h1>Receiving webhooks</h1>
<p class="lead">Be told of every shipment's life as it happens: created, moved, delivered, cancelled. Each event is a
signed POST to your URL, sent at least once, with a log of every attempt.</p>
${subscribing()}
${arriving()}
${verifying()}
${answering()}
${operating()}
</main>
</body>
</html>
`;
}

/** The style is ours: it must stand in the page as the policy's hash knows it. */
const STYLE_MARKUP = new Html(STYLE);

const SUBSCRIBE = `curl -X POST "$BASE_URL/api/v2/webhooks" \\
  -H "X-Client-Id: $CLIENT_ID" -H "X-Client-Secret: $CLIENT_SECRET" \\
  -H "Content-Type: application/json" \\
  -d '{"license_key": "lic_main", "url": "https://shop.example/hooks/parcels",
       "events": ["shipment.created", "shipment.status_changed", "shipment.delivered", "shipment.cancelled"]}'`;

function subscribing(): Html {
  return html`<h2 id="subscribe">1. Subscribe</h2>
${code(SUBSCRIBE, 'A subscription with curl')}
<p>The answer holds the signing <code>secret</code>, once and never again: keep it beside your other secrets. The URL
should be <code>https</code> and must lead to a public address, now and at every delivery.</p>`;
}

const HEADERS = [
  ['X-Service-Event', 'The event’s name, as in the body.'],
  ['X-Service-Event-Id', 'Id of the event: the same at every attempt, also when you have it sent again.'],
  ['X-Service-Delivery-Id', 'Id of the delivery in the log.'],
  ['X-Service-Signature', 't=<Unix seconds>,v1=<hex>; a second v1 while an old secret still signs.'],
  ['webhook-id, webhook-timestamp, webhook-signature', 'The same in the form of Standard Webhooks.'],
] as const;

const EVENTS: Readonly<Record<(typeof SHIPMENT_EVENTS)[number], string>> = {
  'shipment.created': 'The carrier accepted the parcel.',
  'shipment.status_changed': 'The status is another one; previous_status is what it was.',
  'shipment.delivered': 'The parcel was delivered, at delivered_at. Follows the change of status.',
  'shipment.cancelled': 'The shipment was cancelled, at cancelled_at. Follows the change of status.',
};

function arriving(): Html {
  const headers = HEADERS.map(([name, text]) => html`<tr><td><code>${name}</code></td><td>${text}</td></tr>`);
  const events = SHIPMENT_EVENTS.map(
    (event) => html`<tr><td><code>${event}</code></td><td>${EVENTS[event]}</td></tr>`,
  );
  return html`<h2 id="arrives">2. What arrives</h2>
<p>A POST with this JSON as its body:</p>
${code(JSON.stringify(deliveryExample.payload, null, 2), 'A body')}
<table><thead><tr><th>Event</th><th>Sent when</th></tr></thead><tbody>${events}</tbody></table>
<p>New fields may be added to <code>data</code>; ignore those that you do not know.</p>
<table><thead><tr><th>Header</th><th>Holds</th></tr></thead><tbody>${headers}</tbody></table>`;
}

function verifying(): Html {
  return html`<h2 id="verify">3. Verify the signature</h2>
<p><code>v1</code> is the HMAC-SHA256, in hex, of <code>&lt;t&gt;.&lt;body&gt;</code>, keyed with the whole secret with its
<code>whsec_</code>. Three things go wrong most often: the body is parsed and written anew before it is checked, so take
its bytes as they came; signatures are compared with <code>==</code>, so compare in constant time; and old deliveries
are accepted, so look at <code>t</code>.</p>
<h3>Node.js</h3>
${snippet('verify.mjs')}
<h3>PHP</h3>
${snippet('verify.php')}
<h3>Python</h3>
${snippet('verify.py')}
<h3>A library instead</h3>
<p>The libraries of Standard Webhooks verify a delivery with the same secret and the three <code>webhook-</code> headers,
in a dozen languages. Stripe's own verify <code>X-Service-Signature</code>.</p>`;
}

function answering(): Html {
  return html`<h2 id="answer">4. Answer</h2>
<ul>
<li>Any <code>2xx</code> within 15 seconds means that you have it. Store the event first, work on it later.</li>
<li>Anything else, a redirect too, is tried again: five more times, 30 seconds apart.</li>
<li>An event may come twice. Remember <code>X-Service-Event-Id</code> and do nothing the second time.</li>
<li>Events of one shipment are sent one after another, those of different shipments side by side. After a failure an
older event may come after a newer one: <code>GET /shipments/{uuid}</code> tells what holds now.</li>
<li><code>410 Gone</code> turns the webhook off. So do five days in which nothing succeeded. The account is told by
mail.</li>
</ul>`;
}

function operating(): Html {
  return html`<h2 id="operate">5. Test, look, send again</h2>
<table><tbody>
<tr><td><code>POST /webhooks/{id}/ping</code></td><td>Sends a test event now and shows what your receiver answered.</td></tr>
<tr><td><code>GET /webhooks/{id}/deliveries</code></td><td>Every delivery with every attempt, its answer and how long it took;
<code>filter[status]=failed</code> shows what is missing. Kept for 30 days.</td></tr>
<tr><td><code>POST …/deliveries/{delivery}/redeliver</code></td><td>Sends one again, with six further attempts.</td></tr>
<tr><td><code>POST /webhooks/{id}/replay</code></td><td>Sends everything that failed <code>since</code> a moment again, after an outage
of yours.</td></tr>
<tr><td><code>POST /webhooks/{id}/rotate-secret</code></td><td>Makes a new secret. For <code>overlap_hours</code> (24) both sign, so
that you can change over without missing one.</td></tr>
<tr><td><code>PATCH /webhooks/{id}</code></td><td>Another URL, other events, off and on.</td></tr>
</tbody></table>
<p>All of it is in the <a href="/docs">list of routes</a>.</p>`;
}
