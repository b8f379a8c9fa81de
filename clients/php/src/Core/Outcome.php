<?php

declare(strict_types=1);

namespace Parcelworks\Core;

use Parcelworks\Http\Response;

/** What an answer says about its request. */
final class Outcome
{
    /** Given before the service looks at the key: they do not tell what became of an earlier try. */
    private const BEFORE_THE_KEY = [401, 403, 408, 429];

    /**
     * Whether to send the same request again. No 409 is: a repeat joins a creation that still runs, and is answered 202.
     */
    public static function isWorthAnotherTry(Response $answer): bool
    {
        return self::saysNothingWasDone($answer) || self::leavesOpen($answer);
    }

    /** Whether the service turned the request away before it did anything. */
    public static function saysNothingWasDone(Response $answer): bool
    {
        return $answer->status === 408 || $answer->status === 429;
    }

    /** Whether the request may have been carried out although this is not its answer. */
    public static function leavesOpen(Response $answer): bool
    {
        return $answer->status >= 500;
    }

    /** Whether this refusal also says what became of earlier tries. */
    public static function settles(Response $answer): bool
    {
        return is_array($answer->json()['error'] ?? null)
            && !self::leavesOpen($answer)
            && !in_array($answer->status, self::BEFORE_THE_KEY, true);
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
