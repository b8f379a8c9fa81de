<?php

declare(strict_types=1);

namespace Parcelworks\Core;

use Parcelworks\Exception\ApiErrors;
use Parcelworks\Exception\CallException;
use Parcelworks\Exception\ConnectionException;
use Parcelworks\Exception\UnknownOutcomeException;
use Parcelworks\Http\Request;
use Parcelworks\Http\Response;
use Parcelworks\Http\TransportException;
use Parcelworks\Result;

/** Sends a call until it has an answer that settles it, with the same bytes and the same key each time. */
final class Sender
{
    private Config $config;

    public function __construct(Config $config)
    {
        $this->config = $config;
    }

    /**
     * @return Result<mixed>
     * @throws CallException
     */
    public function send(Call $call): Result
    {
        $limit = $call->totalTimeoutSeconds ?? $this->config->totalTimeoutSeconds;

        return $this->run($call, new Attempt($call->key, false), $limit, $call->maxTries ?? $this->config->maxTries);
    }

    /**
     * Sends again what may have been carried out, as often as the time allows.
     *
     * @return Result<mixed>
     * @throws CallException
     */
    public function resolve(Call $call, float $timeoutSeconds): Result
    {
        return $this->run($call, new Attempt($call->key, true), $timeoutSeconds, PHP_INT_MAX);
    }

    /** @return Result<mixed> */
    private function run(Call $call, Attempt $attempt, float $limitSeconds, int $maxTries): Result
    {
        $clock = $this->config->clock;
        $end = $clock->seconds() + $limitSeconds;
        while (true) {
            $attempt->tries++;
            $failure = $this->tryOnce($call, $attempt, $end - $clock->seconds());
            $answer = $attempt->response;
            if ($failure === null && $answer !== null && !Outcome::isWorthAnotherTry($answer)) {
                return $this->settle($call, $attempt, $answer);
            }
            $wait = Backoff::waitSeconds($attempt->tries, $answer);
            $isTooLong = $clock->seconds() + $wait >= $end || $this->isBeyondCap($answer);
            if ($attempt->tries >= $maxTries || $isTooLong || !self::mayRepeat($call, $attempt)) {
                throw $this->giveUp($call, $attempt, $failure);
            }
            $clock->sleep($wait);
        }
    }

    /**
     * Leaves the answer in the attempt.
     *
     * @return TransportException|null Why there is none that can be read.
     */
    private function tryOnce(Call $call, Attempt $attempt, float $leftSeconds): ?TransportException
    {
        $attempt->response = null;
        $this->config->observer->before($call, $attempt);
        $began = $this->config->clock->seconds();
        $failure = null;
        try {
            $answer = $this->config->transport->send($this->request($call, $attempt, $leftSeconds));
            $attempt->response = $answer;
            if (!Outcome::isReadable($answer, $call->accept)) {
                $failure = new TransportException('The answer was cut off, or is not one of the service.');
            }
            $isOpen = $failure !== null || Outcome::leavesOpen($answer);
        } catch (TransportException $error) {
            $failure = $error;
            $isOpen = !$error->nothingSent();
        }
        $attempt->isAmbiguous = $attempt->isAmbiguous || $isOpen;
        $seconds = $this->config->clock->seconds() - $began;
        $this->config->observer->after($call, $attempt, $seconds, $failure === null ? null : $failure->getMessage());

        return $failure;
    }

    private function request(Call $call, Attempt $attempt, float $leftSeconds): Request
    {
        $config = $this->config;
        $headers = [
            'Accept' => $call->accept,
            'User-Agent' => $config->userAgent,
            'X-Client-Id' => $config->clientId,
            'X-Client-Secret' => $config->clientSecret,
            'X-Request-Id' => $attempt->requestId,
        ];
        if ($call->body !== null) {
            $headers['Content-Type'] = 'application/json';
        }
        if ($call->key !== null) {
            $headers['Idempotency-Key'] = $call->key;
        }
        if ($call->ifNoneMatch !== null) {
            $headers['If-None-Match'] = $call->ifNoneMatch;
        }
        $query = http_build_query($call->query, '', '&', PHP_QUERY_RFC3986);
        $url = "{$config->baseUrl}/api/v2{$call->path}" . ($query === '' ? '' : "?$query");
        $timeout = min($call->timeoutSeconds ?? $config->timeoutSeconds, max(0.001, $leftSeconds));

        return new Request($call->method, $url, $headers, $call->body, $timeout, $call->repeatable);
    }

    private function isBeyondCap(?Response $answer): bool
    {
        $asked = $answer === null ? null : Backoff::retryAfterSeconds($answer);

        return $asked !== null && $asked > $this->config->retryAfterCapSeconds;
    }

    private static function mayRepeat(Call $call, Attempt $attempt): bool
    {
        return $call->repeatable || !$attempt->isAmbiguous;
    }

    /** @return Result<mixed> */
    private function settle(Call $call, Attempt $attempt, Response $answer): Result
    {
        if ($answer->status >= 200 && $answer->status < 300) {
            return self::result($call, $attempt, $answer, self::data($call, $answer));
        }
        if ($answer->status === 304 && $call->ifNoneMatch !== null) {
            return self::result($call, $attempt, $answer, null);
        }
        $error = ApiErrors::of($answer, $attempt, $call->repeatable);
        if ($attempt->isAmbiguous && $call->method === 'DELETE' && $error->errorCode() === 'not_found') {
            // An earlier try, whose answer was lost, deleted it.
            return self::result($call, $attempt, $answer, null);
        }
        if ($attempt->isAmbiguous && $call->key !== null && !Outcome::settles($answer)) {
            throw $this->unknown($call, $attempt, $error);
        }
        throw $error;
    }

    /**
     * @param mixed $data
     * @return Result<mixed>
     */
    private static function result(Call $call, Attempt $attempt, Response $answer, $data): Result
    {
        return new Result($data, $answer, $attempt);
    }

    /** @return mixed */
    private static function data(Call $call, Response $answer)
    {
        if ($answer->status === 204) {
            return null;
        }
        if ($call->accept === 'application/pdf') {
            return $answer->body;
        }
        $json = $answer->json() ?? [];

        // A page keeps its links and its position.
        return array_key_exists('meta', $json) ? $json : $json['data'];
    }

    private function giveUp(Call $call, Attempt $attempt, ?TransportException $failure): CallException
    {
        if ($attempt->isAmbiguous && $call->key !== null) {
            return $this->unknown($call, $attempt, $failure);
        }
        if ($failure === null && $attempt->response !== null) {
            return ApiErrors::of($attempt->response, $attempt, $call->repeatable);
        }
        $why = $failure === null ? 'no answer' : $failure->getMessage();
        $isSafe = $call->repeatable || !$attempt->isAmbiguous;

        return new ConnectionException("No answer that could be read: $why", $attempt, $isSafe, $failure);
    }

    private function unknown(Call $call, Attempt $attempt, ?\Throwable $last): UnknownOutcomeException
    {
        $status = $attempt->response === null ? 'none' : (string) $attempt->response->status;
        $why = $last === null ? "the last answer was $status" : $last->getMessage();
        $message = "It is not known whether the creation with the key {$call->key} happened: $why";

        return new UnknownOutcomeException($message, $attempt, $this, $call, $last);
    }
}
