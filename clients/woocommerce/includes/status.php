<?php

declare(strict_types=1);

namespace ParcelworksWoo;

/** What a courier says about a parcel, as the service names it. One that is not listed here is shown as it is. */
final class Status
{
    private const STEPS = [
        'created' => 1,
        'collected' => 2,
        'in_transit' => 3,
        'at_pickup_point' => 4,
        'out_for_delivery' => 5,
        'delivery_failed' => 6,
        'returning' => 7,
        'cancelled' => 9,
        'lost' => 9,
        'delivered' => 9,
        'returned' => 10,
    ];

    /** Which of two statuses of the same second is the later one. */
    public static function step(string $status): int
    {
        return self::STEPS[$status] ?? 3;
    }

    public static function name(string $status): string
    {
        $names = [
            'created' => __('Booked', 'parcelworks'),
            'collected' => __('Collected', 'parcelworks'),
            'in_transit' => __('On its way', 'parcelworks'),
            'at_pickup_point' => __('At the pickup point', 'parcelworks'),
            'out_for_delivery' => __('With the courier', 'parcelworks'),
            'delivery_failed' => __('Delivery failed', 'parcelworks'),
            'returning' => __('Coming back', 'parcelworks'),
            'delivered' => __('Delivered', 'parcelworks'),
            'returned' => __('Returned', 'parcelworks'),
            'cancelled' => __('Cancelled', 'parcelworks'),
            'lost' => __('Lost', 'parcelworks'),
        ];

        return $names[$status] ?? $status;
    }
}
