<?php

declare(strict_types=1);

namespace ParcelworksWoo;

/** What the plugin brings into a shop's database, and takes out again. */
final class Install
{
    private const TABLE_VERSION = '1';

    public static function activate(): void
    {
        self::makeTable();
    }

    /** Stops the clock; parcels and the connection stay for the next activation. */
    public static function deactivate(): void
    {
        Queue::stopClock();
    }

    public static function upgrade(): void
    {
        if (get_option('parcelworks_table') !== self::TABLE_VERSION) {
            self::makeTable();
        }
    }

    public static function makeTable(): void
    {
        global $wpdb;
        require_once ABSPATH . 'wp-admin/includes/upgrade.php';
        $table = ParcelStore::table();
        $charset = $wpdb->get_charset_collate();
        dbDelta("CREATE TABLE $table (
            id bigint(20) unsigned NOT NULL AUTO_INCREMENT,
            order_id bigint(20) unsigned NOT NULL,
            n int(10) unsigned NOT NULL,
            kind varchar(16) NOT NULL,
            license varchar(191) NOT NULL,
            packages int(10) unsigned NOT NULL DEFAULT 1,
            state varchar(16) NOT NULL,
            body longtext NULL,
            uuid char(36) NULL,
            tracking_code varchar(191) NULL,
            short_code varchar(64) NULL,
            status varchar(32) NULL,
            status_at bigint(20) unsigned NOT NULL DEFAULT 0,
            message text NULL,
            tries int(10) unsigned NOT NULL DEFAULT 0,
            next_at bigint(20) unsigned NOT NULL DEFAULT 0,
            claimed_until bigint(20) unsigned NOT NULL DEFAULT 0,
            created_at bigint(20) unsigned NOT NULL,
            PRIMARY KEY  (id),
            UNIQUE KEY order_n (order_id,n),
            KEY uuid (uuid),
            KEY due (state,next_at)
        ) $charset;");
        update_option('parcelworks_table', self::TABLE_VERSION, false);
    }

    /** Everything of the plugin, in this site. */
    public static function remove(): void
    {
        global $wpdb;
        (new Connection())->end();
        Queue::stopClock();
        $wpdb->query('DROP TABLE IF EXISTS ' . ParcelStore::table());
        $wpdb->query("DELETE FROM {$wpdb->options} WHERE option_name LIKE 'parcelworks\\_%'
            OR option_name LIKE '\\_transient\\_parcelworks\\_%' OR option_name LIKE '\\_transient\\_timeout\\_parcelworks\\_%'");
        $metas = [$wpdb->postmeta, $wpdb->prefix . 'wc_orders_meta'];
        foreach ($metas as $table) {
            if ($wpdb->get_var($wpdb->prepare('SHOW TABLES LIKE %s', $wpdb->esc_like($table))) === $table) {
                $wpdb->query("DELETE FROM $table WHERE meta_key LIKE '\\_parcelworks\\_%'");
            }
        }
        wp_cache_flush();
    }
}
