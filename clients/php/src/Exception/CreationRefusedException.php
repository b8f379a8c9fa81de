<?php

declare(strict_types=1);

namespace Parcelworks\Exception;

/** `creation_refused`: a creation that was accepted ended without a parcel. The message says why. */
final class CreationRefusedException extends ApiException
{
}
