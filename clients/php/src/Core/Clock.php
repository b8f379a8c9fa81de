<?php

declare(strict_types=1);

namespace Parcelworks\Core;

/** A clock that is never set back, and waiting on it. */
class Clock
{
    public function seconds(): float
    {
        return hrtime(true) / 1e9;
    }

    public function sleep(float $seconds): void
    {
        if ($seconds > 0) {
            usleep(max(0, (int) ceil($seconds * 1e6)));
        }
    }
}
