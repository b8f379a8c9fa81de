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

    /** As a form sends it: the words come along, so that they are there when the list of points is not. */
    public function asValue(): string
    {
        return $this->id . '|' . $this->words;
    }

    /** @param mixed $value */
    public static function read($value): ?self
    {
        [$id, $words] = explode('|', is_string($value) ? sanitize_text_field($value) : '', 2) + ['', ''];

        return $id === '' || $words === '' ? null : new self(mb_substr($id, 0, 64), mb_substr($words, 0, 255));
    }

    /**
     * @param list<self> $points
     * @return string HTML of a list to choose from.
     */
    public static function choice(array $points, ?self $chosen): string
    {
        $options = '<option value="">' . esc_html__('Choose a pickup point', 'parcelworks') . '</option>';
        foreach ($points as $point) {
            $isChosen = $chosen !== null && $chosen->id === $point->id;
            $options .= sprintf('<option value="%s"%s>%s</option>', esc_attr($point->asValue()), selected($isChosen, true, false), esc_html($point->words));
        }

        return '<select name="parcelworks_point" aria-label="' . esc_attr__('Pickup point', 'parcelworks')
            . '" style="max-width:100%">' . $options . '</select>';
    }

    /** Not saved yet: who calls saves the order. */
    public function keep(\WC_Order $order): void
    {
        $order->update_meta_data(self::META, ['id' => $this->id, 'words' => $this->words]);
    }
}
