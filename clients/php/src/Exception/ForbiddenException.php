<?php

declare(strict_types=1);

namespace Parcelworks\Exception;

/** `forbidden`: the license is off, has expired or is not this account's, or the key may only read. */
final class ForbiddenException extends ApiException
{
}
