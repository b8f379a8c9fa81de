<?php

declare(strict_types=1);

namespace Parcelworks;

use Parcelworks\Core\Calls;
use Parcelworks\Core\Config;

/**
 * Client of the API v2.
 *
 * A call is sent until an answer settles it: after network errors, 408, 429 and statuses from 500 it is sent again,
 * the same bytes under the same key. A creation whose outcome stays open throws `UnknownOutcomeException`.
 *
 * @phpstan-import-type Options from Config
 * @phpstan-import-type CallOptions from Calls
 * @phpstan-import-type PickupPoint from Shapes
 * @phpstan-import-type License from Shapes
 */
final class Client
{
    public const VERSION = '0.1.0';

    private Calls $calls;

    /**
     * Seconds everywhere. `timeout` is for a try (40), `total_timeout` for a call with its repeats (150), `max_tries`
     * counts the first (5), a `Retry-After` longer than `retry_after_cap` ends the call (60). `license_key` goes
     * where a call names none. `app` names your program in the service's log.
     *
     * `before(array $event)` and `after(array $event)` are called around each try, `logger(string $message, array
     * $context)` after each; they are told no secret and nothing of a customer.
     *
     * @param Options $options
     * @throws Exception\UsageException
     */
    public function __construct(array $options)
    {
        $this->calls = new Calls(new Config($options));
    }

    public function shipments(): Api\Shipments
    {
        return new Api\Shipments($this->calls);
    }

    public function batches(): Api\Batches
    {
        return new Api\Batches($this->calls);
    }

    public function orders(): Api\Orders
    {
        return new Api\Orders($this->calls);
    }

    public function exports(): Api\Exports
    {
        return new Api\Exports($this->calls);
    }

    public function webhooks(): Api\Webhooks
    {
        return new Api\Webhooks($this->calls);
    }

    /**
     * Where recipients can fetch their parcels; nearest first with `latitude` and `longitude`.
     *
     * @param array{
     *     license_key?: string|null, city?: string, limit?: int, latitude?: float, longitude?: float
     * } $query
     * @param CallOptions $options
     * @return Result<list<PickupPoint>>
     * @throws Exception\CallException
     */
    public function pickupPoints(array $query = [], array $options = []): Result
    {
        /** @var Result<list<PickupPoint>> */
        return $this->calls->get('/pickup-points', $this->calls->withLicense($query), $options);
    }

    /**
     * The carrier accounts under which parcels go. A call without `license_key` needs there to be one.
     *
     * @param CallOptions $options
     * @return Result<list<License>>
     * @throws Exception\CallException
     */
    public function licenses(array $options = []): Result
    {
        /** @var Result<list<License>> */
        return $this->calls->get('/licenses', [], $options);
    }

    /**
     * Reads what has no method here.
     *
     * @param string $path Below `/api/v2`, such as `/account`.
     * @param array<string, mixed> $query
     * @param CallOptions $options
     * @return Result<mixed> A page is given whole, with `data`, `links` and `meta`.
     * @throws Exception\CallException
     */
    public function read(string $path, array $query = [], array $options = []): Result
    {
        return $this->calls->get($path, $query, $options);
    }

    /**
     * Sends a change that has no method here. Only one that was surely not carried out is sent again.
     *
     * @param string $path Below `/api/v2`, such as `/notifications/settings`.
     * @param array<string, mixed>|null $body
     * @param CallOptions $options
     * @return Result<mixed>
     * @throws Exception\CallException
     */
    public function change(string $method, string $path, ?array $body = null, array $options = []): Result
    {
        return $this->calls->change($method, $path, $body, $options, false);
    }
}
