<?php

declare(strict_types=1);

namespace ParcelworksWoo;

/** The parcels of an order, on its page in both of WooCommerce's ways to store orders. */
final class OrderBox
{
    private ParcelStore $store;
    private Parcels $parcels;
    private Settings $settings;
    private Connection $connection;
    private ?int $shown = null;

    public function __construct(ParcelStore $store, Parcels $parcels, Settings $settings, Connection $connection)
    {
        $this->store = $store;
        $this->parcels = $parcels;
        $this->settings = $settings;
        $this->connection = $connection;
    }

    public function hook(): void
    {
        add_action('add_meta_boxes', function (): void {
            $screens = ['shop_order'];
            if (function_exists('wc_get_page_screen_id')) {
                $screens[] = wc_get_page_screen_id('shop-order');
            }
            foreach (array_unique($screens) as $screen) {
                add_meta_box('parcelworks', __('Parcel', 'parcelworks'), [$this, 'show'], $screen, 'side', 'high');
            }
        });
        // The page's own form is around the box, so that the box' buttons name forms at its end.
        add_action('admin_footer', [$this, 'forms']);
    }

    /** @param \WP_Post|\WC_Order $of */
    public function show($of): void
    {
        $order = $of instanceof \WC_Order ? $of : wc_get_order($of->ID);
        if (!$order instanceof \WC_Order) {
            return;
        }
        $this->shown = $order->get_id();
        $parcels = $this->store->ofOrder($order->get_id());
        echo '<div class="parcelworks-box" data-order="' . esc_attr((string) $order->get_id()) . '">';
        if (!$this->connection->isUsable()) {
            printf(
                '<p><a href="%s">%s</a></p>',
                esc_url(SettingsPage::url()),
                esc_html__('Connect the shop to your shipping service first.', 'parcelworks')
            );
        } else {
            foreach ($parcels as $parcel) {
                $this->parcel($parcel);
            }
            $this->acts($order, $parcels);
        }
        echo '</div>';
    }

    private function parcel(Parcel $parcel): void
    {
        $kinds = [
            Parcel::DELIVERY => __('Delivery', 'parcelworks'),
            Parcel::RETURN => __('Return', 'parcelworks'),
            Parcel::EXCHANGE => __('Exchange', 'parcelworks'),
        ];
        printf(
            '<div class="parcelworks-parcel" data-state="%s"><p><strong>%s</strong> %s</p>',
            esc_attr($parcel->state),
            esc_html($kinds[$parcel->kind] ?? $parcel->kind),
            StateBadge::of($parcel)
        );
        if ($parcel->trackingCode !== null) {
            $code = '<bdi>' . esc_html($parcel->trackingCode) . '</bdi>';
            echo '<p>' . ($parcel->shortCode === null ? $code : sprintf(
                '<a href="%s" target="_blank" rel="noopener">%s</a>',
                esc_url($this->connection->trackUrl($parcel->shortCode)),
                $code
            )) . '</p>';
        }
        if ($parcel->message !== null) {
            echo '<p class="parcelworks-message" dir="auto">' . nl2br(esc_html($parcel->message)) . '</p>';
        }
        echo '<p>';
        if ($parcel->isActive()) {
            printf(
                '<a class="button" target="_blank" rel="noopener" href="%s">%s</a> ',
                esc_url(LabelPage::url([$parcel->orderId])),
                esc_html__('Label', 'parcelworks')
            );
            if (!$parcel->isFinal()) {
                self::button('cancel', __('Cancel parcel', 'parcelworks'), ['parcel' => (string) $parcel->id]);
            }
        }
        echo '</p></div>';
    }

