<?php

declare(strict_types=1);

namespace Parcelworks\Http;

/** What a transport sends. It holds credentials: transports never log it. */
final class Request
{
    public string $method;
    public string $url;
    /** @var array<string, string> */
    public array $headers;
    public ?string $body;
    /** For the whole exchange, connecting included. */
    public float $timeoutSeconds;
    /** Whether a second arrival does no more than the first. */
    public bool $repeatable;

    /** @param array<string, string> $headers */
    public function __construct(
        string $method,
        string $url,
        array $headers,
        ?string $body,
        float $timeoutSeconds,
        bool $repeatable
    ) {
        $this->method = $method;
        $this->url = $url;
        $this->headers = $headers;
        $this->body = $body;
        $this->timeoutSeconds = $timeoutSeconds;
        $this->repeatable = $repeatable;
    }

    /** @return array<string, mixed> What dumps show: no credentials, and nothing of a customer. */
    public function __debugInfo(): array
    {
        return ['method' => $this->method, 'timeoutSeconds' => $this->timeoutSeconds];
    }
}
