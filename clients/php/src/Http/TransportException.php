<?php

declare(strict_types=1);

namespace Parcelworks\Http;

/** No whole answer came. */
final class TransportException extends \RuntimeException
{
    /** True only where it is certain that no byte of the request left, such as when nobody listens. */
    private bool $nothingSent;

    public function __construct(string $message, bool $nothingSent = false)
    {
        parent::__construct($message);
        $this->nothingSent = $nothingSent;
    }

    public function nothingSent(): bool
    {
        return $this->nothingSent;
    }
}
