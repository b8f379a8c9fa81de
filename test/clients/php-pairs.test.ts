import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../tools/launcher/paths.js';
import { phpTest, runPhp } from '../support/php.js';
import type { Pair } from '../support/recorded-pairs.js';

const PAIRS = join(projectFolder, 'clients/pairs');
const FILES = ['creations', 'too-many', 'reads'].map((name) => join(PAIRS, `${name}.json`));
const CLIENT = { base_url: 'https://parcels.test', client_id: 'ci', client_secret: 'sk', max_tries: 2 };

/** Plays each pair: its answer to every try. */
const PLAY = `
class Played implements Parcelworks\\Http\\Transport {
  public array $asked = [];
  private array $answer;
  public function __construct(array $answer) { $this->answer = $answer; }
  public function send(Parcelworks\\Http\\Request $request): Parcelworks\\Http\\Response {
    $this->asked[] = $request;
    $body = $this->answer['body'] ?? null;
    return new Parcelworks\\Http\\Response($this->answer['status'], $this->answer['headers'], $body === null ? '' : json_encode($body));
  }
}
class Hurried extends Parcelworks\\Core\\Clock { public function sleep(float $seconds): void {} }

foreach (json_decode(getenv('FILES'), true) as $file) foreach (json_decode(file_get_contents($file), true) as $pair) {
  $transport = new Played($pair['answer']);
  $asked = $pair['request'];
  $client = new Parcelworks\\Client(json_decode(getenv('PARCELWORKS'), true) + [
    'transport' => $transport, 'clock' => new Hurried(), 'license_key' => $asked['body']['license_key'] ?? null]);
  $headers = array_change_key_case($asked['headers']);
  $options = isset($headers['idempotency-key']) ? ['idempotency_key' => $headers['idempotency-key']] : [];
  if (isset($headers['if-none-match'])) $options['if_none_match'] = $headers['if-none-match'];
  $seen = ['name' => $pair['name'], 'code' => null];
  try {
    $path = substr($asked['path'], strlen('/api/v2'));
    if ($asked['method'] === 'GET') $result = $client->read($path, [], $options);
    elseif ($path === '/batches') $result = $client->batches()->create($asked['body']['shipments'], $options);
    else $result = $client->shipments()->create($asked['body'], $options);
    $seen['outcome'] = $result->isRunning() ? 'running' : ($result->isReplayed() ? 'replayed' : ($result->isUnchanged() ? 'unchanged' : 'done'));
    $seen['key'] = $result->key();
  } catch (Parcelworks\\Exception\\UnknownOutcomeException $error) {
    $seen['outcome'] = 'unknown';
    $seen['code'] = $error->response()->json()['error']['code'];
    $seen['key'] = $error->key();
  } catch (Parcelworks\\Exception\\ApiException $error) {
    $seen['outcome'] = $error->isSafeToRepeat() ? 'later' : 'refused';
    $seen['code'] = $error->errorCode();
    $seen['class'] = get_class($error);
  }
  $seen['tries'] = count($transport->asked);
  $bodies = array_unique(array_map(function ($one) { return $one->body . json_encode($one->headers); }, $transport->asked));
  $seen['same'] = count($bodies) === 1 && $transport->asked[0]->url === 'https://parcels.test' . $asked['path'];
  $seen['body'] = $transport->asked[0]->body === null ? null : json_decode($transport->asked[0]->body, true);
  out($seen);
}`;

phpTest('PHP: each pair of request and answer means to it what the pairs say', async (t) => {
  const pairs = FILES.flatMap((file): Pair[] => JSON.parse(readFileSync(file, 'utf8')));

  const seen = await runPhp(PLAY, { client: CLIENT, env: { FILES: JSON.stringify(FILES) } });

  t.is(seen.length, pairs.length);
  for (const [index, { name, request, means }] of pairs.entries()) {
    const { outcome, code, tries, same, body } = seen[index];
    t.deepEqual({ outcome, code }, { outcome: means.outcome, code: means.code ?? null }, name);
    t.is(tries, means.tries_again ? 2 : 1, name);
    t.true(same, `${name}: every try is the same request`);
    t.deepEqual(body, request.body ?? null, name);
  }
});

phpTest('PHP: every code of the pairs has an exception of its own', async (t) => {
  const seen = await runPhp(PLAY, { client: CLIENT, env: { FILES: JSON.stringify(FILES) } });

  const classes = new Map(seen.filter(({ class: name }) => name).map((one) => [one.code, one.class]));
  t.is(new Set(classes.values()).size, classes.size);
  t.false([...classes.values()].includes('Parcelworks\\Exception\\ApiException'));
});

phpTest('PHP Webhook::verify: accepts the signed deliveries of the pairs, and no other', async (t) => {
  const file = join(PAIRS, 'webhooks.json');
  const { cases } = JSON.parse(readFileSync(file, 'utf8'));
  const code = `
    $pairs = json_decode(file_get_contents(getenv('FILE')), true);
    foreach ($pairs['cases'] as $case) {
      try {
        $event = Parcelworks\\Webhook::verify($case['body'], $case['headers'], $case['secrets'], $pairs['tolerance_seconds'], $case['now_seconds']);
        out($event->name === json_decode($case['body'], true)['event']);
      } catch (Parcelworks\\Exception\\SignatureException $error) { out(false); }
    }`;

  const seen = await runPhp(code, { client: CLIENT, env: { FILE: file } });

  for (const [index, { name, is_valid: isValid }] of cases.entries()) t.is(seen[index], isValid, name);
  t.true(cases.some((one: any) => !one.is_valid));
});
