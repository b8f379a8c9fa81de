<?php

declare(strict_types=1);

namespace ParcelworksWoo;

/** WooCommerce > Parcelworks: the connection, the rules, and what waits. */
final class SettingsPage
{
    private const PAGE = 'parcelworks';

    private Settings $settings;
    private Connection $connection;
    private ParcelStore $store;
    private Queue $queue;

    public function __construct(Settings $settings, Connection $connection, ParcelStore $store, Queue $queue)
    {
        $this->settings = $settings;
        $this->connection = $connection;
        $this->store = $store;
        $this->queue = $queue;
    }

    public static function url(): string
    {
        return admin_url('admin.php?page=' . self::PAGE);
    }

    public function hook(): void
    {
        add_action('admin_menu', function (): void {
            add_submenu_page('woocommerce', 'Parcelworks', 'Parcelworks', 'manage_woocommerce', self::PAGE, [$this, 'show']);
        }, 60);
        add_action('admin_notices', [$this, 'warn']);
        add_filter('plugin_action_links_' . plugin_basename(PLUGIN_FILE), static function (array $links): array {
            return array_merge([sprintf('<a href="%s">%s</a>', esc_url(self::url()), esc_html__('Settings'))], $links);
        });
        foreach (['connect', 'disconnect', 'moved', 'copy', 'save'] as $act) {
            add_action("admin_post_parcelworks_$act", function () use ($act): void {
                check_admin_referer("parcelworks_$act");
                if (!current_user_can('manage_woocommerce')) {
                    wp_die(esc_html__('You may not do this.', 'parcelworks'), '', ['response' => 403]);
                }
                $this->$act();
                wp_safe_redirect(self::url());
                exit;
            });
        }
    }

    /** A shop that changed to https, say, must not find out by its parcels. */
    public function warn(): void
    {
        if ($this->connection->isHere() || !current_user_can('manage_woocommerce') || ($_GET['page'] ?? '') === self::PAGE) {
            return;
        }
        printf(
            '<div class="notice notice-warning"><p><a href="%s">Parcelworks</a>: %s</p></div>',
            esc_url(self::url()),
            esc_html__('This shop was connected under another address. Until you say what it is, nothing is booked.', 'parcelworks')
        );
    }

    public function show(): void
    {
        wp_enqueue_style('parcelworks', plugins_url('assets/admin.css', PLUGIN_FILE), [], VERSION);
        echo '<div class="wrap"><h1>Parcelworks</h1>';
        if (!$this->connection->isHere()) {
            $this->copyForm();
        } elseif (!$this->connection->isThere()) {
            $this->connectForm();
        } else {
            $this->connected();
            $this->waiting();
            (new SettingsForm($this->settings, $this->connection))->show();
        }
        echo '</div>';
    }

    private function connectForm(): void
    {
        self::open('connect');
        echo '<p>' . esc_html__('In the panel of your shipping service: Credentials, New credentials. Copy the connection code that it shows, and paste it here.', 'parcelworks') . '</p>';
        echo '<p><label for="parcelworks-code">' . esc_html__('Connection code', 'parcelworks') . '</label><br>'
            . '<textarea id="parcelworks-code" name="code" rows="4" class="large-text code" dir="ltr" autocomplete="off" spellcheck="false"></textarea></p>';
        echo '<details><summary>' . esc_html__('Or enter its three values', 'parcelworks') . '</summary>';
        $fields = [
            'url' => [__('Address of the service', 'parcelworks'), 'url'],
            'client_id' => ['X-Client-Id', 'text'],
            'client_secret' => ['X-Client-Secret', 'password'],
        ];
        foreach ($fields as $name => [$label, $type]) {
            printf(
                '<p><label>%s<br><input type="%s" name="%s" class="regular-text" dir="ltr" autocomplete="off"></label></p>',
                esc_html($label),
                esc_attr($type),
                esc_attr($name)
            );
        }
        echo '</details>';
        submit_button(__('Connect', 'parcelworks'));
        echo '</form>';
    }

