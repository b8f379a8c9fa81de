<?php

declare(strict_types=1);

namespace Parcelworks\Core;

use Parcelworks\Exception\UsageException;
use Parcelworks\Http\CurlTransport;
use Parcelworks\Http\Transport;

/**
 * The options of a client, checked.
 *
 * @phpstan-type Options array{
 *     base_url: string,
 *     client_id: string,
 *     client_secret: string,
 *     license_key?: string|null,
 *     app?: string|null,
 *     timeout?: float|int,
 *     total_timeout?: float|int,
 *     max_tries?: int,
 *     retry_after_cap?: float|int,
 *     transport?: Transport|null,
 *     ca_file?: string|null,
 *     before?: callable|null,
 *     after?: callable|null,
 *     logger?: callable|null,
 *     clock?: Clock|null
 * }
 */
final class Config
{
    private const NAMES = [
        'base_url', 'client_id', 'client_secret', 'license_key', 'app', 'timeout', 'total_timeout', 'max_tries',
        'retry_after_cap', 'transport', 'ca_file', 'before', 'after', 'logger', 'clock',
    ];

    public string $baseUrl;
    public string $clientId;
    public string $clientSecret;
    public ?string $licenseKey;
    public string $userAgent;
    /** For one try. The service answers a creation within 25 seconds. */
    public float $timeoutSeconds;
    /** For all tries of a call, with the waits between them. */
    public float $totalTimeoutSeconds;
    public int $maxTries;
    /** A longer `Retry-After` ends the call. */
    public float $retryAfterCapSeconds;
    public Transport $transport;
    public Observer $observer;
    public Clock $clock;

    /** @param array<string, mixed> $options */
    public function __construct(array $options)
    {
        $unknown = array_diff(array_map('strval', array_keys($options)), self::NAMES);
        if ($unknown !== []) {
            throw new UsageException('Unknown option: ' . implode(', ', $unknown) . '.');
        }
        $this->baseUrl = self::baseUrl($options['base_url'] ?? null);
        $this->clientId = self::header($options, 'client_id');
        $this->clientSecret = self::header($options, 'client_secret');
        $license = $options['license_key'] ?? null;
        $this->licenseKey = is_string($license) && $license !== '' ? $license : null;
        $this->userAgent = self::agent($options['app'] ?? null);
        $this->timeoutSeconds = self::number($options, 'timeout', 40.0);
        $this->totalTimeoutSeconds = self::number($options, 'total_timeout', 150.0);
        $this->maxTries = (int) self::number($options, 'max_tries', 5.0);
        $this->retryAfterCapSeconds = self::number($options, 'retry_after_cap', 60.0);
        $clock = $options['clock'] ?? null;
        $this->clock = $clock instanceof Clock ? $clock : new Clock();
        $this->transport = self::transport($options);
        $this->observer = new Observer(
            self::hook($options, 'before'),
            self::hook($options, 'after'),
            self::hook($options, 'logger')
        );
    }

    /** @return array<string, mixed> What dumps show: no secret. */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl, 'clientId' => $this->clientId, 'userAgent' => $this->userAgent];
    }

    /** @param mixed $url */
    private static function baseUrl($url): string
    {
        if (!is_string($url) || preg_match('#^https?://[^/\s?\#@]+(/[^\s?\#]*)?$#i', $url) !== 1) {
            throw new UsageException('base_url is an address such as https://shipping.example.com.');
        }

        return (string) preg_replace('#(/api/v2)?/*$#', '', $url);
    }

    /** @param array<string, mixed> $options */
    private static function header(array $options, string $name): string
    {
        $value = $options[$name] ?? null;
        if (!is_string($value) || preg_match('/^[\x21-\x7e]+$/D', $value) !== 1) {
            throw new UsageException("$name is missing, or has characters that it cannot have.");
        }

        return $value;
    }

    /** @param mixed $app */
    private static function agent($app): string
    {
        $own = 'parcelworks-php/' . \Parcelworks\Client::VERSION . ' php/' . PHP_VERSION;
        if ($app === null || $app === '') {
            return $own;
        }
        if (!is_string($app) || preg_match('/^[\x20-\x7e]{1,100}$/D', $app) !== 1) {
            throw new UsageException('app is a name such as my-shop/1.2, of visible ASCII characters.');
        }

        return "$app $own";
    }

    /** @param array<string, mixed> $options */
    private static function number(array $options, string $name, float $default): float
    {
        $value = $options[$name] ?? $default;
        if ((!is_int($value) && !is_float($value)) || $value <= 0) {
            throw new UsageException("$name is a number above zero.");
        }

        return (float) $value;
    }

    /** @param array<string, mixed> $options */
    private static function transport(array $options): Transport
    {
        $given = $options['transport'] ?? null;
        if ($given instanceof Transport) {
            return $given;
        }
        $caFile = $options['ca_file'] ?? null;

        return new CurlTransport(is_string($caFile) ? $caFile : null);
    }

    /** @param array<string, mixed> $options */
    private static function hook(array $options, string $name): ?callable
    {
        $hook = $options[$name] ?? null;
        if ($hook !== null && !is_callable($hook)) {
            throw new UsageException("$name is a callable.");
        }

        return $hook;
    }
}
