<?php

declare(strict_types=1);

namespace Parcelworks\Exception;

/** The service could not answer a read, after all tries: 408 or a status from 500. */
final class UnavailableException extends ApiException
{
}
