<?php

declare(strict_types=1);

namespace ParcelworksWoo;

/** A parcel's state in a word, with what it means. */
final class StateBadge
{
    /** @return string HTML. */
    public static function of(Parcel $parcel): string
    {
        $isNews = $parcel->state === Parcel::BOOKED && $parcel->status !== null;

        return sprintf(
            '<mark class="parcelworks-state parcelworks-%s" title="%s">%s</mark>',
            esc_attr($parcel->state),
            esc_attr(self::meaning($parcel->state)),
            esc_html($isNews ? Status::name((string) $parcel->status) : self::name($parcel->state))
        );
    }

    public static function name(string $state): string
    {
        $names = [
            Parcel::WAITING => __('Waiting', 'parcelworks'),
            Parcel::SENT => __('Sent', 'parcelworks'),
            Parcel::BOOKED => __('Booked', 'parcelworks'),
            Parcel::REFUSED => __('Refused', 'parcelworks'),
            Parcel::UNKNOWN => __('Unknown', 'parcelworks'),
        ];

        return $names[$state] ?? $state;
    }

    public static function meaning(string $state): string
    {
        $meanings = [
            Parcel::WAITING => __('In the queue. Nothing was sent yet.', 'parcelworks'),
            Parcel::SENT => __('Sent. The answer is awaited, and asked for by itself.', 'parcelworks'),
            Parcel::BOOKED => __('The courier has the parcel in its books.', 'parcelworks'),
            Parcel::REFUSED => __('Nothing was booked. Mend what the reason names, and try again.', 'parcelworks'),
            Parcel::UNKNOWN => __('It is not known whether the courier has it. Do not book it elsewhere before it is.', 'parcelworks'),
        ];

        return $meanings[$state] ?? '';
    }
}
