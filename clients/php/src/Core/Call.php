<?php

declare(strict_types=1);

namespace Parcelworks\Core;

/** One call of an operation, however often it is sent. */
final class Call
{
    public string $method;
    /** Below `/api/v2`. */
    public string $path;
    /** @var array<string, scalar|null> */
    public array $query = [];
    /** JSON, made once: every try sends the same bytes. */
    public ?string $body = null;
    public ?string $key = null;
    /** Whether a second arrival does no more than the first. */
    public bool $repeatable;
    public string $accept = 'application/json';
    public ?float $timeoutSeconds = null;
    public ?float $totalTimeoutSeconds = null;
    public ?int $maxTries = null;
    public ?string $ifNoneMatch = null;

    public function __construct(string $method, string $path, bool $repeatable)
    {
        $this->method = $method;
        $this->path = $path;
        $this->repeatable = $repeatable;
    }

    /** @return array<string, mixed> What dumps show: nothing of a customer. */
    public function __debugInfo(): array
    {
        return ['method' => $this->method, 'path' => $this->path, 'key' => $this->key];
    }
}
