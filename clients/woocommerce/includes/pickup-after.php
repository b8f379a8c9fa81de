<?php

declare(strict_types=1);

namespace ParcelworksWoo;

/**
 * The list of points on the page that a buyer sees after the order, where the check-out had none to offer: without
 * script, and for whichever check-out the shop has.
 */
final class PickupAfter
{
    private PickupPoints $points;
    private Settings $settings;
    private Parcels $parcels;

    public function __construct(PickupPoints $points, Settings $settings, Parcels $parcels)
    {
        $this->points = $points;
        $this->settings = $settings;
        $this->parcels = $parcels;
    }

    public function hook(): void
    {
        add_action('woocommerce_before_thankyou', [$this, 'show']);
        add_action('admin_post_parcelworks_point', [$this, 'keep']);
        add_action('admin_post_nopriv_parcelworks_point', [$this, 'keep']);
    }

    /** @param int|string $orderId */
    public function show($orderId): void
    {
        $order = wc_get_order((int) $orderId);
        $rate = $order instanceof \WC_Order ? $this->settings->pointRateOf($order) : null;
        if ($rate === null) {
            return;
        }
        $chosen = PickupPoint::of($order);
        if ($chosen !== null) {
            echo '<p>' . esc_html__('Pickup point', 'parcelworks') . ': <bdi>' . esc_html($chosen->words) . '</bdi></p>';

            return;
        }
        $points = $this->points->near($rate, (string) ($order->get_shipping_city() ?: $order->get_billing_city()));
        if ($points === []) {
            echo '<p>' . esc_html__('The pickup points cannot be shown now. Open this page again later.', 'parcelworks') . '</p>';

            return;
        }
        printf(
            '<form class="parcelworks-point" method="post" action="%s"><input type="hidden" name="action" value="parcelworks_point">'
                . '<input type="hidden" name="order" value="%d"><input type="hidden" name="key" value="%s"><p>%s</p><p><button type="submit" class="button">%s</button></p></form>',
            esc_url(admin_url('admin-post.php')),
            (int) $orderId,
            esc_attr($order->get_order_key()),
            PickupPoint::choice($points, null),
            esc_html__('Send it there', 'parcelworks')
        );
    }

    /** The order's own key is the permission, as for the page itself. */
    public function keep(): void
    {
        $order = wc_get_order(absint($_POST['order'] ?? 0));
        $key = sanitize_text_field(wp_unslash((string) ($_POST['key'] ?? '')));
        if (!$order instanceof \WC_Order || $key === '' || !hash_equals($order->get_order_key(), $key)) {
            wp_die(esc_html__('You may not do this.', 'parcelworks'), '', ['response' => 403]);
        }
        $point = PickupPoint::read(wp_unslash($_POST['parcelworks_point'] ?? null));
        if ($point !== null && $this->settings->pointRateOf($order) !== null && $this->parcels->isUnsent($order->get_id())) {
            $point->keep($order);
            $order->save();
            $this->parcels->mended($order->get_id());
        }
        wp_safe_redirect($order->get_checkout_order_received_url());
        exit;
    }
}
