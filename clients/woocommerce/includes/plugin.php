<?php

declare(strict_types=1);

namespace ParcelworksWoo;

/** Puts the parts together and hooks them into the shop. */
final class Plugin
{
    public static function start(): void
    {
        $store = new ParcelStore();
        $settings = new Settings();
        $connection = new Connection();
        $booking = new Booking($store, $settings, $connection);
        $queue = new Queue($store, $booking);
        $parcels = new Parcels($store, $settings, $connection, $booking, $queue);

        $points = new PickupPoints($settings, $connection, new VisitorLimit());

        foreach (
            [
                $queue,
                new Automatic($parcels, $settings),
                new Webhook($store, $connection, $booking),
                new OrderRest($store),
                new PickupChooser($points, $settings),
                new PickupBlock($points, $settings),
                new PickupAfter($points, $settings, $parcels),
            ] as $part
        ) {
            $part->hook();
        }
        if (is_admin()) {
            add_action('admin_init', [Install::class, 'upgrade']);
            (new OrderBox($store, $parcels, $settings, $connection))->hook();
            (new OrderList($store, $parcels))->hook();
            (new OrderActs($parcels, $connection))->hook();
            (new LabelPage($store, $connection))->hook();
            (new SettingsPage($settings, $connection, $store, $queue))->hook();
        }
    }
}
