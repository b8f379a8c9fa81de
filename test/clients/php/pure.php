<?php

/*
 * Checks without network: every file is loaded, and the pairs mean what they say. A deprecation counts as a failure.
 */

declare(strict_types=1);

use Parcelworks\Core\Clock;
use Parcelworks\Exception\ApiException;
use Parcelworks\Exception\SignatureException;
use Parcelworks\Exception\UnknownOutcomeException;
use Parcelworks\Http\Request;
use Parcelworks\Http\Response;
use Parcelworks\Http\Transport;

error_reporting(E_ALL);
set_error_handler(static function (int $level, string $message, string $file, int $line): bool {
    throw new ErrorException($message, 0, $level, $file, $line);
});
$root = dirname(__DIR__, 3) . '/clients';
require "$root/php/autoload.php";

$files = new RecursiveIteratorIterator(new RecursiveDirectoryIterator("$root/php/src", FilesystemIterator::SKIP_DOTS));
foreach ($files as $file) {
    require_once (string) $file;
}

final class PlayedTransport implements Transport
{
    /** @var array<string, mixed> */
    private array $answer;

    public function __construct(array $answer)
    {
        $this->answer = $answer;
    }

    public function send(Request $request): Response
    {
        $body = (string) json_encode($this->answer['body']);

        return new Response($this->answer['status'], $this->answer['headers'], $body);
    }
}

final class HurriedClock extends Clock
{
    public function sleep(float $seconds): void
    {
    }
}

function outcome(array $pair): string
{
    $client = new Parcelworks\Client([
        'base_url' => 'https://parcels.test',
        'client_id' => 'ci',
        'client_secret' => 'sk',
        'transport' => new PlayedTransport($pair['answer']),
        'clock' => new HurriedClock(),
        'max_tries' => 2,
    ]);
    $body = $pair['request']['body'];
    try {
        $result = isset($body['shipments'])
            ? $client->batches()->create($body['shipments'])
            : $client->shipments()->create($body);

        return $result->isRunning() ? 'running' : ($result->isReplayed() ? 'replayed' : 'done');
    } catch (UnknownOutcomeException $error) {
        return 'unknown';
    } catch (ApiException $error) {
        return $error->isSafeToRepeat() ? 'later' : 'refused';
    }
}

foreach (['creations', 'too-many'] as $name) {
    foreach (json_decode((string) file_get_contents("$root/pairs/$name.json"), true) as $pair) {
        $seen = outcome($pair);
        if ($seen !== $pair['means']['outcome']) {
            exit("{$pair['name']}: $seen\n");
        }
    }
}
foreach (json_decode((string) file_get_contents("$root/pairs/webhooks.json"), true)['cases'] as $case) {
    try {
        Parcelworks\Webhook::verify($case['body'], $case['headers'], $case['secrets'], 300, $case['now_seconds']);
        $isValid = true;
    } catch (SignatureException $error) {
        $isValid = false;
    }
    if ($isValid !== $case['is_valid']) {
        exit("{$case['name']}: " . ($isValid ? 'accepted' : 'refused') . "\n");
    }
}
echo 'PHP ', PHP_VERSION, ': ', "all as the pairs say\n";
