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
}
