<?php

declare(strict_types=1);

namespace Parcelworks\Http;

/** What the numbers of curl's errors say about the request. */
final class CurlErrors
{
    public const TIMED_OUT = 28;

    /**
     * Protocol, URL, proxy's name, host's name, connection, and TLS before the first byte: versions, own certificate,
     * ciphers, theirs, the file of authorities.
     */
    private const BEFORE_SENDING = [1, 3, 5, 6, 7, 35, 51, 58, 59, 60, 77];

    public static function isBeforeSending(int $number): bool
    {
        return in_array($number, self::BEFORE_SENDING, true);
    }
}
