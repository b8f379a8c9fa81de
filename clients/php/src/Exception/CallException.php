<?php

declare(strict_types=1);

namespace Parcelworks\Exception;

use Parcelworks\Core\Attempt;
use Parcelworks\Core\TellsAttempt;
use Parcelworks\Http\Response;

/** A call that did not succeed. */
abstract class CallException extends ParcelworksException
{
    use TellsAttempt;

    public function __construct(string $message, Attempt $attempt, ?\Throwable $previous = null)
    {
        parent::__construct($message, 0, $previous);
        $this->attempt = $attempt;
    }

    /** The last answer as it came; null where none did. */
    public function response(): ?Response
    {
        return $this->attempt->response;
    }

    /** Whether the same request, with the same key, may be sent again: it cannot double, and it may succeed. */
    abstract public function isSafeToRepeat(): bool;
}
