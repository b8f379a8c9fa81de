<?php

declare(strict_types=1);

namespace Parcelworks\Http;

/** PHP's curl, with one connection that is used again. */
final class CurlTransport implements Transport
{
    private const CONNECT_TIMEOUT_SECONDS = 10.0;

    private ?string $caFile;
    /** @var \CurlHandle|null Before PHP 8 a resource. */
    private $handle;

    /** @param string|null $caFile A PEM file of authorities instead of the system's. */
    public function __construct(?string $caFile = null)
    {
        if (!\function_exists('curl_init')) {
            throw new \RuntimeException('The curl extension of PHP is missing. Install it, or give a transport.');
        }
        $this->caFile = $caFile;
    }

    public function send(Request $request): Response
    {
        $headers = [];
        $handle = $this->prepare($request, $headers);
        $body = curl_exec($handle);
        if ($body === false) {
            throw self::failure($handle);
        }

        return new Response((int) curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $headers, (string) $body);
    }

    /**
     * @param array<string, string> $headers Filled with the answer's headers.
     * @return \CurlHandle
     */
    private function prepare(Request $request, array &$headers)
    {
        $handle = $this->handle ?? curl_init();
        if ($handle === false) {
            throw new TransportException('curl could not be started.', true);
        }
        $this->handle = $handle;
        curl_reset($handle);
        curl_setopt_array($handle, $this->options($request) + [
            CURLOPT_HEADERFUNCTION => static function ($handle, string $line) use (&$headers): int {
                self::readHeader($line, $headers);

                return strlen($line);
            },
        ]);

        return $handle;
    }

    /** @return array<int, mixed> */
    private function options(Request $request): array
    {
        // An empty Expect keeps curl from waiting for "100 Continue" before a large body.
        $lines = ['Expect:'];
        foreach ($request->headers as $name => $value) {
            $lines[] = "$name: $value";
        }
        $options = [
            CURLOPT_URL => $request->url,
            CURLOPT_CUSTOMREQUEST => $request->method,
            CURLOPT_HTTPHEADER => $lines,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_SSL_VERIFYPEER => true,
            CURLOPT_SSL_VERIFYHOST => 2,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_TIMEOUT_MS => max(1, (int) ceil($request->timeoutSeconds * 1000)),
            CURLOPT_CONNECTTIMEOUT_MS => (int) ceil(
                1000 * min($request->timeoutSeconds, self::CONNECT_TIMEOUT_SECONDS)
            ),
            // curl sends a request a second time by itself where a kept connection turns out to be dead.
            CURLOPT_FRESH_CONNECT => !$request->repeatable,
        ];
        if ($request->body !== null) {
            $options[CURLOPT_POSTFIELDS] = $request->body;
        }
        if ($this->caFile !== null) {
            $options[CURLOPT_CAINFO] = $this->caFile;
        }

        return $options;
    }

    /** @param array<string, string> $headers */
    private static function readHeader(string $line, array &$headers): void
    {
        if (strncmp($line, 'HTTP/', 5) === 0) {
            $headers = [];

            return;
        }
        $parts = explode(':', $line, 2);
        if (count($parts) === 2) {
            $headers[strtolower(trim($parts[0]))] = trim($parts[1]);
        }
    }

    /** @param \CurlHandle $handle */
    private static function failure($handle): TransportException
    {
        $number = curl_errno($handle);
        $connected = (float) curl_getinfo($handle, CURLINFO_PRETRANSFER_TIME) > 0.0;
        $nothingSent = CurlErrors::isBeforeSending($number)
            || ($number === CurlErrors::TIMED_OUT && !$connected);

        return new TransportException("curl error $number: " . curl_error($handle), $nothingSent);
    }
}
