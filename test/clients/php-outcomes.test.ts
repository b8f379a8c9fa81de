import { phpTest, runPhp } from '../support/php.js';

const CLIENT = { base_url: 'https://parcels.test', client_id: 'ci', client_secret: 'sk', max_tries: 3 };

/** A way on which each try has its own end: `cut`, `unsent`, or a status with a code. */
const SCRIPT = `
class Scripted implements Parcelworks\\Http\\Transport {
  public array $sent = [];
  private array $ends;
  public function __construct(array $ends) { $this->ends = $ends; }
  public function send(Parcelworks\\Http\\Request $request): Parcelworks\\Http\\Response {
    $this->sent[] = $request->headers['Idempotency-Key'] ?? null;
    $end = count($this->ends) > 1 ? array_shift($this->ends) : $this->ends[0];
    if ($end === 'cut' || $end === 'unsent') throw new Parcelworks\\Http\\TransportException($end, $end === 'unsent');
    if ($end[0] < 300) return new Parcelworks\\Http\\Response($end[0], $end[2] ?? [], $end[0] === 204 ? '' : '{"data":{"uuid":"u","unknown":"passes"}}');
    $error = ['code' => $end[1], 'message' => 'said', 'status' => $end[0]];
    return new Parcelworks\\Http\\Response($end[0], $end[2] ?? [], json_encode(['error' => $error]));
  }
}
class Counted extends Parcelworks\\Core\\Clock {
  public float $now = 0.0;
  public array $waits = [];
  public function seconds(): float { return $this->now; }
  public function sleep(float $seconds): void { $this->now += $seconds; $this->waits[] = $seconds; }
}
function play(array $ends, callable $call, array $more = []) {
  $transport = new Scripted($ends);
  $clock = new Counted();
  $client = new Parcelworks\\Client($more + json_decode(getenv('PARCELWORKS'), true) + ['transport' => $transport, 'clock' => $clock]);
  try { $call($client); $seen = 'done'; }
  catch (Parcelworks\\Exception\\CallException $error) {
    $seen = substr(strrchr(get_class($error), '\\\\'), 1) . ($error->isSafeToRepeat() ? ', safe' : '');
  }
  out([$seen, count($transport->sent), count(array_unique($transport->sent)), $clock->waits]);
}
$create = function ($client) { $client->shipments()->create(['ship_data' => [], 'order' => ['id' => '1']]); };
`;

phpTest('PHP create: a lost answer stays open until an answer settles it', async (t) => {
  const seen = await runPhp(
    `${SCRIPT}
    play(['cut', 'cut', 'cut'], $create);
    play(['cut', [201, '']], $create);
    play(['cut', [401, 'unauthenticated']], $create);
    play(['cut', [403, 'forbidden']], $create);
    play(['cut', [429, 'rate_limited']], $create);
    play(['cut', [422, 'carrier_rejected']], $create);
    play(['cut', [409, 'idempotency_key_conflict']], $create);
    play(['unsent'], $create);
    play(['unsent', [503, 'service_unavailable'], 'unsent'], $create);
    play([[429, 'rate_limited']], $create);
    play([[418, 'new_code']], $create);`,
    { client: CLIENT },
  );

  t.deepEqual(
    seen.map(([outcome, tries, keys]) => [outcome, tries, keys]),
    [
      ['UnknownOutcomeException, safe', 3, 1],
      ['done', 2, 1],
      ['UnknownOutcomeException, safe', 2, 1],
      ['UnknownOutcomeException, safe', 2, 1],
      ['UnknownOutcomeException, safe', 3, 1],
      ['CarrierRejectedException', 2, 1],
      ['KeyConflictException', 2, 1],
      ['ConnectionException, safe', 3, 1],
      ['UnknownOutcomeException, safe', 3, 1],
      ['RateLimitedException, safe', 3, 1],
      ['ApiException', 1, 1],
    ],
  );
});

phpTest(
  'PHP: a change without a key is sent again only where nothing was done, or where again is harmless',
  async (t) => {
    const seen = await runPhp(
      `${SCRIPT}
    $export = function ($client) { $client->exports()->create(); };
    $cancel = function ($client) { $client->shipments()->cancel('u'); };
    $delete = function ($client) { $client->webhooks()->delete('h'); };
    play(['cut'], $export);
    play([[500, 'internal_error']], $export);
    play(['unsent', [429, 'rate_limited'], [202, '']], $export);
    play(['cut', [200, '']], $cancel);
    play(['cut', [404, 'not_found']], $delete);
    play([[404, 'not_found']], $delete);`,
      { client: CLIENT },
    );

    t.deepEqual(
      seen.map(([outcome, tries]) => [outcome, tries]),
      [
        ['ConnectionException', 1],
        ['UnavailableException', 1],
        ['done', 3],
        ['done', 2],
        ['done', 2],
        ['NotFoundException', 1],
      ],
    );
  },
);

phpTest(
  'PHP: waits for Retry-After up to the cap, else for a random time that grows; and not beyond the whole time',
  async (t) => {
    const seen = await runPhp(
      `${SCRIPT}
    play([[429, 'rate_limited', ['Retry-After' => '7']], [200, '']], $create);
    play([[429, 'rate_limited', ['Retry-After' => '61']]], $create);
    play([[503, 'service_unavailable']], $create, ['max_tries' => 9, 'total_timeout' => 20]);
    play([[429, 'rate_limited', ['Retry-After' => '7']]], $create, ['total_timeout' => 5]);`,
      { client: CLIENT },
    );

    const [asked, tooLong, growing, noTime] = seen.map(([outcome, tries, , waits]) => ({
      outcome,
      tries,
      waits,
    }));
    t.is(asked?.outcome, 'done');
    t.true(asked?.waits[0] >= 7 && asked?.waits[0] <= 7.5);
    t.like(tooLong, { outcome: 'RateLimitedException, safe', tries: 1 });
    t.true(
      growing?.waits.every((seconds: number, index: number) => seconds <= Math.min(8, 0.5 * 2 ** index)),
    );
    t.true(growing?.waits.reduce((sum: number, seconds: number) => sum + seconds, 0) < 20);
    t.like(noTime, { outcome: 'RateLimitedException, safe', tries: 1 });
  },
);
