<?php

declare(strict_types=1);

namespace Parcelworks\Core;

use Parcelworks\Http\Response;

/** What an answer says about its request. */
final class Outcome
{
    /** Answers that came from the check of the request itself, after its key was looked up. */
    private const SETTLING = [404, 409, 422];

    /** Whether to send the same request again. */
    public static function isWorthAnotherTry(Response $answer): bool
    {
        if ($answer->status === 409) {
            // A conflict that passes by itself says when: the first creation under the key still runs.
            return Backoff::retryAfterSeconds($answer) !== null;
        }

        return $answer->status === 408 || $answer->status === 429 || $answer->status >= 500;
    }

    /** Whether the request may have been carried out although this is not its answer. */
    public static function leavesOpen(Response $answer): bool
    {
        return $answer->status >= 500 || ($answer->status === 409 && self::isWorthAnotherTry($answer));
    }

    /** Whether this refusal also says what became of earlier tries. */
    public static function settles(Response $answer): bool
    {
        $error = $answer->json()['error'] ?? null;

        return is_array($error)
            && in_array($answer->status, self::SETTLING, true)
            && !self::isWorthAnotherTry($answer);
    }

    /** Whether the answer is whole and readable. */
    public static function isReadable(Response $answer, string $accept): bool
    {
        if ($answer->isTruncated()) {
            return false;
        }
        if ($answer->status < 200 || $answer->status >= 300 || $answer->status === 204) {
            return true;
        }
        if ($accept === 'application/pdf') {
            return strncmp($answer->body, '%PDF', 4) === 0;
        }

        return array_key_exists('data', $answer->json() ?? []);
    }
}
