<?php

declare(strict_types=1);

namespace Parcelworks\Exception;

/** `shipment_not_cancellable`: the carrier does not give the parcel back. Ask it. */
final class NotCancellableException extends ApiException
{
}
