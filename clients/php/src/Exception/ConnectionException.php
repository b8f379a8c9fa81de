<?php

declare(strict_types=1);

namespace Parcelworks\Exception;

use Parcelworks\Core\Attempt;

/**
 * No whole answer came: to a read, to a change that has no key, or to a creation of which no byte left. Of a change that
 * does more the second time, `isSafeToRepeat()` is false: read from the service what became of it.
 */
final class ConnectionException extends CallException
{
    private bool $isSafe;

    public function __construct(string $message, Attempt $attempt, bool $isSafeToRepeat, ?\Throwable $previous = null)
    {
        parent::__construct($message, $attempt, $previous);
        $this->isSafe = $isSafeToRepeat;
    }

    public function isSafeToRepeat(): bool
    {
        return $this->isSafe;
    }
}
