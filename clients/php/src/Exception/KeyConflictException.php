<?php

declare(strict_types=1);

namespace Parcelworks\Exception;

/** `idempotency_key_conflict`: the key stands for another request, which was not changed. */
final class KeyConflictException extends ApiException
{
}
