<?php

declare(strict_types=1);

namespace Parcelworks\Exception;

/** `not_supported`: the carrier cannot do this. */
final class NotSupportedException extends ApiException
{
}
