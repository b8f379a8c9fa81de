<?php

declare(strict_types=1);

namespace ParcelworksWoo;

use ParcelworksWoo\Client\Exception\ApiException;
use ParcelworksWoo\Client\Exception\ConnectionException;
use ParcelworksWoo\Client\Exception\ParcelworksException;
use ParcelworksWoo\Client\Exception\RateLimitedException;
use ParcelworksWoo\Client\Exception\UnavailableException;

/**
 * The reason of a failed call in the shop's language. The service's own words, which are English or the courier's, stay
 * where they say more than their code, and where the code is not known here.
 */
final class Refusal
{
    public static function words(ParcelworksException $error): string
    {
        if ($error instanceof ConnectionException) {
            return __('The shipping service did not answer.', 'parcelworks') . "\n" . $error->getMessage();
        }
        if (!$error instanceof ApiException) {
            return $error->getMessage();
        }
        if ($error instanceof UnavailableException || $error instanceof RateLimitedException) {
            return __('The shipping service cannot answer at the moment.', 'parcelworks');
        }
        if ($error->fields() !== []) {
            return __('The shipping service does not take these values of the order:', 'parcelworks') . "\n" . self::lines($error);
        }

        return self::ofCode($error->errorCode(), $error->getMessage());
    }

    private static function ofCode(string $code, string $said): string
    {
        $known = [
            'unauthenticated' => __('The shipping service does not take the credentials of the shop. Make new ones in its panel and connect again.', 'parcelworks'),
            'forbidden' => __('The shop may not do this: the license is off or has expired, or the credentials are read-only.', 'parcelworks'),
            'not_found' => __('The shipping service does not have this.', 'parcelworks'),
            'duplicate_request' => __('The order has an active parcel of this kind in the shipping service. Cancel that one first.', 'parcelworks'),
            'idempotency_key_conflict' => __('The shipping service has another parcel of this order. Look for it in its panel.', 'parcelworks'),
            'shipment_not_cancellable' => __('The parcel can no longer be cancelled. Ask the courier.', 'parcelworks'),
        ];
        $quoting = [
            /* translators: %s: the courier's own words */
            'carrier_rejected' => __('The courier refuses: %s', 'parcelworks'),
            /* translators: %s: what the courier or a person at the service wrote */
            'creation_refused' => __('The shipping service tells why: %s', 'parcelworks'),
            /* translators: %s: what it cannot do, in the service's words */
            'not_supported' => __('The courier cannot do this: %s', 'parcelworks'),
        ];
        if (strncmp($code, 'http_', 5) === 0) {
            return __('Another program answered in place of the shipping service.', 'parcelworks') . "\n" . $said;
        }

        return $known[$code] ?? (isset($quoting[$code]) ? sprintf($quoting[$code], $said) : $said);
    }

    private static function lines(ApiException $error): string
    {
        $names = [
            'ship_data.contact_name' => __('Name', 'parcelworks'),
            'ship_data.contact_phone' => __('Phone', 'parcelworks'),
            'ship_data.contact_mail' => __('E-mail', 'parcelworks'),
            'ship_data.city' => __('Town', 'parcelworks'),
            'ship_data.street' => __('Street', 'parcelworks'),
            'ship_data.number' => __('House number', 'parcelworks'),
            'ship_data.apartment' => __('Apartment', 'parcelworks'),
            'ship_data.pickup' => __('Pickup point', 'parcelworks'),
            'ship_data.packages' => __('Packages', 'parcelworks'),
            'license_key' => __('Courier', 'parcelworks'),
        ];
        $lines = [];
        foreach ($error->fields() as $path => $messages) {
            $lines[] = ($names[$path] ?? $path) . ': ' . implode(' ', $messages);
        }

        return implode("\n", $lines);
    }
}
