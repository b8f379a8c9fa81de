<?php

declare(strict_types=1);

namespace Parcelworks\Exception;

/** `duplicate_request`: the order has an active parcel, or an export is under way. */
final class DuplicateException extends ApiException
{
}
