<?php

declare(strict_types=1);

namespace Parcelworks\Http;

/** WordPress' own way out: its proxies, its certificates and the filters of its other plugins apply. */
final class WordPressTransport implements Transport
{
    public function send(Request $request): Response
    {
        $answer = \wp_remote_request($request->url, [
            'method' => $request->method,
            'headers' => $request->headers,
            'body' => $request->body,
            'timeout' => $request->timeoutSeconds,
            'user-agent' => $request->headers['User-Agent'] ?? 'parcelworks-php',
            'redirection' => 0,
            'httpversion' => '1.1',
            'blocking' => true,
            'sslverify' => true,
        ]);
        if (\is_wp_error($answer)) {
            throw self::failure((string) $answer->get_error_code(), $answer->get_error_message());
        }
        $headers = \wp_remote_retrieve_headers($answer);
        $plain = is_array($headers) ? $headers : iterator_to_array($headers);

        return new Response(
            (int) \wp_remote_retrieve_response_code($answer),
            $plain,
            (string) \wp_remote_retrieve_body($answer)
        );
    }

    private static function failure(string $code, string $message): TransportException
    {
        $isBlocked = $code === 'http_request_not_executed';
        $found = preg_match('/cURL error (\d+)/', $message, $match) === 1 ? (int) $match[1] : 0;
        $isConnecting = $found === CurlErrors::TIMED_OUT
            && preg_match('/(Connection|Resolving|Connect) (timed out|timeout)/i', $message) === 1
            && stripos($message, 'operation timed out') === false;

        return new TransportException(
            $message,
            $isBlocked || CurlErrors::isBeforeSending($found) || $isConnecting
        );
    }
}
