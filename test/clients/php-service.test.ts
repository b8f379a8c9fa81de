import { randomUUID } from 'node:crypto';
import test from 'ava';
import { fillShipments } from '../support/bulk.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { insertTestLicense } from '../support/factories.js';
import { startFaultProxy } from '../support/fault-proxy.js';
import { patient } from '../support/patience.js';
import { phpClientOf, phpTest, runPhp } from '../support/php.js';
import { startReceiver } from '../support/receiver.js';
import { startStack, type TestStack } from '../support/stack.js';
import { WEBHOOK_ENV } from '../support/webhooks.js';

const owner = new CleanUps();
let stack: TestStack;
let client: Record<string, unknown>;

test.before(async (t) => {
  t.timeout(patient(120_000));
  stack = await startStack({ env: WEBHOOK_ENV });
  owner.teardown(() => stack.close());
  const url = await stack.startApi();
  await stack.startWorkers();
  client = phpClientOf(url, stack.account);
});
test.after.always(() => owner.end());

const BODY = `$make = function ($order, $city = 'Tel Aviv') { return ['ship_data' => ['contact_name' => 'Dana Levi',
  'contact_phone' => '0501234567', 'street' => 'Dizengoff', 'number' => '99', 'city' => $city, 'type' => 1, 'return' => 1],
  'order' => ['id' => $order, 'shipping' => []]]; };
`;

phpTest(
  'PHP all: 10,000 rows by page number and by cursor, each once, with 429s in the middle',
  async (t) => {
    t.timeout(patient(180_000));
    const { account, config, db } = stack;
    const license = await insertTestLicense(db, { accountId: account.id, appKeys: config.appKeys });
    await fillShipments(db, license, 10_000);
    let asked = 0;
    const proxy = await startFaultProxy(String(client.base_url), {
      next: () => {
        asked += 1;
        return asked % 17 === 0 ? '429' : 'none';
      },
      slowMs: 0,
    });
    owner.teardown(() => proxy.close());
    const code = `
    $count = function ($rows, $id) { $seen = []; $n = 0; foreach ($rows as $row) { $seen[$row[$id]] = true; $n++; } return [$n, count($seen)]; };
    out($count($client->shipments()->all(), 'uuid'));
    out($count($client->orders()->all(), 'order_id'));
    out(memory_get_peak_usage() < 32 * 1024 * 1024);`;

    const seen = await runPhp(code, { client: { ...client, base_url: proxy.url, license_key: license.key } });

    t.deepEqual(seen, [[10_000, 10_000], [10_000, 10_000], true]);
    t.true((proxy.counts.get('429') ?? 0) >= 10);
  },
);

phpTest(
  'PHP batches: a good item becomes a parcel, a wrong one fails alone, a repeat is the same batch',
  async (t) => {
    const code = `${BODY}
    $items = [$make(getenv('ORDER') . '-1'), $make(getenv('ORDER') . '-2', str_repeat('x', 300))];
    $key = ['idempotency_key' => getenv('ORDER')];
    $batch = $client->batches()->create($items, $key);
    $again = $client->batches()->create($items, $key);
    $done = $client->batches()->wait($batch->data['id']);
    $statuses = array_column(iterator_to_array($client->batches()->items($batch->data['id'])), 'status');
    $failed = iterator_to_array($client->batches()->items($batch->data['id'], ['filter' => ['status' => 'failed']]));
    out([$batch->data['id'] === $again->data['id'], $again->isReplayed(), $done->data['summary'], $statuses, $failed[0]['error']['code']]);`;

    const [seen] = await runPhp(code, { client, env: { ORDER: randomUUID() } });

    const summary = { total: 2, created: 1, failed: 1, pending: 0 };
    t.deepEqual(seen, [true, true, summary, ['created', 'failed'], 'validation_failed']);
  },
);

phpTest(
  'PHP exports, pickupPoints, licenses, dryRun: what the service has, and nothing booked',
  async (t) => {
    const code = `${BODY}
    $export = $client->exports()->create(['filter' => [], 'format' => 'csv']);
    out([$export->isRunning(), $client->exports()->get($export->data['id'])->data['id'] === $export->data['id']]);
    out(count($client->pickupPoints(['limit' => 2])->data));
    out(in_array(getenv('LICENSE'), array_column($client->licenses()->data, 'key')));
    out($client->read('/account')->data['name']);
    $order = getenv('ORDER');
    $client->shipments()->dryRun($make($order));
    out(count(iterator_to_array($client->shipments()->all(['filter' => ['order_id' => $order]]))));
    $body = $make($order); unset($body['ship_data']['contact_phone']);
    try { $client->shipments()->dryRun($body); }
    catch (Parcelworks\\Exception\\ValidationException $error) { out(array_keys($error->fields())); }`;
    const env = { ORDER: randomUUID(), LICENSE: String(client.license_key) };

    const seen = await runPhp(code, { client, env });

    t.deepEqual(seen, [[true, true], 2, true, 'Test merchant', 0, ['ship_data.contact_phone']]);
  },
);

phpTest('PHP webhooks: what it subscribed to arrives, and verifies with either secret', async (t) => {
  t.timeout(patient(120_000));
  const receiver = await startReceiver();
  owner.teardown(() => receiver.close());
  const subscribe = `${BODY}
    $hook = $client->webhooks()->create(['url' => getenv('RECEIVER'), 'events' => ['shipment.created']])->data;
    $new = $client->webhooks()->rotateSecret($hook['id'])->data['secret'];
    $uuid = $client->shipments()->create($make(getenv('ORDER')))->data['uuid'];
    out([$hook['id'], $hook['secret'], $new, $uuid]);`;
  const verify = `
    $got = json_decode(getenv('GOT'), true);
    foreach (json_decode(getenv('SECRETS')) as $secret) {
      $event = Parcelworks\\Webhook::verify($got['body'], $got['headers'], $secret);
      out([$event->name, $event->data['id'], $event->id !== '']);
    }
    $client->webhooks()->delete(getenv('HOOK'));
    out(array_column($client->webhooks()->list()->data, 'id'));`;

  const env = { RECEIVER: receiver.url, ORDER: randomUUID() };
  const [[hook, old, next, uuid]] = await runPhp(subscribe, { client, env });
  const got = await eventually(
    async () => receiver.requests.find(({ body }) => body.includes(uuid)) ?? false,
    'the event',
  );
  const told = { GOT: JSON.stringify(got), SECRETS: JSON.stringify([old, next]), HOOK: hook };
  const [first, second, left] = await runPhp(verify, { client, env: told });

  t.deepEqual(first, ['shipment.created', uuid, true]);
  t.deepEqual(second, first);
  t.false(left.includes(hook));
});
