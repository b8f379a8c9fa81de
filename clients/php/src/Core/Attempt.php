<?php

declare(strict_types=1);

namespace Parcelworks\Core;

use Parcelworks\Http\Response;

/** How far a call is. */
final class Attempt
{
    public ?string $key;
    public int $tries = 0;
    /** The last answer. */
    public ?Response $response = null;
    /** Whether a try may have been carried out without an answer that says so. */
    public bool $isAmbiguous;

    public function __construct(?string $key, bool $isAmbiguous)
    {
        $this->key = $key;
        $this->isAmbiguous = $isAmbiguous;
    }
}
