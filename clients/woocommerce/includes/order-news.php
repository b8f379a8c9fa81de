<?php

declare(strict_types=1);

namespace ParcelworksWoo;

/** Tells an order what became of its parcel: each thing once. */
final class OrderNews
{
    public static function booked(Parcel $parcel, string $trackingCode, ?string $url): void
    {
        /* translators: %s: tracking code */
        $text = sprintf(__('Parcel booked: %s', 'parcelworks'), $trackingCode);
        self::note($parcel, $url === null ? $text : "$text\n$url");
    }

    public static function refused(Parcel $parcel, string $why): void
    {
        /* translators: %s: the reason */
        self::note($parcel, sprintf(__('No parcel was booked: %s', 'parcelworks'), $why));
    }

    public static function moved(Parcel $parcel, string $status, Settings $settings): void
    {
        /* translators: 1: tracking code, 2: status */
        $text = sprintf(__('Parcel %1$s: %2$s', 'parcelworks'), (string) $parcel->trackingCode, Status::name($status));
        self::note($parcel, $text);
        $order = wc_get_order($parcel->orderId);
        // Forwards only: an order that was completed, refunded or cancelled meanwhile stays so.
        if (
            $status === 'delivered' && $parcel->brings() && $settings->completesOrders()
            && $order instanceof \WC_Order && $order->has_status(['processing', 'on-hold'])
        ) {
            $order->update_status('completed');
        }
    }

    private static function note(Parcel $parcel, string $text): void
    {
        $order = wc_get_order($parcel->orderId);
        if ($order instanceof \WC_Order) {
            $order->add_order_note(esc_html($text));
        }
    }
}
