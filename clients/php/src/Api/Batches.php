<?php

declare(strict_types=1);

namespace Parcelworks\Api;

use Parcelworks\Core\Calls;
use Parcelworks\Core\Pages;
use Parcelworks\Exception\CallException;
use Parcelworks\Result;
use Parcelworks\Shapes;

/**
 * Up to 2000 creations in one request.
 *
 * @phpstan-import-type Batch from Shapes
 * @phpstan-import-type BatchItem from Shapes
 * @phpstan-import-type CreateShipment from Shapes
 * @phpstan-import-type CallOptions from Calls
 */
final class Batches
{
    private Calls $calls;

    public function __construct(Calls $calls)
    {
        $this->calls = $calls;
    }

    /**
     * Stores the items; they are created in the background. An invalid one fails alone.
     *
     * @param list<CreateShipment> $shipments
     * @param CallOptions $options
     * @return Result<Batch>
     * @throws \Parcelworks\Exception\UnknownOutcomeException
     * @throws CallException
     */
    public function create(array $shipments, array $options = []): Result
    {
        $items = array_map([Shipments::class, 'withObjects'], array_values($shipments));
        $body = $this->calls->withLicense(['shipments' => $items]);

        /** @var Result<Batch> */
        return $this->calls->create('/batches', $body, $options);
    }

    /**
     * @param CallOptions $options
     * @return Result<Batch>
     * @throws CallException
     */
    public function get(string $id, array $options = []): Result
    {
        /** @var Result<Batch> */
        return $this->calls->get('/batches/' . Calls::segment($id), [], $options);
    }

    /**
     * Waits until every item has its outcome.
     *
     * @return Result<Batch> Its `status` is not `completed` where the time was over before.
     * @throws CallException
     */
    public function wait(string $id, float $timeoutSeconds = 300.0): Result
    {
        return $this->calls->until(
            fn () => $this->get($id),
            static fn ($result) => $result->data['status'] === 'completed',
            $timeoutSeconds
        );
    }

    /**
     * Every batch, newest first.
     *
     * @param array<string, mixed> $query
     * @return \Generator<int, Batch>
     * @throws CallException
     */
    public function all(array $query = []): \Generator
    {
        /** @var \Generator<int, Batch> */
        return (new Pages($this->calls))->byCursor('/batches', $this->calls->withLicense($query));
    }

    /**
     * Every item, in the order in which they were sent.
     *
     * @param array<string, mixed> $query Such as `['filter' => ['status' => 'failed']]`.
     * @return \Generator<int, BatchItem>
     * @throws CallException
     */
    public function items(string $id, array $query = []): \Generator
    {
        /** @var \Generator<int, BatchItem> */
        return (new Pages($this->calls))->byCursor('/batches/' . Calls::segment($id) . '/items', $query);
    }

    /**
     * Tries the failed items again.
     *
     * @param CallOptions $options
     * @return Result<Batch>
     * @throws CallException
     */
    public function retry(string $id, array $options = []): Result
    {
        /** @var Result<Batch> */
        return $this->calls->change('POST', '/batches/' . Calls::segment($id) . '/retry', [], $options, false);
    }

    /**
     * Items that have not begun fail; created parcels stay.
     *
     * @param CallOptions $options
     * @return Result<Batch>
     * @throws CallException
     */
    public function cancel(string $id, array $options = []): Result
    {
        /** @var Result<Batch> */
        return $this->calls->change('POST', '/batches/' . Calls::segment($id) . '/cancel', [], $options, true);
    }
}
