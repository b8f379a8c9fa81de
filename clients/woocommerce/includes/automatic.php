<?php

declare(strict_types=1);

namespace ParcelworksWoo;

/** Books orders by themselves when they come into a status, by the rules of their shipping methods. */
final class Automatic
{
    private Parcels $parcels;
    private Settings $settings;

    public function __construct(Parcels $parcels, Settings $settings)
    {
        $this->parcels = $parcels;
        $this->settings = $settings;
    }

    public function hook(): void
    {
        add_action('woocommerce_order_status_changed', [$this, 'changed'], 20, 4);
    }

    /** Only queues: a check-out must not wait for a courier. */
    public function changed(int $orderId, string $from, string $to, \WC_Order $order): void
    {
        // A service or a gift card is processed too, but nothing of it is sent: its order has no shipping method.
        if (in_array($to, $this->settings->statuses(), true) && $order->get_shipping_methods() !== [] && $this->parcels->ask($order)) {
            $this->parcels->wake();
        }
    }
}
