<?php

/*
 * Creates a parcel for each order number of the standard input, through a bad way, and tells of each as a line of JSON.
 * ANEW=1 sends each try under a key of its own.
 */

declare(strict_types=1);

require dirname(__DIR__, 3) . '/clients/php/autoload.php';

use Parcelworks\Client;
use Parcelworks\Exception\UnknownOutcomeException;
use Parcelworks\Http\CurlTransport;
use Parcelworks\Http\Request;
use Parcelworks\Http\Response;
use Parcelworks\Http\Transport;

final class AnewTransport implements Transport
{
    private CurlTransport $curl;

    public function __construct()
    {
        $this->curl = new CurlTransport();
    }

    public function send(Request $request): Response
    {
        $request->headers['Idempotency-Key'] = bin2hex(random_bytes(16));

        return $this->curl->send($request);
    }
}

$options = json_decode((string) getenv('PARCELWORKS'), true);
if (getenv('ANEW') === '1') {
    $options['transport'] = new AnewTransport();
}
$client = new Client($options);
while (($order = fgets(STDIN)) !== false) {
    $order = trim($order);
    $body = [
        'ship_data' => [
            'contact_name' => 'Dana Levi', 'contact_phone' => '0501234567', 'street' => 'Dizengoff', 'number' => '99',
            'city' => 'Tel Aviv', 'type' => 1, 'return' => 1,
        ],
        'order' => ['id' => $order],
    ];
    $unknown = null;
    try {
        $result = $client->shipments()->create($body);
    } catch (UnknownOutcomeException $error) {
        $unknown = $error->key();
        $result = $error->resolve();
    }
    $tries = $result->tries();
    if ($result->isRunning()) {
        $result = $client->shipments()->wait($result->data['uuid']);
    }
    echo json_encode([
        'order' => $result->data['order']['id'],
        'code' => $result->data['tracking_code'],
        'unknown' => $unknown !== null,
        'tries' => $tries,
    ]), "\n";
}
