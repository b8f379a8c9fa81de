<?php

declare(strict_types=1);

namespace ParcelworksWoo;

defined('WP_UNINSTALL_PLUGIN') || exit;

require __DIR__ . '/includes/autoload.php';

if (is_multisite()) {
    foreach (get_sites(['fields' => 'ids', 'number' => 0]) as $site) {
        switch_to_blog((int) $site);
        Install::remove();
        restore_current_blog();
    }
} else {
    Install::remove();
}