    /** @param list<Parcel> $parcels */
    private function acts(\WC_Order $order, array $parcels): void
    {
        $newest = end($parcels);
        if ($newest !== false && ($newest->isOpen() || $newest->state === Parcel::REFUSED)) {
            $texts = [
                Parcel::WAITING => __('Send now', 'parcelworks'),
                Parcel::SENT => __('Look again', 'parcelworks'),
                Parcel::UNKNOWN => __('Ask again', 'parcelworks'),
                Parcel::REFUSED => __('Try again', 'parcelworks'),
            ];
            if ($newest->state === Parcel::REFUSED) {
                $this->recipient($order);
            }
            self::button('retry', $texts[$newest->state], []);

            return;
        }
        $kinds = Parcels::allowed($parcels);
        if ($kinds === []) {
            return;
        }
        $this->recipient($order);
        $this->choices($order);
        $texts = [
            Parcel::DELIVERY => $newest === false ? __('Ship', 'parcelworks') : __('Ship again', 'parcelworks'),
            Parcel::RETURN => __('Fetch a return', 'parcelworks'),
            Parcel::EXCHANGE => __('Exchange', 'parcelworks'),
        ];
        foreach ($kinds as $kind) {
            self::button('ship-' . $kind, $texts[$kind], ['n' => (string) (count($parcels) + 1)]);
        }
    }

    /** What would be sent, so that a wrong address is seen before. */
    private function recipient(\WC_Order $order): void
    {
        $to = OrderBody::recipient($order);
        $point = PickupPoint::of($order);
        if ($point === null && $this->settings->pointRateOf($order) !== null) {
            printf(
                '<p><a href="%s" target="_blank">%s</a></p>',
                esc_url($order->get_checkout_order_received_url()),
                esc_html__('Choose the pickup point', 'parcelworks')
            );
        }
        $where = $point === null
            ? implode(', ', array_filter([trim($to['street'] . ' ' . $to['number']), $to['apartment'], $to['city']]))
            : __('Pickup point', 'parcelworks') . ': ' . $point->words;
        foreach ([$to['contact_name'], $to['contact_phone'], $where] as $line) {
            echo '<div><bdi>' . ($line === '' ? '–' : esc_html($line)) . '</bdi></div>';
        }
    }

    private function choices(\WC_Order $order): void
    {
        $licenses = $this->connection->licenses();
        $chosen = $this->settings->licenseFor($order);
        if ($chosen === null) {
            echo '<p><em>' . esc_html__('This shipping method is set to be shipped without Parcelworks.', 'parcelworks') . '</em></p>';
        }
        echo '<p><label>' . esc_html__('Courier', 'parcelworks') . ' <select form="parcelworks-act" name="license">';
        foreach ($licenses as $key => $name) {
            printf('<option value="%s"%s>%s</option>', esc_attr((string) $key), selected($chosen, (string) $key, false), esc_html($name));
        }
        echo '</select></label></p><p><label>' . esc_html__('Packages', 'parcelworks')
            . ' <input form="parcelworks-act" type="number" name="packages" value="1" min="1" max="99" class="small-text"></label></p>';
    }

    /** @param array<string, string> $fields */
    private static function button(string $act, string $text, array $fields): void
    {
        // One form for all: what a button says is in its value.
        printf(
            '<button type="submit" form="parcelworks-act" name="act" value="%s" class="button%s">%s</button> ',
            esc_attr($act . ($fields === [] ? '' : ':' . implode(':', $fields))),
            strncmp($act, 'cancel', 6) === 0 ? '' : ' button-primary',
            esc_html($text)
        );
    }

    public function forms(): void
    {
        if ($this->shown === null) {
            return;
        }
        printf(
            '<form id="parcelworks-act" method="post" action="%s"><input type="hidden" name="action" value="parcelworks_act">'
                . '<input type="hidden" name="order" value="%d">%s</form>',
            esc_url(admin_url('admin-post.php')),
            (int) $this->shown,
            wp_nonce_field('parcelworks_act_' . $this->shown, '_wpnonce', false, false)
        );
        wp_enqueue_style('parcelworks', plugins_url('assets/admin.css', PLUGIN_FILE), [], VERSION);
        wp_enqueue_script('parcelworks', plugins_url('assets/order.js', PLUGIN_FILE), ['wp-api-fetch'], VERSION, true);
    }
}
