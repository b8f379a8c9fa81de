<?php

declare(strict_types=1);

namespace ParcelworksWoo;

use ParcelworksWoo\Client\Api\Shipments;
use ParcelworksWoo\Client\Core\Calls;
use ParcelworksWoo\Client\Core\Config;
use ParcelworksWoo\Client\Http\WordPressTransport;
use ParcelworksWoo\Client\Result;

/** The calls that a shop makes, each bounded to what a web request allows. */
final class Service
{
    private Calls $calls;

    public function __construct(string $url, string $clientId, string $clientSecret)
    {
        $this->calls = new Calls(new Config([
            'base_url' => $url,
            'client_id' => $clientId,
            'client_secret' => $clientSecret,
            'app' => 'parcelworks-woocommerce/' . VERSION,
            'transport' => new WordPressTransport(),
            'timeout' => 10,
            'total_timeout' => 15,
            'max_tries' => 2,
            'retry_after_cap' => 3,
        ]));
    }

    public function shipments(): Shipments
    {
        return new Shipments($this->calls);
    }

    /** @return Result<array<string, mixed>> */
    public function account(): Result
    {
        return $this->calls->get('/account');
    }

    /**
     * @param list<string> $events
     * @return Result<array<string, mixed>> With the secret, which no other answer has.
     */
    public function subscribe(string $license, string $url, array $events): Result
    {
        $body = ['license_key' => $license, 'url' => $url, 'events' => $events];

        return $this->calls->change('POST', '/webhooks', $body, [], false);
    }

    /** @return Result<mixed> */
    public function unsubscribe(string $license, string $id): Result
    {
        $path = '/webhooks/' . Calls::segment($id) . '?' . http_build_query(['license_key' => $license]);

        return $this->calls->change('DELETE', $path, null, [], true);
    }

    /**
     * @param float $seconds How long a buyer may be kept waiting.
     * @return Result<list<array<string, mixed>>>
     */
    public function pickupPoints(string $license, string $city, float $seconds): Result
    {
        $query = ['license_key' => $license, 'city' => $city, 'limit' => 50];

        return $this->calls->get('/pickup-points', $query, ['timeout' => $seconds, 'total_timeout' => $seconds, 'max_tries' => 1]);
    }
}
