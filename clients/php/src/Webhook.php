<?php

declare(strict_types=1);

namespace Parcelworks;

use Parcelworks\Exception\SignatureException;

/** Verifies webhooks on their raw body, and makes signed ones for tests. */
final class Webhook
{
    private const PREFIX = 'whsec_';

    /**
     * @param string $rawBody As it came: `file_get_contents('php://input')`, or `$request->get_body()` in WordPress.
     * @param array<string, mixed> $headers By name in any case and spelling; values are texts or lists of texts.
     *     `$_SERVER` can be given as it is.
     * @param string|list<string> $secrets Two while a secret is being replaced.
     * @param int $toleranceSeconds How far the sender's clock may be from `$now`.
     * @throws SignatureException
     */
    public static function verify(
        string $rawBody,
        array $headers,
        $secrets,
        int $toleranceSeconds = 300,
        ?int $now = null
    ): WebhookEvent {
        $read = self::readHeaders($headers);
        $keys = array_values(array_filter((array) $secrets, static fn (string $secret): bool => $secret !== ''));
        if ($keys === []) {
            throw new SignatureException('There is no secret to verify with.');
        }
        if (!isset($read['webhook-signature']) && !isset($read['x-service-signature'])) {
            throw new SignatureException('The webhook has no signature in its headers.');
        }
        $timestamp = isset($read['webhook-signature'])
            ? self::verifyStandard($rawBody, $read, $keys)
            : self::verifyOwn($rawBody, $read, $keys);
        $age = ($now ?? time()) - $timestamp;
        if (abs($age) > $toleranceSeconds) {
            $off = abs($age) . ' seconds ' . ($age < 0 ? 'ahead of' : 'behind');
            throw new SignatureException("The webhook is $off this clock; $toleranceSeconds are allowed.");
        }

        return self::event($rawBody, $read);
    }

    /**
     * A body and its headers as the service sends them.
     *
     * @param array<string, mixed> $data
     * @param string|list<string> $secrets
     * @return array{body: string, headers: array<string, string>}
     */
    public static function testEvent($secrets, string $name, array $data, ?int $now = null): array
    {
        $seconds = $now ?? time();
        $id = bin2hex(random_bytes(16));
        $body = (string) json_encode(
            ['event' => $name, 'created_at' => $seconds, 'data' => $data === [] ? new \stdClass() : $data],
            JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES
        );
        $own = ["t=$seconds"];
        $standard = [];
        foreach ((array) $secrets as $secret) {
            $own[] = 'v1=' . self::ownSignature($secret, (string) $seconds, $body);
            $standard[] = 'v1,' . self::standardSignature($secret, "$id.$seconds.$body");
        }

        return ['body' => $body, 'headers' => [
            'Content-Type' => 'application/json',
            'X-Service-Event' => $name,
            'X-Service-Event-Id' => $id,
            'X-Service-Signature' => implode(',', $own),
            'webhook-id' => $id,
            'webhook-timestamp' => (string) $seconds,
            'webhook-signature' => implode(' ', $standard),
        ]];
    }

    /**
     * @param array<string, string> $headers
     * @param list<string> $secrets
     */
    private static function verifyStandard(string $body, array $headers, array $secrets): int
    {
        $id = $headers['webhook-id'] ?? '';
        $timestamp = $headers['webhook-timestamp'] ?? '';
        $expected = [];
        foreach ($secrets as $secret) {
            $expected[] = 'v1,' . self::standardSignature($secret, "$id.$timestamp.$body");
        }

        return self::compare($expected, explode(' ', $headers['webhook-signature']), $timestamp);
    }

    /**
     * @param array<string, string> $headers
     * @param list<string> $secrets
     */
    private static function verifyOwn(string $body, array $headers, array $secrets): int
    {
        $parts = explode(',', $headers['x-service-signature'] ?? '');
        $timestamp = '';
        foreach ($parts as $part) {
            if (strncmp($part, 't=', 2) === 0) {
                $timestamp = substr($part, 2);
            }
        }
        $expected = [];
        foreach ($secrets as $secret) {
            $expected[] = 'v1=' . self::ownSignature($secret, $timestamp, $body);
        }

        return self::compare($expected, $parts, $timestamp);
    }

    private static function ownSignature(string $secret, string $timestamp, string $body): string
    {
        return hash_hmac('sha256', "$timestamp.$body", $secret);
    }

    private static function standardSignature(string $secret, string $text): string
    {
        $hasPrefix = strncmp($secret, self::PREFIX, strlen(self::PREFIX)) === 0;
        $key = base64_decode($hasPrefix ? substr($secret, strlen(self::PREFIX)) : $secret, true);
        if ($key === false || $key === '') {
            throw new SignatureException('The secret is not one of the service: it begins with whsec_.');
        }

        return base64_encode(hash_hmac('sha256', $text, $key, true));
    }

    /**
     * Every pair is compared in full, so that the time says nothing of where they differ.
     *
     * @param list<string> $expected
     * @param list<string> $given
     */
    private static function compare(array $expected, array $given, string $timestamp): int
    {
        $fits = false;
        foreach ($expected as $known) {
            foreach (array_slice($given, 0, 10) as $signature) {
                $fits = hash_equals($known, $signature) || $fits;
            }
        }
        if (!$fits || preg_match('/^\d{1,12}$/D', $timestamp) !== 1) {
            throw new SignatureException('The signature does not fit the body. Is it the raw body?');
        }

        return (int) $timestamp;
    }

    /** @param array<string, string> $headers */
    private static function event(string $body, array $headers): WebhookEvent
    {
        $read = json_decode($body, true);
        if (
            !is_array($read) || !is_string($read['event'] ?? null)
            || !is_int($read['created_at'] ?? null) || !is_array($read['data'] ?? null)
        ) {
            throw new SignatureException('The body is not an event.');
        }
        $id = $headers['webhook-id'] ?? $headers['x-service-event-id'] ?? '';

        /** @var array<string, mixed> $data */
        $data = $read['data'];

        return new WebhookEvent($id, $read['event'], $read['created_at'], $data);
    }

    /**
     * @param array<string, mixed> $headers
     * @return array<string, string> By name in small letters, with hyphens.
     */
    private static function readHeaders(array $headers): array
    {
        $read = [];
        foreach ($headers as $name => $value) {
            $values = is_array($value) ? $value : [$value];
            $first = reset($values);
            $plain = strtr(strtolower((string) $name), '_', '-');
            $plain = strncmp($plain, 'http-', 5) === 0 ? substr($plain, 5) : $plain;
            if (is_string($first)) {
                $read[$plain] = $first;
            }
        }

        return $read;
    }
}
