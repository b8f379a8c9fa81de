<?php

declare(strict_types=1);

namespace ParcelworksWoo;

/** An order as the service wants it. */
final class OrderBody
{
    /** Two shops of one account may have an order 17 each. */
    public static function orderId(string $site, int $orderId): string
    {
        return "$site-$orderId";
    }

    /** @return array<string, mixed> The body of a creation. */
    public static function of(\WC_Order $order, Parcel $parcel, string $site, string $key, bool $collectsCash): array
    {
        $data = self::recipient($order) + [
            'type' => $parcel->kind === Parcel::RETURN ? 2 : 1,
            'return' => $parcel->kind === Parcel::EXCHANGE ? 2 : 1,
            'packages' => $parcel->packages,
            'note' => self::cut(trim($order->get_customer_note()), 1000),
        ];
        $point = PickupPoint::of($order);
        if ($point !== null && $parcel->brings()) {
            unset($data['street'], $data['number'], $data['city'], $data['apartment']);
            $data += ['pickup' => $point->id, 'pickup_address' => self::cut($point->words, 255)];
        }
        if ($collectsCash && $parcel->kind === Parcel::DELIVERY && $order->get_payment_method() === 'cod') {
            $data += ['is_cod' => true, 'cod_amount' => wc_format_decimal($order->get_total(), 2)];
        }

        return [
            'license_key' => $parcel->license,
            'ship_data' => array_filter($data, static fn ($value): bool => $value !== ''),
            'order' => [
                'id' => self::orderId($site, $order->get_id()),
                'number' => (string) $order->get_order_number(),
                'status' => $order->get_status(),
                'source' => 'woocommerce',
                'external_id' => $key,
                'total' => wc_format_decimal($order->get_total(), 2),
                'currency' => $order->get_currency(),
                'items' => self::items($order),
            ],
        ];
    }

    /**
     * The recipient's part of `ship_data`.
     *
     * @return array<string, string>
     */
    public static function recipient(\WC_Order $order): array
    {
        $address = $order->has_shipping_address() ? $order->get_address('shipping') : $order->get_address('billing');
        $billing = $order->get_address('billing');
        $phone = (string) ($address['phone'] ?? '') !== '' ? $address['phone'] : ($billing['phone'] ?? '');
        $home = self::street(trim((string) ($address['address_1'] ?? '')), trim((string) ($address['address_2'] ?? '')));

        return [
            'contact_name' => self::cut(trim(($address['first_name'] ?? '') . ' ' . ($address['last_name'] ?? '')), 255),
            'contact_phone' => self::cut(trim((string) $phone), 32),
            'contact_mail' => (string) ($billing['email'] ?? ''),
            'company' => self::cut((string) ($address['company'] ?? ''), 255),
            'city' => self::cut(trim((string) ($address['city'] ?? '')), 255),
        ] + $home;
    }

    /**
     * A check-out has two lines for what the service keeps apart.
     *
     * @return array<string, string>
     */
    public static function street(string $first, string $second): array
    {
        if (preg_match('/^(.*\D)[\s,]+(\d+[\p{L}]?(?:[\/-]\d+)?)$/u', $first, $found) === 1) {
            return ['street' => rtrim($found[1], ' ,'), 'number' => $found[2], 'apartment' => self::cut($second, 32)];
        }
        if (preg_match('/^\d+[\p{L}]?(?:[\/-]\d+)?$/u', $second) === 1) {
            return ['street' => self::cut($first, 255), 'number' => $second, 'apartment' => ''];
        }

        return ['street' => self::cut($first, 255), 'number' => '', 'apartment' => self::cut($second, 32)];
    }

    /** @return list<array<string, mixed>> */
    private static function items(\WC_Order $order): array
    {
        $items = [];
        foreach ($order->get_items() as $item) {
            $product = $item->get_product();
            $sku = $product ? (string) $product->get_sku() : '';
            $items[] = array_filter([
                'name' => self::cut($item->get_name(), 1000),
                'quantity' => max(1, (int) $item->get_quantity()),
                'total' => wc_format_decimal($item->get_total(), 2),
                'sku' => self::cut($sku, 255),
                'virtual' => $product ? $product->is_virtual() : false,
            ], static fn ($value): bool => $value !== '');
        }

        return array_slice($items, 0, 1000);
    }

    private static function cut(string $text, int $most): string
    {
        return function_exists('mb_substr') ? mb_substr($text, 0, $most) : (string) substr($text, 0, $most);
    }
}
