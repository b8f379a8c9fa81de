<?php

declare(strict_types=1);

namespace Parcelworks\Exception;

/** Everything that this client throws. Messages hold no secret, and nothing of the body that was sent. */
abstract class ParcelworksException extends \RuntimeException
{
}
