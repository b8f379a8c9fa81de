<?php

declare(strict_types=1);

namespace Parcelworks\Api;

use Parcelworks\Core\Calls;
use Parcelworks\Core\Pages;
use Parcelworks\Exception\CallException;
use Parcelworks\Result;
use Parcelworks\Shapes;

/**
 * Files of parcels, mailed to the account. A license has one in progress at a time.
 *
 * @phpstan-import-type Export from Shapes
 * @phpstan-import-type CallOptions from Calls
 */
final class Exports
{
    private Calls $calls;

    public function __construct(Calls $calls)
    {
        $this->calls = $calls;
    }

    /**
     * It has no key: after a lost answer look at `all()` before you ask again.
     *
     * @param array{license_key?: string|null, filter?: array<string, mixed>, format?: string|null} $body
     * @param CallOptions $options
     * @return Result<Export>
     * @throws \Parcelworks\Exception\DuplicateException while another one is in progress
     * @throws CallException
     */
    public function create(array $body = [], array $options = []): Result
    {
        if (($body['filter'] ?? null) === []) {
            unset($body['filter']);
        }

        /** @var Result<Export> */
        return $this->calls->change('POST', '/exports', $this->calls->withLicense($body), $options, false);
    }

    /**
     * @param CallOptions $options
     * @return Result<Export>
     * @throws CallException
     */
    public function get(int $id, ?string $licenseKey = null, array $options = []): Result
    {
        $query = $this->calls->withLicense($licenseKey === null ? [] : ['license_key' => $licenseKey]);

        /** @var Result<Export> */
        return $this->calls->get("/exports/$id", $query, $options);
    }

    /**
     * Waits until it is `completed` or `failed`, or the time is over.
     *
     * @return Result<Export>
     * @throws CallException
     */
    public function wait(int $id, ?string $licenseKey = null, float $timeoutSeconds = 300.0): Result
    {
        return $this->calls->until(
            fn () => $this->get($id, $licenseKey),
            static fn ($result) => !in_array($result->data['status'], ['pending', 'processing'], true),
            $timeoutSeconds
        );
    }

    /**
     * Every export of the license, newest first.
     *
     * @param array<string, mixed> $query
     * @return \Generator<int, Export>
     * @throws CallException
     */
    public function all(array $query = []): \Generator
    {
        /** @var \Generator<int, Export> */
        return (new Pages($this->calls))->byCursor('/exports', $this->calls->withLicense($query));
    }
}
