<?php

declare(strict_types=1);

/**
 * Gives the event when one of the signatures fits, else throws. $rawBody is the body exactly as it came:
 * file_get_contents('php://input'). Parse it only afterwards.
 */
function verify_webhook(string $rawBody, string $signatureHeader, string $secret, int $toleranceSeconds = 300): array
{
    $timestamp = '';
    $signatures = [];
    foreach (explode(',', $signatureHeader) as $part) {
        [$name, $value] = explode('=', $part, 2) + [1 => ''];
        if ($name === 't') {
            $timestamp = $value;
        } elseif ($name === 'v1') {
            $signatures[] = $value;
        }
    }
    $expected = hash_hmac('sha256', $timestamp . '.' . $rawBody, $secret);
    $fits = false;
    foreach ($signatures as $signature) {
        $fits = hash_equals($expected, $signature) || $fits;
    }
    if (!$fits) {
        throw new RuntimeException('The signature does not fit.');
    }
    if (abs(time() - (int) $timestamp) > $toleranceSeconds) {
        throw new RuntimeException('The delivery is too old.');
    }

    return json_decode($rawBody, true, 64, JSON_THROW_ON_ERROR);
}
