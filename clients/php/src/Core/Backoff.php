<?php

declare(strict_types=1);

namespace Parcelworks\Core;

use Parcelworks\Http\Response;

/** How long to wait between tries. */
final class Backoff
{
    private const FIRST_SECONDS = 0.5;
    private const LONGEST_SECONDS = 8.0;

    /**
     * What the service asked for, and a random time below a bound that doubles (full jitter): callers that failed
     * together do not come back together.
     */
    public static function waitSeconds(int $tries, ?Response $answer): float
    {
        $asked = $answer === null ? null : self::retryAfterSeconds($answer);
        $bound = min(self::LONGEST_SECONDS, self::FIRST_SECONDS * 2 ** min($tries - 1, 10));

        return ($asked ?? 0.0) + random_int(0, 1000000) / 1000000 * $bound;
    }

    /** The header `Retry-After`, in seconds or as a date. */
    public static function retryAfterSeconds(Response $answer): ?float
    {
        $value = trim($answer->header('Retry-After') ?? '');
        if (preg_match('/^\d{1,9}$/', $value) === 1) {
            return (float) $value;
        }
        $date = $value === '' ? false : strtotime($value);

        return $date === false ? null : (float) max(0, $date - time());
    }
}
