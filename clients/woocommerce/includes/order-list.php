<?php

declare(strict_types=1);

namespace ParcelworksWoo;

/** The list of orders: a column with the state, and parcels and labels in bulk. */
final class OrderList
{
    private ParcelStore $store;
    private Parcels $parcels;
    /** @var array<int, Parcel>|null */
    private ?array $newest = null;

    public function __construct(ParcelStore $store, Parcels $parcels)
    {
        $this->store = $store;
        $this->parcels = $parcels;
    }

    public function hook(): void
    {
        foreach (['edit-shop_order', 'woocommerce_page_wc-orders'] as $screen) {
            add_filter("bulk_actions-$screen", [$this, 'actions']);
            add_filter("handle_bulk_actions-$screen", [$this, 'act'], 10, 3);
        }
        add_filter('manage_edit-shop_order_columns', [$this, 'columns'], 20);
        add_filter('manage_woocommerce_page_wc-orders_columns', [$this, 'columns'], 20);
        add_action('manage_shop_order_posts_custom_column', [$this, 'cell'], 10, 2);
        add_action('manage_woocommerce_page_wc-orders_custom_column', [$this, 'cell'], 10, 2);
        add_action('admin_notices', [$this, 'tell']);
    }

    /**
     * @param array<string, string> $actions
     * @return array<string, string>
     */
    public function actions(array $actions): array
    {
        return $actions + [
            'parcelworks_ship' => __('Ship with Parcelworks', 'parcelworks'),
            'parcelworks_labels' => __('Print parcel labels', 'parcelworks'),
        ];
    }

    /**
     * @param array<int|string> $ids
     */
    public function act(string $redirect, string $action, array $ids): string
    {
        $ids = array_map('absint', $ids);
        if ($action === 'parcelworks_labels') {
            return LabelPage::url($ids);
        }
        if ($action !== 'parcelworks_ship' || !current_user_can('edit_shop_orders')) {
            return $redirect;
        }
        $queued = 0;
        foreach ($ids as $id) {
            $order = wc_get_order($id);
            $queued += $order instanceof \WC_Order && $this->parcels->ask($order) ? 1 : 0;
        }
        $this->parcels->wake();

        return add_query_arg(['parcelworks_queued' => $queued, 'parcelworks_skipped' => count($ids) - $queued], $redirect);
    }

    public function tell(): void
    {
        if (!isset($_GET['parcelworks_queued'])) {
            return;
        }
        $queued = absint($_GET['parcelworks_queued']);
        $skipped = absint($_GET['parcelworks_skipped'] ?? 0);
        /* translators: %d: number of orders */
        $text = sprintf(__('Orders that have their parcel, or wait for it: %d.', 'parcelworks'), $queued);
        if ($skipped > 0) {
            /* translators: %d: number of orders */
            $text .= ' ' . sprintf(__('Not shipped with Parcelworks: %d.', 'parcelworks'), $skipped);
        }
        echo '<div class="notice notice-success"><p>' . esc_html($text) . '</p></div>';
    }

    /**
     * @param array<string, string> $columns
     * @return array<string, string>
     */
    public function columns(array $columns): array
    {
        return $columns + ['parcelworks' => __('Parcel', 'parcelworks')];
    }

    /** @param int|\WC_Order $of */
    public function cell(string $column, $of): void
    {
        if ($column !== 'parcelworks') {
            return;
        }
        $id = $of instanceof \WC_Order ? $of->get_id() : (int) $of;
        $parcel = $this->newest($id);
        if ($parcel === null) {
            return;
        }
        wp_enqueue_style('parcelworks', plugins_url('assets/admin.css', PLUGIN_FILE), [], VERSION);
        echo StateBadge::of($parcel);
        if ($parcel->trackingCode !== null) {
            echo ' <bdi>' . esc_html($parcel->trackingCode) . '</bdi>';
        }
        if ($parcel->message !== null) {
            echo '<div class="parcelworks-message" dir="auto">' . esc_html($parcel->message) . '</div>';
        }
    }

    /** Read once for the page: those of the posts that the list shows, or one by one. */
    private function newest(int $id): ?Parcel
    {
        if ($this->newest === null) {
            global $wp_query;
            $posts = isset($wp_query->posts) && is_array($wp_query->posts) ? $wp_query->posts : [];
            $ids = array_map(static fn ($post): int => is_object($post) ? (int) $post->ID : (int) $post, $posts);
            $this->newest = $this->store->newestOf($ids);
        }

        return $this->newest[$id] ?? $this->store->newestOf([$id])[$id] ?? null;
    }
}
