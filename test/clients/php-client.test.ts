import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { docPages } from '../support/doc-pages.js';
import { PHP_CLIENT, phpClientOf, phpTest, runPhp } from '../support/php.js';
import { startStack, type TestStack } from '../support/stack.js';

let stack: TestStack;
let client: Record<string, unknown>;

test.before(async () => {
  stack = await startStack();
  const url = await stack.startApi();
  await stack.startWorkers();
  client = { ...phpClientOf(url, stack.account), app: 'tests/1' };
});
test.after.always(() => stack?.close());

/** PHP's array of a creation for an order of the test's own. */
const BODY = `$body = ['ship_data' => ['contact_name' => 'Dana Levi', 'contact_phone' => '0501234567',
  'street' => 'Dizengoff', 'number' => '99', 'city' => 'Tel Aviv', 'type' => 1, 'return' => 1],
  'order' => ['id' => getenv('ORDER'), 'billing' => []]];
`;

phpTest('PHP create: one parcel, and the three answers of a repeat are told apart', async (t) => {
  const code = `${BODY}
    $first = $client->shipments()->create($body, ['idempotency_key' => 'php-1']);
    $again = $client->shipments()->create($body, ['idempotency_key' => 'php-1']);
    $body['ship_data']['city'] = 'Haifa';
    try { $client->shipments()->create($body, ['idempotency_key' => 'php-1']); }
    catch (Parcelworks\\Exception\\KeyConflictException $error) {
      out([$first->data['uuid'], $first->isReplayed(), $first->isRunning(), $first->key(), $first->tries()]);
      out([$again->data['uuid'], $again->isReplayed()]);
      out([$error->errorCode(), $error->status(), $error->key(), strlen($error->requestId()), $error->isSafeToRepeat()]);
    }`;

  const [first, again, other] = await runPhp(code, { client, env: { ORDER: randomUUID() } });

  t.deepEqual(first.slice(1), [false, false, 'php-1', 1]);
  t.deepEqual(again, [first[0], true]);
  t.deepEqual(other, ['idempotency_key_conflict', 409, 'php-1', 32, false]);
});

phpTest('PHP create: a key of its own where none is given, and the fields of a refusal', async (t) => {
  const code = `${BODY}
    out($client->shipments()->create($body)->key());
    unset($body['ship_data']['contact_phone']);
    try { $client->shipments()->create($body); }
    catch (Parcelworks\\Exception\\ValidationException $error) { out([$error->key(), $error->fields()]); }`;

  const [key, [refusedKey, fields]] = await runPhp(code, { client, env: { ORDER: randomUUID() } });

  t.regex(key, /^pw_[0-9a-f]{32}$/);
  t.not(refusedKey, key);
  t.deepEqual(Object.keys(fields), ['ship_data.contact_phone']);
});

phpTest('PHP get, list, status, label, cancel: each of one parcel', async (t) => {
  const code = `${BODY}
    $uuid = $client->shipments()->create($body)->data['uuid'];
    $of = ['filter' => ['order_id' => getenv('ORDER'), 'active' => true]];
    out([
      $client->shipments()->get($uuid)->data['uuid'] === $uuid,
      $client->shipments()->list($of)->data['meta']['total'],
      count(iterator_to_array($client->shipments()->all($of))),
      $client->shipments()->status($uuid)->data['status']['code'],
      $client->shipments()->label($uuid)->data['label_type'],
      substr($client->shipments()->labelPdf($uuid)->data, 0, 5),
      $client->shipments()->labels([$uuid], ['label_type' => 'A4', 'position' => 3])->data['count'],
      $client->shipments()->cancel($uuid, 'changed their mind')->data['status']['code'],
      $client->shipments()->cancel($uuid)->data['is_active'],
    ]);`;

  const [seen] = await runPhp(code, { client, env: { ORDER: randomUUID() } });

  t.deepEqual(seen, [true, 1, 1, 'created', 'thermal', '%PDF-', 1, 'cancelled', false]);
});

phpTest('PHP: a copy under the namespace of a plugin works beside the client', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'parcelworks-php-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const guide = docPages().find(({ path }) => path === 'docs/guides/php-client.md');
  const commands = guide?.blocks.find(({ language }) => language === 'sh')?.text ?? 'exit 1';
  execFileSync('bash', ['-euc', commands.replace('clients/php', `'${PHP_CLIENT}'`)], { cwd: folder });
  const code = `
    require '${folder}/my-parcelworks/autoload.php';
    $other = new MyShop\\Parcelworks\\Client(json_decode(getenv('PARCELWORKS'), true));
    try { $other->shipments()->get('no-such'); }
    catch (MyShop\\Parcelworks\\Exception\\NotFoundException $error) { out(get_class($error)); }
    out(array_values(array_filter(get_declared_classes(), function ($name) { return strpos($name, 'Parcelworks\\Exception') === 0; })));`;

  const [thrown, loaded] = await runPhp(code, { client });

  t.is(thrown, 'MyShop\\Parcelworks\\Exception\\NotFoundException');
  t.deepEqual(loaded, []);
});

phpTest('PHP: hooks and logger see each try, without secrets; what they throw is passed over', async (t) => {
  const code = `${BODY}
    $told = [];
    $tell = function ($event) use (&$told) { $told[] = $event; throw new Exception('a hook'); };
    $watched = new Parcelworks\\Client(json_decode(getenv('PARCELWORKS'), true) + ['before' => $tell, 'after' => $tell, 'logger' => $tell]);
    $result = $watched->shipments()->create($body);
    out($told);
    ob_start(); var_dump($watched, $result); print_r($watched); $dump = ob_get_clean();
    out([$result->requestId() === $told[1]['request_id'], strpos(json_encode($told) . $dump, getenv('SECRET'))]);`;
  const env = { ORDER: randomUUID(), SECRET: stack.account.clientSecret };

  const [told, [isSame, secretAt]] = await runPhp(code, { client, env });

  t.like(told[0], { method: 'POST', path: '/shipments', try: 1 });
  t.like(told[1], { status: 201, error: null, try: 1 });
  t.regex(told[2], /^parcelworks: POST \/shipments try 1: 201$/);
  t.true(isSame);
  t.false(secretAt);
});
