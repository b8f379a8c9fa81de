<?php

declare(strict_types=1);

namespace Parcelworks\Core;

use Parcelworks\Http\Response;

/** How far a call is. */
final class Attempt
{
    public ?string $key;
    /** Of all tries. */
    public string $requestId;
    public int $tries = 0;
    /** The last answer. */
    public ?Response $response = null;
    /** Whether a try may have been carried out without an answer that says so. */
    public bool $isAmbiguous;

    public function __construct(?string $key, bool $isAmbiguous)
    {
        $this->key = $key;
        $this->requestId = bin2hex(random_bytes(16));
        $this->isAmbiguous = $isAmbiguous;
    }
}
