<?php

declare(strict_types=1);

namespace Parcelworks\Exception;

/** `carrier_rejected`: the message has the words of the carrier. The key is free again. */
final class CarrierRejectedException extends ApiException
{
}
