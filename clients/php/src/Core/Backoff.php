<?php

declare(strict_types=1);

namespace Parcelworks\Core;

use Parcelworks\Http\Response;

/** How long to wait between tries. */
final class Backoff
{
    private const FIRST_SECONDS = 0.5;
    private const LONGEST_SECONDS = 20.0;

    /**
     * What the service asked for, at most the cap, and a little more so that callers do not come back together; else a
     * random time below a bound that doubles (full jitter).
     */
    public static function waitSeconds(int $tries, ?Response $answer, float $retryAfterCapSeconds): float
    {
        $asked = $answer === null ? null : self::retryAfterSeconds($answer);
        if ($asked !== null) {
            return min($asked, $retryAfterCapSeconds) + self::random() * self::FIRST_SECONDS;
        }
        $bound = min(self::LONGEST_SECONDS, self::FIRST_SECONDS * 2 ** min($tries - 1, 10));

        return self::random() * $bound;
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

    private static function random(): float
    {
        return random_int(0, 1000000) / 1000000;
    }
}
