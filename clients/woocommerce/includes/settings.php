<?php

declare(strict_types=1);

namespace ParcelworksWoo;

/** What the shop decided. */
final class Settings
{
    private const OPTION = 'parcelworks_settings';
    /** A shipping method whose orders are booked elsewhere, or fetched by the buyer. */
    public const NOT_SHIPPED = 'none';

    /** @return array<string, mixed> */
    public function all(): array
    {
        return (array) get_option(self::OPTION, []) + [
            'license' => '',
            'statuses' => [],
            'methods' => [],
            'points' => [],
            'completes' => false,
            'cash' => true,
        ];
    }

    /** @param array<string, mixed> $settings */
    public function save(array $settings): void
    {
        update_option(self::OPTION, $settings, false);
    }

    public function completesOrders(): bool
    {
        return (bool) $this->all()['completes'];
    }

    public function collectsCash(): bool
    {
        return (bool) $this->all()['cash'];
    }

    /** @return list<string> Order statuses that book by themselves, without `wc-`. */
    public function statuses(): array
    {
        return array_values(array_map('strval', (array) $this->all()['statuses']));
    }

    /** The license that books the order's shipping method; null where it is not shipped. */
    public function licenseFor(\WC_Order $order): ?string
    {
        foreach ($order->get_shipping_methods() as $item) {
            $method = $item->get_method_id() . ':' . $item->get_instance_id();
            $chosen = $this->all()['methods'][$method] ?? null;
            if ($chosen === self::NOT_SHIPPED || ($chosen === null && self::isFetched($item->get_method_id()))) {
                return null;
            }
            if (is_string($chosen) && $chosen !== '') {
                return $chosen;
            }
        }

        return (string) $this->all()['license'];
    }

    /** @param string $rate Such as `flat_rate:3`. */
    public function isPointRate(string $rate): bool
    {
        return in_array($rate, (array) $this->all()['points'], true);
    }

    /** The order's rate that goes to a pickup point; null where none does. */
    public function pointRateOf(\WC_Order $order): ?string
    {
        foreach ($order->get_shipping_methods() as $item) {
            $rate = $item->get_method_id() . ':' . $item->get_instance_id();
            if ($this->isPointRate($rate)) {
                return $rate;
            }
        }

        return null;
    }

    /** The license whose points a rate offers. */
    public function licenseOfRate(string $rate): string
    {
        $chosen = (string) ($this->all()['methods'][$rate] ?? '');

        return $chosen === '' || $chosen === self::NOT_SHIPPED ? (string) $this->all()['license'] : $chosen;
    }

    /** @return array<string, string> Titles of the shop's shipping methods by rate. */
    public static function methods(): array
    {
        $methods = [];
        $zones = array_map(static fn (array $zone): int => (int) $zone['id'], \WC_Shipping_Zones::get_zones());
        foreach (array_merge(array_values($zones), [0]) as $id) {
            $zone = new \WC_Shipping_Zone($id);
            foreach ($zone->get_shipping_methods() as $method) {
                $methods[$method->id . ':' . $method->get_instance_id()] = $zone->get_zone_name() . ' – ' . $method->get_title();
            }
        }

        return $methods;
    }

    public static function isFetched(string $methodId): bool
    {
        return in_array($methodId, ['local_pickup', 'pickup_location'], true);
    }
}
