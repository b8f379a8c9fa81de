<?php

declare(strict_types=1);

namespace Parcelworks;

use Parcelworks\Core\Attempt;
use Parcelworks\Http\Response;

/**
 * A successful answer. A repeat of a creation has one of three: `isRunning()`, `isReplayed()`, or the exception
 * `KeyConflictException` where the key stands for another body.
 *
 * @template T
 */
final class Result
{
    /** @var T The field `data`; the bytes of a document; null where nothing is answered. */
    public $data;
    public Response $response;
    private Attempt $attempt;

    /** @param T $data */
    public function __construct($data, Response $response, Attempt $attempt)
    {
        $this->data = $data;
        $this->response = $response;
        $this->attempt = $attempt;
    }

    /** The Idempotency-Key of all tries; null where the call has none. */
    public function key(): ?string
    {
        return $this->attempt->key;
    }

    /** By this the service's operator finds the request. */
    public function requestId(): string
    {
        return $this->attempt->requestId;
    }

    /** How often the request was sent. */
    public function tries(): int
    {
        return $this->attempt->tries;
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
