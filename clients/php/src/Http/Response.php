<?php

declare(strict_types=1);

namespace Parcelworks\Http;

/** An answer as it came. */
final class Response
{
    public int $status;
    public string $body;
    /** @var array<string, string> */
    private array $headers = [];

    /** @param array<string, string|string[]> $headers In any case; of several values the last counts. */
    public function __construct(int $status, array $headers, string $body)
    {
        $this->status = $status;
        $this->body = $body;
        foreach ($headers as $name => $value) {
            $values = (array) $value;
            $this->headers[strtolower((string) $name)] = (string) end($values);
        }
    }

    public function header(string $name): ?string
    {
        return $this->headers[strtolower($name)] ?? null;
    }

    /** @return array<string, string> By name in small letters. */
    public function headers(): array
    {
        return $this->headers;
    }

    /** Whether fewer bytes came than were announced. Some transports do not look. */
    public function isTruncated(): bool
    {
        $length = $this->header('content-length');

        return $length !== null
            && $this->header('content-encoding') === null
            && preg_match('/^\d+$/D', $length) === 1
            && strlen($this->body) < (int) $length;
    }

    /** @return array<string, mixed>|null The body as a JSON object or list; null where it is none. */
    public function json(): ?array
    {
        $value = json_decode($this->body, true, 512, JSON_BIGINT_AS_STRING);
        if (!is_array($value)) {
            return null;
        }

        /** @var array<string, mixed> $value */
        return $value;
    }
}
