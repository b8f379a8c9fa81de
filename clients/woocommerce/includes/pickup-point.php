<?php

declare(strict_types=1);

namespace ParcelworksWoo;

/** The point that a buyer chose: its id for the courier, and its words for people, also once the point is gone. */
final class PickupPoint
{
    private const META = '_parcelworks_point';

    public string $id;
    public string $words;

    public function __construct(string $id, string $words)
    {
        $this->id = $id;
        $this->words = $words;
    }

    public static function of(\WC_Order $order): ?self
    {
        $kept = $order->get_meta(self::META);

        return is_array($kept) && isset($kept['id'], $kept['words']) ? new self((string) $kept['id'], (string) $kept['words']) : null;
    }

    /** Not saved yet: who calls saves the order. */
    public function keep(\WC_Order $order): void
    {
        $order->update_meta_data(self::META, ['id' => $this->id, 'words' => $this->words]);
    }
}
