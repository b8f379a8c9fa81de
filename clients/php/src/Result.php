<?php

declare(strict_types=1);

namespace Parcelworks;

use Parcelworks\Core\Attempt;
use Parcelworks\Core\TellsAttempt;
use Parcelworks\Http\Response;

/**
 * A successful answer. A repeat of a creation has one of three: `isRunning()`, `isReplayed()`, or the exception
 * `KeyConflictException` where the key stands for another body.
 *
 * @template T
 */
final class Result
{
    use TellsAttempt;

    /** @var T The field `data`; the bytes of a document; null where nothing is answered. */
    public $data;
    public Response $response;

    /** @param T $data */
    public function __construct($data, Response $response, Attempt $attempt)
    {
        $this->data = $data;
        $this->response = $response;
        $this->attempt = $attempt;
    }

    /** Accepted and not finished: the service goes on by itself. */
    public function isRunning(): bool
    {
        return $this->response->status === 202;
    }

    /** The first answer under the same key, given again: nothing new was made. */
    public function isReplayed(): bool
    {
        return $this->response->header('Idempotent-Replayed') === 'true';
    }

    /** For `if_none_match` of the next read; null where the answer has none. */
    public function etag(): ?string
    {
        return $this->response->header('ETag');
    }

    /** With `if_none_match`: nothing changed since then, and `data` is null. */
    public function isUnchanged(): bool
    {
        return $this->response->status === 304;
    }
}
