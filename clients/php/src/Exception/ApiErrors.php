<?php

declare(strict_types=1);

namespace Parcelworks\Exception;

use Parcelworks\Core\Attempt;
use Parcelworks\Core\Outcome;
use Parcelworks\Http\Response;

/** Makes the exception of an answer. */
final class ApiErrors
{
    /** @var array<string, class-string<ApiException>> */
    private const CLASSES = [
        'validation_failed' => ValidationException::class,
        'carrier_rejected' => CarrierRejectedException::class,
        'not_supported' => NotSupportedException::class,
        'duplicate_request' => DuplicateException::class,
        'idempotency_key_conflict' => KeyConflictException::class,
        'shipment_not_cancellable' => NotCancellableException::class,
        'not_found' => NotFoundException::class,
        'creation_refused' => CreationRefusedException::class,
        'unauthenticated' => AuthenticationException::class,
        'forbidden' => ForbiddenException::class,
        'rate_limited' => RateLimitedException::class,
        'request_timeout' => UnavailableException::class,
        'internal_error' => UnavailableException::class,
        'service_unavailable' => UnavailableException::class,
    ];

    public static function of(Response $answer, Attempt $attempt, bool $isRepeatable): ApiException
    {
        $error = $answer->json()['error'] ?? null;
        $error = is_array($error) ? $error : [];
        $code = self::text($error['code'] ?? null) ?? "http_{$answer->status}";
        $message = self::text($error['message'] ?? null) ?? self::foreign($answer);
        $class = self::CLASSES[$code] ?? self::byStatus($answer->status);

        $isSafe = Outcome::saysNothingWasDone($answer) || (Outcome::leavesOpen($answer) && $isRepeatable);

        return new $class($message, $attempt, $answer, $code, self::fields($error['fields'] ?? null), $isSafe);
    }

    /** @return class-string<ApiException> */
    private static function byStatus(int $status): string
    {
        if ($status === 429) {
            return RateLimitedException::class;
        }

        return $status === 408 || $status >= 500 ? UnavailableException::class : ApiException::class;
    }

    /** @param mixed $value */
    private static function text($value): ?string
    {
        return is_string($value) && $value !== '' ? $value : null;
    }

    private static function foreign(Response $answer): string
    {
        if ($answer->status >= 300 && $answer->status < 400) {
            return 'The base URL leads elsewhere, and redirects are not followed. Use the address they lead to.';
        }

        return "The answer {$answer->status} is not one of the service. Is the base URL right?";
    }

    /**
     * @param mixed $fields
     * @return array<string, list<string>>
     */
    private static function fields($fields): array
    {
        $read = [];
        foreach (is_array($fields) ? $fields : [] as $path => $messages) {
            $read[(string) $path] = array_values(array_filter((array) $messages, 'is_string'));
        }

        return $read;
    }
}
