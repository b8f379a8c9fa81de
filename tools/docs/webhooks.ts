import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SENT_EVENTS } from '../../src/api/v2/webhooks/events.js';
import { deliveryExample } from '../../src/api/v2/webhooks/examples.js';
import { WEBHOOKS_PATH } from './frame.js';
import { ROOT, type WrittenPage } from './library.js';

const SNIPPETS = join(ROOT, 'src/http/pages/snippets');

/** The page for receivers of webhooks. Its snippets are the files that the tests run. */
export function webhooksPage(): WrittenPage {
  const markdown = `# Receiving webhooks

Be told of every shipment's life as it happens: created, moved, delivered, cancelled, or refused after all. Each event is a signed POST to your URL, sent at least once, with a log of what you answered.

${[subscribing(), arriving(), verifying(), ANSWERING, OPERATING].join('\n\n')}
`;
  return {
    path: WEBHOOKS_PATH,
    title: 'Receiving webhooks',
    lead: 'What is sent, and how its signature is verified.',
    markdown,
  };
}

function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

function snippet(file: string, language: string): string {
  return block(language, readFileSync(join(SNIPPETS, file), 'utf8').trim());
}

const SUBSCRIBE = `curl -X POST "$BASE_URL/api/v2/webhooks" \\
  -H "X-Client-Id: $CLIENT_ID" -H "X-Client-Secret: $CLIENT_SECRET" \\
  -H "Content-Type: application/json" \\
  -d '{"license_key": "lic_main", "url": "https://shop.example/hooks/parcels",
       "events": ["shipment.created", "shipment.status_changed", "shipment.delivered", "shipment.cancelled",
                  "shipment.refused"]}'`;

function subscribing(): string {
  return `## 1. Subscribe

${block('curl', SUBSCRIBE)}

The answer holds the signing \`secret\`, once and never again: keep it beside your other secrets. The URL should be \`https\` and must lead to a public address, now and at every delivery.`;
}

function arriving(): string {
  const headers = Object.entries(SENT_EVENTS.headers).map(([name, text]) => `| \`${name}\` | ${text} |`);
  const events = SENT_EVENTS.events.map(({ event, summary }) => `| \`${event}\` | ${summary} |`);
  return `## 2. What arrives

A POST with this JSON as its body:

${block('json', JSON.stringify(deliveryExample.payload, null, 2))}

| event | sent when |
|---|---|
${events.join('\n')}

Two fields differ from the API: \`created_at\` is in Unix seconds, and \`service_type\` is a number. New fields may be added to \`data\`; ignore those that you do not know.

| header | holds |
|---|---|
${headers.join('\n')}`;
}

function verifying(): string {
  return `## 3. Verify the signature

\`v1\` is the HMAC-SHA256, in hex, of \`<t>.<body>\`, keyed with the whole secret with its \`whsec_\`. Three things go wrong most often: the body is parsed and written anew before it is checked, so take its bytes as they came; signatures are compared with \`==\`, so compare in constant time; and old deliveries are accepted, so look at \`t\`.

${snippet('verify.mjs', 'mjs')}

${snippet('verify.php', 'php')}

${snippet('verify.py', 'python')}

### A library instead

The libraries of Standard Webhooks verify a delivery with the same secret and the three \`webhook-\` headers, in a dozen languages. Stripe's own verify \`X-Service-Signature\`.`;
}

const ANSWERING = `## 4. Answer

- Any \`2xx\` within 15 seconds means that you have it. Store the event first, work on it later.
- Anything else, a redirect too, is tried again: five more times, 30 seconds apart.
- An event may come twice. Remember \`X-Service-Event-Id\` and do nothing the second time.
- Events of one shipment are sent in their order, also after a failure: a later one waits until the earlier one was taken or has used its attempts up. Events of different shipments are sent side by side. What you ask for again yourself, with \`redeliver\` or \`replay\`, comes after newer events that were taken already.
- \`410 Gone\` turns the webhook off. So do five days in which nothing succeeded. The account is told by mail.

### In WordPress

Register a route with \`register_rest_route\` and subscribe to \`https://shop.example/?rest_route=/shop/v1/parcels\`: this address works under all permalinks. With plain ones every other path, \`/wp-json/…\` too, answers 200 and the home page, so that each delivery succeeds and your code never runs; a test event that gets a page says so. Verify \`$request->get_body()\`, the bytes as they came, not the parameters encoded anew.

Calls to the API must wait for their answer: with \`'blocking' => false\` many never arrive, although WordPress reports success.`;

const OPERATING = `## 5. Test, look, send again

| request | does |
|---|---|
| \`POST /webhooks/{id}/ping\` | Sends a test event now and shows what your receiver answered. |
| \`GET /webhooks/{id}/deliveries\` | Every delivery with its newest attempts, what was answered and how long it took; \`filter[status]=failed\` shows what is missing. Kept for 30 days. |
| \`POST …/deliveries/{delivery}/redeliver\` | Sends one again, with six further attempts. |
| \`POST /webhooks/{id}/replay\` | Sends what failed \`since\` a moment again, after an outage of yours: 10,000 deliveries a call, the oldest first. |
| \`POST /webhooks/{id}/rotate-secret\` | Makes a new secret. For \`overlap_hours\` (24) both sign, so that you can change over without missing one. |
| \`PATCH /webhooks/{id}\` | Another URL, other events, off and on. |

All of it is in the [reference](/docs/v2).`;
