<?php

declare(strict_types=1);

namespace Parcelworks\Exception;

use Parcelworks\Core\Attempt;
use Parcelworks\Core\Call;
use Parcelworks\Core\Sender;
use Parcelworks\Result;

/**
 * A creation may have been carried out, and no answer says so. Do not send it under another key. `resolve()` asks with
 * the same one; in another process, later, the same call with `key()` does. One that had not arrived is made by it, once.
 */
final class UnknownOutcomeException extends CallException
{
    private Sender $sender;
    private Call $call;

    public function __construct(
        string $message,
        Attempt $attempt,
        Sender $sender,
        Call $call,
        ?\Throwable $previous = null
    ) {
        parent::__construct($message, $attempt, $previous);
        $this->sender = $sender;
        $this->call = $call;
    }

    /**
     * Sends the same request under the same key until the outcome is known, and gives it: an answer, or the exception
     * of a refusal, after which nothing was booked.
     *
     * @return Result<mixed> As the call would have given it.
     * @throws self when it is still not known after this time
     * @throws ApiException
     */
    public function resolve(float $timeoutSeconds = 120.0): Result
    {
        return $this->sender->resolve($this->call, $timeoutSeconds);
    }

    public function isSafeToRepeat(): bool
    {
        return true;
    }
}
