<?php

declare(strict_types=1);

namespace Parcelworks;

/*
 * For programs without Composer: require this file once. It follows its own namespace, so a copy whose namespace was
 * prefixed loads beside another copy.
 */
spl_autoload_register(static function (string $class): void {
    $prefix = __NAMESPACE__ . '\\';
    if (strncmp($class, $prefix, strlen($prefix)) !== 0) {
        return;
    }
    $file = __DIR__ . '/src/' . str_replace('\\', '/', substr($class, strlen($prefix))) . '.php';
    if (is_file($file)) {
        require $file;
    }
});
