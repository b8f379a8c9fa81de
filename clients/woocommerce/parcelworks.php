<?php
/**
 * Plugin Name: Parcelworks
 * Description: One order is one parcel: books parcels with your Parcelworks service, prints labels, and brings the status back.
 * Version: 0.1.0
 * Requires at least: 6.1
 * Requires PHP: 7.4
 * WC requires at least: 7.1
 * License: GPL-2.0-or-later
 * License URI: https://www.gnu.org/licenses/gpl-2.0.html
 * Text Domain: parcelworks
 * Domain Path: /languages
 *
 * @package Parcelworks
 */

declare(strict_types=1);

namespace ParcelworksWoo;

defined('ABSPATH') || exit;

const PLUGIN_FILE = __FILE__;
const VERSION = '0.1.0';

require __DIR__ . '/includes/autoload.php';

register_activation_hook(__FILE__, [Install::class, 'activate']);
register_deactivation_hook(__FILE__, [Install::class, 'deactivate']);

add_action('before_woocommerce_init', static function (): void {
    if (class_exists(\Automattic\WooCommerce\Utilities\FeaturesUtil::class)) {
        foreach (['custom_order_tables', 'cart_checkout_blocks'] as $feature) {
            \Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility($feature, __FILE__, true);
        }
    }
});

add_action('plugins_loaded', static function (): void {
    load_plugin_textdomain('parcelworks', false, dirname(plugin_basename(__FILE__)) . '/languages');
    if (function_exists('WC')) {
        Plugin::start();
    }
});
