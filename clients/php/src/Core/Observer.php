<?php

declare(strict_types=1);

namespace Parcelworks\Core;

/**
 * Tells the program of each try. Events hold no secret, no body and no query. A hook that throws is passed over: it
 * must not turn a booked parcel into an error.
 */
final class Observer
{
    /** @var callable|null */
    private $before;
    /** @var callable|null */
    private $after;
    /** @var callable|null */
    private $logger;

    public function __construct(?callable $before, ?callable $after, ?callable $logger)
    {
        $this->before = $before;
        $this->after = $after;
        $this->logger = $logger;
    }

    public function before(Call $call, Attempt $attempt): void
    {
        self::tell($this->before, [self::event($call, $attempt)]);
    }

    public function after(Call $call, Attempt $attempt, float $seconds, ?string $trouble): void
    {
        $answer = $attempt->response;
        $event = self::event($call, $attempt) + [
            'status' => $answer === null ? null : $answer->status,
            'duration_ms' => (int) round($seconds * 1000),
            'error' => $trouble,
        ];
        self::tell($this->after, [$event]);
        $result = $trouble ?? (string) $event['status'];
        self::tell($this->logger, ["parcelworks: {$call->method} {$call->path} try {$attempt->tries}: $result", $event]);
    }

    /**
     * @return array{method: string, path: string, key: string|null, request_id: string, try: int}
     */
    private static function event(Call $call, Attempt $attempt): array
    {
        return [
            'method' => $call->method,
            'path' => $call->path,
            'key' => $attempt->key,
            'request_id' => $attempt->requestId,
            'try' => $attempt->tries,
        ];
    }

    /** @param list<mixed> $arguments */
    private static function tell(?callable $hook, array $arguments): void
    {
        if ($hook === null) {
            return;
        }
        try {
            $hook(...$arguments);
        } catch (\Throwable $ignored) {
            return;
        }
    }
}
