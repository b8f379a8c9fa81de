<?php

declare(strict_types=1);

namespace Parcelworks\Exception;

/** The program called the client wrongly. Nothing was sent. */
final class UsageException extends ParcelworksException
{
}
