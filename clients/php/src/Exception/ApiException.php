<?php

declare(strict_types=1);

namespace Parcelworks\Exception;

use Parcelworks\Core\Attempt;
use Parcelworks\Core\Backoff;
use Parcelworks\Http\Response;

/** The service refused the request. Subclasses are its codes; a code that this version does not know is this class. */
class ApiException extends CallException
{
    private Response $answer;
    private string $errorCode;
    /** @var array<string, list<string>> */
    private array $fields;
    private bool $isSafe;

    /** @param array<string, list<string>> $fields */
    final public function __construct(
        string $message,
        Attempt $attempt,
        Response $answer,
        string $errorCode,
        array $fields,
        bool $isSafeToRepeat
    ) {
        parent::__construct($message, $attempt);
        $this->answer = $answer;
        $this->errorCode = $errorCode;
        $this->fields = $fields;
        $this->isSafe = $isSafeToRepeat;
    }

    public function status(): int
    {
        return $this->answer->status;
    }

    /** The service's code, such as `validation_failed`; `http_<status>` where another program answered. */
    public function errorCode(): string
    {
        return $this->errorCode;
    }

    /** @return array<string, list<string>> What is wrong with each field, by its path in the body. */
    public function fields(): array
    {
        return $this->fields;
    }

    /** Seconds after which the service wants to be asked again; null where it said none. */
    public function retryAfterSeconds(): ?float
    {
        return Backoff::retryAfterSeconds($this->answer);
    }

    public function isSafeToRepeat(): bool
    {
        return $this->isSafe;
    }
}
