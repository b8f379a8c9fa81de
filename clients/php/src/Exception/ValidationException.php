<?php

declare(strict_types=1);

namespace Parcelworks\Exception;

/** `validation_failed`: `fields()` names what is wrong. Correct it and send it again. */
final class ValidationException extends ApiException
{
}
