<?php

declare(strict_types=1);

namespace Parcelworks\Exception;

/** No whole answer came, and nothing was changed: a read, or a request of which no byte left. */
final class ConnectionException extends CallException
{
    public function isSafeToRepeat(): bool
    {
        return true;
    }
}
