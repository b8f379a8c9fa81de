<?php

declare(strict_types=1);

namespace Parcelworks\Core;

/** What a call's result and its exception both tell of the sending. */
trait TellsAttempt
{
    private Attempt $attempt;

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
}
