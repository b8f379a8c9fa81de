import { Webhook } from 'standardwebhooks';
import { deliveryHeaders, newWebhookSecret } from '../../src/outbound/webhook-signature.js';
import { phpTest, runPhp } from '../support/php.js';

const SECRET = newWebhookSecret();
const OLD_SECRET = newWebhookSecret();
const CLIENT = { base_url: 'http://127.0.0.1:9', client_id: 'ci', client_secret: 'sk' };
const NOW_SECONDS = 1_780_000_000;
const BODY = '{"event":"shipment.delivered","created_at":1780000000,"data":{"id":"é","note":"שלום / 1.0"}}';
const VERIFY = `
  $given = json_decode(getenv('GIVEN'), true);
  foreach ($given as $case) {
    try {
      $event = Parcelworks\\Webhook::verify($case['body'], $case['headers'], $case['secrets'], 300, $case['now']);
      out([$event->name, $event->id, $event->createdAt, $event->data['id']]);
    } catch (Parcelworks\\Exception\\SignatureException $error) { out($error->getMessage()); }
  }`;

function delivery(secrets: readonly string[]): Record<string, string> {
  return deliveryHeaders({
    event: 'shipment.delivered',
    eventId: 'event-1',
    deliveryId: 'delivery-1',
    body: BODY,
    timestampSeconds: NOW_SECONDS,
    secrets,
  });
}

function verified(cases: readonly object[]): Promise<any[]> {
  const given = cases.map((one) => ({
    body: BODY,
    headers: delivery([SECRET]),
    secrets: SECRET,
    now: NOW_SECONDS,
    ...one,
  }));
  return runPhp(VERIFY, { client: CLIENT, env: { GIVEN: JSON.stringify(given) } });
}

function only(headers: Record<string, string>, names: RegExp, rename = (name: string) => name) {
  const kept = Object.entries(headers).filter(([name]) => names.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [rename(name), value]));
}

phpTest(
  'PHP Webhook::verify: takes what the service signs, by either signature and either secret',
  async (t) => {
    const both = delivery([SECRET, OLD_SECRET]);
    const asInServer = (name: string) => `HTTP_${name.toUpperCase().replaceAll('-', '_')}`;

    const seen = await verified([
      {},
      { headers: both, secrets: OLD_SECRET },
      { secrets: [OLD_SECRET, SECRET] },
      { headers: only(both, /^x-service/, asInServer), secrets: OLD_SECRET },
      { headers: only(both, /^webhook/, asInServer) },
      { headers: Object.fromEntries(Object.entries(both).map(([name, value]) => [name, [value]])) },
      { now: NOW_SECONDS + 300 },
      { now: NOW_SECONDS - 300 },
    ]);

    t.deepEqual(seen, Array(8).fill(['shipment.delivered', 'event-1', 1_780_000_000, 'é']));
  },
);

phpTest(
  'PHP Webhook::verify: refuses a changed body, id or time, another secret, and what is old',
  async (t) => {
    const headers = delivery([SECRET]);
    const own = only(headers, /^x-service/);

    const seen = await verified([
      { body: `${BODY} ` },
      { body: JSON.stringify(JSON.parse(BODY)) + '\n', headers: own },
      { headers: { ...headers, 'webhook-id': 'event-2' } },
      { headers: { ...headers, 'webhook-timestamp': String(NOW_SECONDS + 1) } },
      {
        headers: { ...own, 'x-service-signature': `t=1,${own['x-service-signature']}`.replace(/,t=\d+/, '') },
      },
      { secrets: OLD_SECRET },
      { headers: { ...headers, 'webhook-signature': 'v1, v1' } },
    ]);
    const [late, early, bare, none, foreign] = await verified([
      { now: NOW_SECONDS + 301 },
      { now: NOW_SECONDS - 301, headers: own },
      { headers: {} },
      { secrets: [''] },
      { secrets: 'not base64!' },
    ]);

    t.deepEqual(seen, Array(7).fill('The signature does not fit the body. Is it the raw body?'));
    t.is(late, 'The webhook is 301 seconds behind this clock; 300 are allowed.');
    t.is(early, 'The webhook is 301 seconds ahead of this clock; 300 are allowed.');
    t.is(bare, 'The webhook has no signature in its headers.');
    t.is(none, 'There is no secret to verify with.');
    t.regex(foreign, /begins with whsec_/);
  },
);

phpTest("PHP Webhook::testEvent: Standard Webhooks' library and verify() take it", async (t) => {
  const code = `
    $test = Parcelworks\\Webhook::testEvent(['${SECRET}', '${OLD_SECRET}'], 'shipment.created', ['id' => 'a']);
    $event = Parcelworks\\Webhook::verify($test['body'], $test['headers'], '${OLD_SECRET}');
    out([$test['body'], $test['headers'], $event->name]);`;

  const [[body, headers, name]] = await runPhp(code, { client: CLIENT });

  t.is(name, 'shipment.created');
  for (const secret of [SECRET, OLD_SECRET]) t.notThrows(() => new Webhook(secret).verify(body, headers));
});
