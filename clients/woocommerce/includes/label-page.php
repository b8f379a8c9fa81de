<?php

declare(strict_types=1);

namespace ParcelworksWoo;

use ParcelworksWoo\Client\Exception\CallException;

/** Labels of one order or many: chosen sheet, first free place, then the PDF. */
final class LabelPage
{
    private const PAGE = 'parcelworks-labels';
    /** As many as the service puts into a document. */
    private const MOST = 100;

    private ParcelStore $store;
    private Connection $connection;

    public function __construct(ParcelStore $store, Connection $connection)
    {
        $this->store = $store;
        $this->connection = $connection;
    }

    /** @param list<int> $orderIds */
    public static function url(array $orderIds): string
    {
        return add_query_arg(['page' => self::PAGE, 'orders' => implode(',', $orderIds)], admin_url('admin.php'));
    }

    public function hook(): void
    {
        add_action('admin_menu', function (): void {
            add_submenu_page('', __('Parcel labels', 'parcelworks'), '', 'edit_shop_orders', self::PAGE, [$this, 'show']);
        });
        add_action('admin_post_parcelworks_labels', [$this, 'print']);
    }

    public function show(): void
    {
        $ids = self::orderIds((string) ($_GET['orders'] ?? ''));
        $byLicense = $this->parcelsOf($ids);
        $many = array_sum(array_map('count', $byLicense));
        echo '<div class="wrap"><h1>' . esc_html__('Parcel labels', 'parcelworks') . '</h1>';
        /* translators: 1: number of parcels, 2: number of orders */
        echo '<p>' . esc_html(sprintf(__('%1$d parcels of %2$d orders.', 'parcelworks'), $many, count($ids))) . '</p>';
        foreach ($byLicense as $license => $parcels) {
            echo '<form method="post" target="_blank" action="' . esc_url(admin_url('admin-post.php')) . '">';
            echo '<h2>' . esc_html($this->connection->licenses()[$license] ?? (string) $license) . '</h2>';
            wp_nonce_field('parcelworks_labels');
            printf(
                '<input type="hidden" name="action" value="parcelworks_labels"><input type="hidden" name="license" value="%s"><input type="hidden" name="orders" value="%s">',
                esc_attr((string) $license),
                esc_attr(implode(',', array_map(static fn (Parcel $parcel): int => $parcel->orderId, $parcels)))
            );
            echo '<p><label>' . esc_html__('Paper', 'parcelworks') . ' <select name="type"><option value="">'
                . esc_html__('As set in the service', 'parcelworks') . '</option><option value="A4">A4</option><option value="thermal">'
                . esc_html__('Label printer', 'parcelworks') . '</option></select></label></p>';
            echo '<p><label>' . esc_html__('First free place on the A4 sheet', 'parcelworks') . ' <select name="position">';
            foreach (range(1, 8) as $place) {
                printf('<option>%d</option>', $place);
            }
            echo '</select></label></p>';
            submit_button(__('Print', 'parcelworks'));
            echo '</form>';
        }
        echo '</div>';
    }

    public function print(): void
    {
        check_admin_referer('parcelworks_labels');
        if (!current_user_can('edit_shop_orders')) {
            wp_die(esc_html__('You may not do this.', 'parcelworks'), '', ['response' => 403]);
        }
        if (!$this->connection->isUsable()) {
            wp_die(esc_html__('Connect the shop to your shipping service first.', 'parcelworks'), '', ['response' => 409, 'back_link' => true]);
        }
        $license = sanitize_text_field(wp_unslash((string) ($_POST['license'] ?? '')));
        $parcels = $this->parcelsOf(self::orderIds((string) ($_POST['orders'] ?? '')))[$license] ?? [];
        $type = sanitize_text_field(wp_unslash((string) ($_POST['type'] ?? '')));
        $layout = ['license_key' => $license] + (in_array($type, ['A4', 'thermal'], true) ? ['label_type' => $type] : []);
        // Only a sheet has places; a label printer's paper has one.
        $layout += $type === 'thermal' ? [] : ['position' => max(1, min(8, absint($_POST['position'] ?? 1)))];
        try {
            $uuids = array_map(static fn (Parcel $parcel): string => (string) $parcel->uuid, $parcels);
            $url = $this->connection->client()->shipments()->labels($uuids, $layout)->data['url'];
        } catch (CallException $error) {
            wp_die(esc_html(Refusal::words($error)), '', ['response' => 502, 'back_link' => true]);
        }
        // The service's own address, which may be any: it comes from its answer, not from the request.
        wp_redirect($url);
        exit;
    }

    /**
     * @param list<int> $orderIds
     * @return array<string, list<Parcel>> Those with a label, by license, in the order of the list.
     */
    private function parcelsOf(array $orderIds): array
    {
        $byLicense = [];
        $newest = $this->store->newestOf($orderIds);
        foreach ($orderIds as $id) {
            $parcel = $newest[$id] ?? null;
            if ($parcel !== null && $parcel->isActive()) {
                $byLicense[$parcel->license][] = $parcel;
            }
        }

        return $byLicense;
    }

    /** @return list<int> */
    private static function orderIds(string $text): array
    {
        return array_slice(array_values(array_unique(array_filter(array_map('absint', explode(',', $text))))), 0, self::MOST);
    }
}
