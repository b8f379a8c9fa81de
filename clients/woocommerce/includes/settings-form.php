<?php

declare(strict_types=1);

namespace ParcelworksWoo;

/** The rules of a connected shop. */
final class SettingsForm
{
    private Settings $settings;
    private Connection $connection;

    public function __construct(Settings $settings, Connection $connection)
    {
        $this->settings = $settings;
        $this->connection = $connection;
    }

    public function show(): void
    {
        $all = $this->settings->all();
        printf(
            '<form class="parcelworks-rules" method="post" action="%s"><input type="hidden" name="action" value="parcelworks_save">%s<h2>%s</h2><table class="form-table" role="presentation">',
            esc_url(admin_url('admin-post.php')),
            wp_nonce_field('parcelworks_save', '_wpnonce', true, false),
            esc_html__('Rules', 'parcelworks')
        );
        $licenses = $this->connection->licenses();
        self::row(__('Courier', 'parcelworks'), self::select('license', $licenses, (string) $all['license']));
        self::row(__('Book by itself when an order becomes', 'parcelworks'), $this->statuses((array) $all['statuses']));
        foreach (Settings::methods() as $rate => $title) {
            $default = Settings::isFetched(explode(':', $rate)[0]) ? Settings::NOT_SHIPPED : '';
            $choices = ['' => __('The courier above', 'parcelworks'), Settings::NOT_SHIPPED => __('Not shipped with Parcelworks', 'parcelworks')];
            $select = self::select("methods[$rate]", $choices + $licenses, (string) ($all['methods'][$rate] ?? $default));
            $toPoint = self::check("points[$rate]", __('To a pickup point that the buyer chooses', 'parcelworks'), in_array($rate, (array) $all['points'], true));
            self::row($title, "$select<br>$toPoint");
        }
        self::row(
            __('Orders', 'parcelworks'),
            self::check('completes', __('Complete an order when its parcel is delivered', 'parcelworks'), (bool) $all['completes'])
                . '<br>' . self::check('cash', __('The courier collects the total of orders with cash on delivery', 'parcelworks'), (bool) $all['cash'])
        );
        echo '</table>';
        submit_button();
        echo '</form>';
    }

    /** @return array<string, mixed> What was sent, as settings. */
    public static function read(Connection $connection): array
    {
        $sent = wp_unslash($_POST);
        $licenses = array_map('strval', array_keys($connection->licenses()));
        $known = array_keys(Settings::methods());
        $methods = [];
        foreach ((array) ($sent['methods'] ?? []) as $rate => $license) {
            if (in_array($rate, $known, true) && in_array($license, array_merge($licenses, ['', Settings::NOT_SHIPPED]), true)) {
                $methods[$rate] = $license;
            }
        }
        $license = (string) ($sent['license'] ?? '');

        return [
            'license' => in_array($license, $licenses, true) ? $license : (string) ($licenses[0] ?? ''),
            'statuses' => array_values(array_intersect(array_keys(self::orderStatuses()), array_keys((array) ($sent['statuses'] ?? [])))),
            'methods' => $methods,
            'points' => array_values(array_intersect($known, array_keys((array) ($sent['points'] ?? [])))),
            'completes' => isset($sent['completes']),
            'cash' => isset($sent['cash']),
        ];
    }

    /** @param array<mixed> $chosen */
    private function statuses(array $chosen): string
    {
        $boxes = [];
        foreach (self::orderStatuses() as $status => $name) {
            $boxes[] = self::check("statuses[$status]", $name, in_array($status, $chosen, true));
        }

        return implode('<br>', $boxes);
    }

    /** @return array<string, string> Those after which a parcel makes sense. */
    private static function orderStatuses(): array
    {
        $statuses = [];
        foreach (wc_get_order_statuses() as $key => $name) {
            $status = (string) preg_replace('/^wc-/', '', $key);
            if (!in_array($status, ['pending', 'cancelled', 'refunded', 'failed', 'checkout-draft'], true)) {
                $statuses[$status] = $name;
            }
        }

        return $statuses;
    }

    private static function row(string $title, string $html): void
    {
        echo '<tr><th scope="row">' . esc_html($title) . '</th><td>' . $html . '</td></tr>';
    }

    /** @param array<string, string> $choices */
    private static function select(string $name, array $choices, string $chosen): string
    {
        $options = '';
        foreach ($choices as $value => $text) {
            $options .= sprintf('<option value="%s"%s>%s</option>', esc_attr((string) $value), selected($chosen, (string) $value, false), esc_html($text));
        }

        return '<select name="' . esc_attr($name) . '">' . $options . '</select>';
    }

    private static function check(string $name, string $text, bool $isOn): string
    {
        return sprintf('<label><input type="checkbox" name="%s" value="1"%s> %s</label>', esc_attr($name), checked($isOn, true, false), esc_html($text));
    }
}
