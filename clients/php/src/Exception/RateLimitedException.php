<?php

declare(strict_types=1);

namespace Parcelworks\Exception;

/** `rate_limited`: too many requests, after all tries. Nothing was done. */
final class RateLimitedException extends ApiException
{
}
