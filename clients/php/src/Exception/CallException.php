<?php

declare(strict_types=1);

namespace Parcelworks\Exception;

use Parcelworks\Core\Attempt;
use Parcelworks\Http\Response;

/** A call that did not succeed. */
abstract class CallException extends ParcelworksException
{
    private Attempt $attempt;

    public function __construct(string $message, Attempt $attempt, ?\Throwable $previous = null)
    {
        parent::__construct($message, 0, $previous);
        $this->attempt = $attempt;
    }

    /** The Idempotency-Key of all tries; null where the call has none. */
    public function key(): ?string
    {
        return $this->attempt->key;
    }

    /** By this the service's operator finds the request, also where no answer came. */
    public function requestId(): string
    {
        return $this->attempt->requestId;
    }

    /** How often the request was sent. */
    public function tries(): int
    {
        return $this->attempt->tries;
    }

    /** The last answer as it came; null where none did. */
    public function response(): ?Response
    {
        return $this->attempt->response;
    }

    /** Whether the same request, with the same key, may be sent again: it cannot double, and it may succeed. */
    abstract public function isSafeToRepeat(): bool;
}
