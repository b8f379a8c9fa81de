<?php

declare(strict_types=1);

namespace Parcelworks\Exception;

/** `not_found`: no such thing in this account. */
final class NotFoundException extends ApiException
{
}
