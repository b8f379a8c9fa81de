<?php

declare(strict_types=1);

namespace ParcelworksWoo;

/**
 * The list of points in the classic check-out, below the way to ship that goes to one. It is part of the form that the
 * server draws, so it works without script; without points it is not there, and the purchase goes on.
 */
final class PickupChooser
{
    private PickupPoints $points;
    private Settings $settings;

    public function __construct(PickupPoints $points, Settings $settings)
    {
        $this->points = $points;
        $this->settings = $settings;
    }

    public function hook(): void
    {
        add_action('woocommerce_after_shipping_rate', [$this, 'show'], 20);
        add_action('woocommerce_checkout_update_order_review', [$this, 'remember']);
        add_action('woocommerce_checkout_create_order', [$this, 'keep']);
    }

    /** @param \WC_Shipping_Rate $rate */
    public function show($rate): void
    {
        if (!is_checkout() || !$this->settings->isPointRate($rate->get_id()) || !$this->isChosen($rate->get_id())) {
            return;
        }
        $customer = WC()->customer;
        $points = $customer === null ? [] : $this->points->near($rate->get_id(), (string) $customer->get_shipping_city());
        if ($points === []) {
            echo '<p>' . esc_html__('You choose the pickup point after the order.', 'parcelworks') . '</p>';

            return;
        }
        $chosen = PickupPoint::read(WC()->session === null ? null : WC()->session->get('parcelworks_point'));
        echo '<p>' . PickupPoint::choice($points, $chosen) . '</p>';
    }

    /** The part of the page is drawn anew with every change of the address: the choice must outlive it. */
    public function remember(string $sent): void
    {
        parse_str($sent, $fields);
        if (WC()->session !== null && isset($fields['parcelworks_point'])) {
            WC()->session->set('parcelworks_point', sanitize_text_field((string) $fields['parcelworks_point']));
        }
    }

    public function keep(\WC_Order $order): void
    {
        $point = PickupPoint::read(wp_unslash($_POST['parcelworks_point'] ?? null));
        // Without script the list stays in the form when another way to ship is chosen.
        if ($point !== null && $this->settings->pointRateOf($order) !== null) {
            $point->keep($order);
        }
    }

    private function isChosen(string $rate): bool
    {
        $chosen = WC()->session === null ? [] : (array) WC()->session->get('chosen_shipping_methods', []);

        return in_array($rate, $chosen, true);
    }
}