    /** A staging copy brings the credentials along: two shops with the same keys. */
    private function copyForm(): void
    {
        echo '<div class="notice notice-warning inline"><p>' . esc_html__('This shop was connected under another address. Until you say what it is, nothing is booked.', 'parcelworks') . '</p></div>';
        self::open('moved');
        submit_button(__('The shop moved here', 'parcelworks'));
        echo '</form>';
        self::open('copy');
        echo '<p>' . esc_html__('A copy forgets the connection and the parcels of the first shop.', 'parcelworks') . '</p>';
        submit_button(__('This is a copy', 'parcelworks'), 'secondary');
        echo '</form>';
    }

    private function connected(): void
    {
        /* translators: 1: name of the account, 2: address of the service */
        $text = esc_html__('Connected: %1$s at %2$s.', 'parcelworks');
        $place = '<bdi dir="ltr">' . esc_html($this->connection->baseUrl()) . '</bdi>';
        printf("<p><strong>$text</strong></p><p>", '<bdi>' . esc_html($this->connection->accountName()) . '</bdi>', $place);
        echo esc_html(
            $this->connection->hasWebhooks()
                ? __('The service tells this shop of every change.', 'parcelworks')
                : __('The service cannot reach this shop, so parcels are asked for every six hours. Disconnect and connect again once the shop has a public address.', 'parcelworks')
        ) . '</p>';
        self::open('disconnect');
        submit_button(__('Disconnect', 'parcelworks'), 'secondary', 'submit', false);
        echo '</form>';
    }

    private function waiting(): void
    {
        echo '<h2>' . esc_html__('Parcels', 'parcelworks') . '</h2><p>';
        foreach ($this->store->counts() as $state => $many) {
            printf(
                '<mark class="parcelworks-state parcelworks-%s" title="%s">%s: %s</mark> ',
                esc_attr($state),
                esc_attr(StateBadge::meaning($state)),
                esc_html(StateBadge::name($state)),
                esc_html(number_format_i18n($many))
            );
        }
        echo '</p>';
        $next = $this->queue->nextRunAt();
        echo '<p>' . ($next === null
            ? esc_html__('The clock stands still: no scheduled work runs in this shop.', 'parcelworks')
            /* translators: %s: time */
            : sprintf(esc_html__('The queue is looked at next: %s', 'parcelworks'), '<bdi dir="ltr">' . esc_html((string) wp_date('Y-m-d H:i:s', $next)) . '</bdi>')) . '</p>';
        $open = $this->store->inStates([Parcel::WAITING, Parcel::SENT, Parcel::REFUSED, Parcel::UNKNOWN], 50);
        if ($open === []) {
            return;
        }
        echo '<table class="widefat striped"><tbody>';
        foreach ($open as $parcel) {
            $order = wc_get_order($parcel->orderId);
            if (!$order instanceof \WC_Order) {
                continue;
            }
            printf(
                '<tr><td><a href="%s"><bdi dir="ltr">#%s</bdi></a></td><td>%s</td><td dir="auto">%s</td></tr>',
                esc_url($order->get_edit_order_url()),
                esc_html((string) $order->get_order_number()),
                StateBadge::of($parcel),
                nl2br(esc_html((string) $parcel->message))
            );
        }
        echo '</tbody></table>';
    }

    private function connect(): void
    {
        $text = static fn (string $name): string => sanitize_text_field(wp_unslash((string) ($_POST[$name] ?? '')));
        $why = $this->connection->begin($text('code'), $text('url'), $text('client_id'), $text('client_secret'));
        if ($why !== null) {
            set_transient('parcelworks_told_' . get_current_user_id(), $why, 60);

            return;
        }
        $settings = $this->settings->all();
        $licenses = $this->connection->licenses();
        if (!array_key_exists((string) $settings['license'], $licenses)) {
            $settings['license'] = (string) (array_key_first($licenses) ?? '');
            $this->settings->save($settings);
        }
    }

    private function disconnect(): void
    {
        $this->connection->pause();
    }

    private function moved(): void
    {
        $this->connection->moved();
    }

    private function copy(): void
    {
        $this->connection->forget();
        $this->store->clear();
    }

    private function save(): void
    {
        $this->settings->save(SettingsForm::read($this->connection));
    }

    private static function open(string $act): void
    {
        printf(
            '<form method="post" action="%s"><input type="hidden" name="action" value="parcelworks_%s">%s',
            esc_url(admin_url('admin-post.php')),
            esc_attr($act),
            wp_nonce_field("parcelworks_$act", '_wpnonce', true, false)
        );
    }
}
