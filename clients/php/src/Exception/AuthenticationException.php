<?php

declare(strict_types=1);

namespace Parcelworks\Exception;

/** `unauthenticated`: client id or secret is missing or wrong. */
final class AuthenticationException extends ApiException
{
}
