<?php

declare(strict_types=1);

namespace ParcelworksWoo;

/** The buttons of an order's parcels. A reload or a second click of any of them adds nothing. */
final class OrderActs
{
    private Parcels $parcels;
    private Connection $connection;

    public function __construct(Parcels $parcels, Connection $connection)
    {
        $this->parcels = $parcels;
        $this->connection = $connection;
    }

    public function hook(): void
    {
        add_action('admin_post_parcelworks_act', [$this, 'act']);
        add_action('admin_notices', [$this, 'tell']);
    }

    public function act(): void
    {
        $orderId = isset($_POST['order']) ? absint($_POST['order']) : 0;
        check_admin_referer('parcelworks_act_' . $orderId);
        $order = wc_get_order($orderId);
        if (!current_user_can('edit_shop_orders') || !$order instanceof \WC_Order) {
            wp_die(esc_html__('You may not do this.', 'parcelworks'), '', ['response' => 403]);
        }
        $act = explode(':', sanitize_text_field(wp_unslash((string) ($_POST['act'] ?? ''))));
        $number = (int) ($act[1] ?? 0);
        $why = null;
        if ($act[0] === 'retry') {
            $this->parcels->retry($orderId);
        } elseif ($act[0] === 'cancel') {
            $why = $this->parcels->cancel($orderId, $number);
        } elseif (strncmp($act[0], 'ship-', 5) === 0) {
            $license = sanitize_text_field(wp_unslash((string) ($_POST['license'] ?? '')));
            if (array_key_exists($license, $this->connection->licenses())) {
                $this->parcels->ship($order, $number, substr($act[0], 5), $license, absint($_POST['packages'] ?? 1));
            } else {
                $why = __('Choose a courier.', 'parcelworks');
            }
        }
        if ($why !== null) {
            set_transient('parcelworks_told_' . get_current_user_id(), $why, 60);
        }
        wp_safe_redirect($order->get_edit_order_url());
        exit;
    }

    public function tell(): void
    {
        $name = 'parcelworks_told_' . get_current_user_id();
        $text = get_transient($name);
        if (is_string($text)) {
            delete_transient($name);
            echo '<div class="notice notice-warning"><p dir="auto">' . esc_html($text) . '</p></div>';
        }
    }
}
