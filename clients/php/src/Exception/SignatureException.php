<?php

declare(strict_types=1);

namespace Parcelworks\Exception;

/** A webhook is not from the service, is too old, or was changed on its way. Answer 400. */
final class SignatureException extends ParcelworksException
{
}
