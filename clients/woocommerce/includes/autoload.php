<?php

declare(strict_types=1);

namespace ParcelworksWoo;

/*
 * `ParcelworksWoo\OrderBody` is `includes/order-body.php`. The client, which the build copies into `client`, has a
 * namespace below ours, so that another plugin can bring another version of it.
 */
spl_autoload_register(static function (string $class): void {
    $prefix = __NAMESPACE__ . '\\';
    if (strncmp($class, $prefix, strlen($prefix)) !== 0) {
        return;
    }
    $name = substr($class, strlen($prefix));
    $file = strncmp($name, 'Client\\', 7) === 0
        ? dirname(__DIR__) . '/client/' . str_replace('\\', '/', substr($name, 7)) . '.php'
        : __DIR__ . '/' . strtolower((string) preg_replace('/(?<=[a-z])(?=[A-Z])/', '-', $name)) . '.php';
    if (is_file($file)) {
        require $file;
    }
});
