import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SENT_EVENTS } from '../../src/api/v2/webhooks/events.js';
import { deliveryExample } from '../../src/api/v2/webhooks/examples.js';
import { type Html, html } from '../../src/domain/html.js';
import { type Code, codeBlock, codeTabs } from './code.js';
import { type FramedPage, WEBHOOKS_PATH } from './frame.js';
import { ROOT } from './library.js';
import type { Heading } from './markdown.js';

const SNIPPETS = join(ROOT, 'src/http/pages/snippets');

/** The page for receivers of webhooks. Its snippets are the files that the tests run. */
export function webhooksPage(): FramedPage {
  const body = html`<h1>Receiving webhooks</h1>
<p class="lead">Be told of every shipment's life as it happens: created, moved, delivered, cancelled, or refused after all. Each event is a
signed POST to your URL, sent at least once, with a log of what you
answered.</p>
${subscribing()}
${arriving()}
${verifying()}
${answering()}
${operating()}`;
  return { path: WEBHOOKS_PATH, title: 'Receiving webhooks', body, headings: HEADINGS };
}

const HEADINGS: readonly Heading[] = [
  { id: 'subscribe', text: '1. Subscribe' },
  { id: 'arrives', text: '2. What arrives' },
  { id: 'verify', text: '3. Verify the signature' },
  { id: 'answer', text: '4. Answer' },
  { id: 'operate', text: '5. Test, look, send again' },
];

function heading(id: string): Html {
  const text = HEADINGS.find((one) => one.id === id)?.text ?? '';
  return html`<h2 id="${id}">${text}<a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h2>`;
}

function snippet(file: string, language: string): Code {
  return { text: readFileSync(join(SNIPPETS, file), 'utf8').trim(), language };
}

const SUBSCRIBE = `curl -X POST "$BASE_URL/api/v2/webhooks" \\
  -H "X-Client-Id: $CLIENT_ID" -H "X-Client-Secret: $CLIENT_SECRET" \\
  -H "Content-Type: application/json" \\
  -d '{"license_key": "lic_main", "url": "https://shop.example/hooks/parcels",
       "events": ["shipment.created", "shipment.status_changed", "shipment.delivered", "shipment.cancelled",
                  "shipment.refused"]}'`;

function subscribing(): Html {
  return html`${heading('subscribe')}
${codeBlock({ text: SUBSCRIBE, language: 'curl' })}
<p>The answer holds the signing <code>secret</code>, once and never again: keep it beside your other secrets. The URL
should be <code>https</code> and must lead to a public address, now and at every delivery.</p>`;
}

function arriving(): Html {
  const headers = Object.entries(SENT_EVENTS.headers).map(
    ([name, text]) => html`<tr><td><code>${name}</code></td><td>${text}</td></tr>`,
  );
  const events = SENT_EVENTS.events.map(
    ({ event, summary }) => html`<tr><td><code>${event}</code></td><td>${summary}</td></tr>`,
  );
  return html`${heading('arrives')}
<p>A POST with this JSON as its body:</p>
${codeBlock({ text: JSON.stringify(deliveryExample.payload, null, 2), language: 'json' })}
<div class="table"><table><thead><tr><th scope="col">Event</th><th scope="col">Sent when</th></tr></thead><tbody>${events}</tbody></table></div>
<p>Two fields differ from the API: <code>created_at</code> is in Unix seconds, and <code>service_type</code> is a number. New
fields may be added to <code>data</code>; ignore those that you do not know.</p>
<div class="table"><table><thead><tr><th scope="col">Header</th><th scope="col">Holds</th></tr></thead><tbody>${headers}</tbody></table></div>`;
}

function verifying(): Html {
  return html`${heading('verify')}
<p><code>v1</code> is the HMAC-SHA256, in hex, of <code>&lt;t&gt;.&lt;body&gt;</code>, keyed with the whole secret with its
<code>whsec_</code>. Three things go wrong most often: the body is parsed and written anew before it is checked, so take
its bytes as they came; signatures are compared with <code>==</code>, so compare in constant time; and old deliveries
are accepted, so look at <code>t</code>.</p>
${codeTabs([snippet('verify.mjs', 'mjs'), snippet('verify.php', 'php'), snippet('verify.py', 'python')])}
<h3>A library instead</h3>
<p>The libraries of Standard Webhooks verify a delivery with the same secret and the three <code>webhook-</code> headers,
in a dozen languages. Stripe's own verify <code>X-Service-Signature</code>.</p>`;
}

function answering(): Html {
  return html`${heading('answer')}
<ul>
<li>Any <code>2xx</code> within 15 seconds means that you have it. Store the event first, work on it later.</li>
<li>Anything else, a redirect too, is tried again: five more times, 30 seconds apart.</li>
<li>An event may come twice. Remember <code>X-Service-Event-Id</code> and do nothing the second time.</li>
<li>Events of one shipment are sent in their order, also after a failure: a later one waits until the earlier one was
taken or has used its attempts up. Events of different shipments are sent side by side. What you ask for again yourself,
with <code>redeliver</code> or <code>replay</code>, comes after newer events that were taken already.</li>
<li><code>410 Gone</code> turns the webhook off. So do five days in which nothing succeeded. The account is told by
mail.</li>
</ul>
<h3>In WordPress</h3>
<p>Register a route with <code>register_rest_route</code> and subscribe to
<code>https://shop.example/?rest_route=/shop/v1/parcels</code>: this address works under all permalinks. With plain ones
every other path, <code>/wp-json/…</code> too, answers 200 and the home page, so that each delivery succeeds and your code
never runs; a test event that gets a page says so. Verify <code>$request-&gt;get_body()</code>, the bytes as they came,
not the parameters encoded anew.</p>
<p>Calls to the API must wait for their answer: with <code>'blocking' =&gt; false</code> many never arrive, although
WordPress reports success.</p>`;
}

function operating(): Html {
  return html`${heading('operate')}
<div class="table"><table><tbody>
<tr><td><code>POST /webhooks/{id}/ping</code></td><td>Sends a test event now and shows what your receiver answered.</td></tr>
<tr><td><code>GET /webhooks/{id}/deliveries</code></td><td>Every delivery with its newest attempts, what was answered and how long it took;
<code>filter[status]=failed</code> shows what is missing. Kept for 30 days.</td></tr>
<tr><td><code>POST …/deliveries/{delivery}/redeliver</code></td><td>Sends one again, with six further attempts.</td></tr>
<tr><td><code>POST /webhooks/{id}/replay</code></td><td>Sends what failed <code>since</code> a moment again, after an outage
of yours: 10,000 deliveries a call, the oldest first.</td></tr>
<tr><td><code>POST /webhooks/{id}/rotate-secret</code></td><td>Makes a new secret. For <code>overlap_hours</code> (24) both sign, so
that you can change over without missing one.</td></tr>
<tr><td><code>PATCH /webhooks/{id}</code></td><td>Another URL, other events, off and on.</td></tr>
</tbody></table></div>
<p>All of it is in the <a href="/docs/v2">reference</a>.</p>`;
}
