<?php

declare(strict_types=1);

namespace Parcelworks\Core;

use Parcelworks\Exception\UsageException;
use Parcelworks\Result;

/**
 * Makes calls out of what a program asks for.
 *
 * @phpstan-type CallOptions array{
 *     idempotency_key?: string|null,
 *     timeout?: float|int,
 *     total_timeout?: float|int,
 *     max_tries?: int,
 *     if_none_match?: string|null
 * }
 */
final class Calls
{
    private Sender $sender;
    private ?string $licenseKey;
    private Clock $clock;

    public function __construct(Config $config)
    {
        $this->sender = new Sender($config);
        $this->licenseKey = $config->licenseKey;
        $this->clock = $config->clock;
    }

    /**
     * @param array<string, mixed> $query
     * @param CallOptions $options
     * @return Result<mixed>
     */
    public function get(string $path, array $query = [], array $options = [], string $accept = 'application/json'): Result
    {
        $call = $this->call('GET', $path, true, $options);
        $call->query = self::query($query);
        $call->accept = $accept;

        return $this->sender->send($call);
    }

    /**
     * A creation: with a key, made here where none is given.
     *
     * @param array<string, mixed> $body
     * @param CallOptions $options
     * @return Result<mixed>
     */
    public function create(string $path, array $body, array $options): Result
    {
        $call = $this->call('POST', $path, true, $options);
        $call->key = self::key($options['idempotency_key'] ?? null);
        $call->body = self::json($body);

        return $this->sender->send($call);
    }

    /**
     * @param array<string, mixed>|null $body
     * @param CallOptions $options
     * @param bool $repeatable Whether a second arrival does no more than the first.
     * @param array<string, mixed> $query
     * @return Result<mixed>
     */
    public function change(
        string $method,
        string $path,
        ?array $body,
        array $options,
        bool $repeatable,
        array $query = []
    ): Result {
        if (isset($options['idempotency_key'])) {
            throw new UsageException("$method $path takes no idempotency_key.");
        }
        $call = $this->call($method, $path, $repeatable, $options);
        $call->body = $body === null ? null : self::json($body);
        $call->query = self::query($query);

        return $this->sender->send($call);
    }

    /**
     * Reads again and again until something is so, or the time is over.
     *
     * @template T
     * @param callable(): Result<T> $read
     * @param callable(Result<T>): bool $isDone
     * @return Result<T> The last answer, whether it is so or not.
     */
    public function until(callable $read, callable $isDone, float $timeoutSeconds): Result
    {
        $end = $this->clock->seconds() + $timeoutSeconds;
        $pause = 0.5;
        while (true) {
            $result = $read();
            $left = $end - $this->clock->seconds();
            if ($isDone($result) || $left <= 0) {
                return $result;
            }
            $this->clock->sleep(min($pause, $left));
            $pause = min(5.0, $pause * 1.5);
        }
    }

    /**
     * @param array<string, mixed> $parameters Body or query.
     * @return array<string, mixed> The same, with the client's license where it names none.
     */
    public function withLicense(array $parameters): array
    {
        return $this->licenseKey === null ? $parameters : $parameters + ['license_key' => $this->licenseKey];
    }

    /** An id as part of a path. */
    public static function segment(string $id): string
    {
        if ($id === '') {
            throw new UsageException('The id is empty.');
        }

        return rawurlencode($id);
    }

    /** @param CallOptions $options */
    private function call(string $method, string $path, bool $repeatable, array $options): Call
    {
        $call = new Call($method, $path, $repeatable);
        $unknown = array_diff(
            array_keys($options),
            ['idempotency_key', 'timeout', 'total_timeout', 'max_tries', 'if_none_match']
        );
        if ($unknown !== []) {
            throw new UsageException('Unknown option: ' . implode(', ', $unknown) . '.');
        }
        $call->timeoutSeconds = isset($options['timeout']) ? (float) $options['timeout'] : null;
        $call->totalTimeoutSeconds = isset($options['total_timeout']) ? (float) $options['total_timeout'] : null;
        $call->maxTries = $options['max_tries'] ?? null;
        $call->ifNoneMatch = $options['if_none_match'] ?? null;

        return $call;
    }

    private static function key(?string $given): string
    {
        $key = $given ?? 'pw_' . bin2hex(random_bytes(16));
        if (preg_match('/^[\x21-\x7e]{1,255}$/D', $key) !== 1) {
            throw new UsageException('An idempotency_key has 1 to 255 visible ASCII characters.');
        }

        return $key;
    }

    /**
     * @param array<string, mixed> $query
     * @return array<string, scalar|null>
     */
    private static function query(array $query): array
    {
        $flat = [];
        foreach ($query as $name => $value) {
            if (is_array($value)) {
                foreach ($value as $inner => $one) {
                    $flat["{$name}[$inner]"] = self::scalar((string) $name, $one);
                }
            } else {
                $flat[$name] = self::scalar((string) $name, $value);
            }
        }

        return $flat;
    }

    /**
     * @param mixed $value
     * @return scalar|null
     */
    private static function scalar(string $name, $value)
    {
        if ($value !== null && !is_scalar($value)) {
            throw new UsageException("The parameter $name is a text, a number or a boolean.");
        }

        return is_bool($value) ? ($value ? 'true' : 'false') : $value;
    }

    /** @param array<string, mixed> $body */
    private static function json(array $body): string
    {
        $flags = JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_PRESERVE_ZERO_FRACTION;
        $text = json_encode($body === [] ? new \stdClass() : $body, $flags);
        if ($text === false) {
            throw new UsageException('The body cannot be written as JSON: ' . json_last_error_msg() . '.');
        }

        return $text;
    }
}
