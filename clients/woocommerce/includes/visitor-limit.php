<?php

declare(strict_types=1);

namespace ParcelworksWoo;

/**
 * How many towns a visitor may have looked up, so that nobody makes the shop's credentials a look-up of their own, or
 * uses up the rate that its parcels need. Towns that were looked up today cost nothing, and are not counted.
 */
final class VisitorLimit
{
    public const WINDOW_SECONDS = 600;
    private const MOST_TOWNS = 20;

    /** Counts one. False where the visitor has had them all; two at once may count as one. */
    public function take(): bool
    {
        $name = 'parcelworks_visits_' . substr(wp_hash(self::visitor()), 0, 32);
        $kept = get_transient($name);
        [$had, $until] = is_array($kept) ? $kept : [0, time() + self::WINDOW_SECONDS];
        if ($had >= self::MOST_TOWNS) {
            return false;
        }
        set_transient($name, [$had + 1, $until], max(1, $until - time()));

        return true;
    }

    /**
     * Who is connected, which a request cannot make up; the headers of a proxy it can. Behind a proxy that the web
     * server does not undo all visitors are one, unless the filter says who is asking.
     */
    private static function visitor(): string
    {
        $address = (string) apply_filters('parcelworks_visitor_address', (string) ($_SERVER['REMOTE_ADDR'] ?? ''));
        $bytes = filter_var($address, FILTER_VALIDATE_IP, FILTER_FLAG_IPV6) === false ? null : inet_pton($address);

        // A home has 2^64 addresses of the newer kind.
        return is_string($bytes) ? bin2hex(substr($bytes, 0, 8)) : $address;
    }
}
