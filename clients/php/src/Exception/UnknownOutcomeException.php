<?php

declare(strict_types=1);

namespace Parcelworks\Exception;

use Parcelworks\Core\Attempt;
use Parcelworks\Core\Call;
use Parcelworks\Core\Sender;
use Parcelworks\Result;

/**
 * The request may have been carried out, and no answer says so. Do not send it under another key. `resolve()` asks
 * with the same one; in another process, later, the same call with `key()` does.
 *
 * @template T
 */
final class UnknownOutcomeException extends CallException
{
    private Sender $sender;
    /** @var Call<T> */
    private Call $call;

    /** @param Call<T> $call */
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
     * @return Result<T>
     * @throws self when it is still not known after this time
     * @throws ApiException
     * @throws UsageException when a second arrival would do more than the first: look at the service instead
     */
    public function resolve(float $timeoutSeconds = 120.0): Result
    {
        if (!$this->call->repeatable) {
            throw new UsageException(
                "{$this->call->method} {$this->call->path} has no key. Read from the service what became of it."
            );
        }

        return $this->sender->resolve($this->call, $timeoutSeconds);
    }

    /** True where the call has a key, or does nothing the second time: then `resolve()` can be used. */
    public function isSafeToRepeat(): bool
    {
        return $this->call->repeatable;
    }
}
