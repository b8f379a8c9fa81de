<?php

declare(strict_types=1);

namespace Parcelworks\Api;

use Parcelworks\Core\Calls;
use Parcelworks\Core\Pages;
use Parcelworks\Exception\CallException;
use Parcelworks\Exception\UnknownOutcomeException;
use Parcelworks\Result;
use Parcelworks\Shapes;

/**
 * Parcels.
 *
 * @phpstan-import-type Shipment from Shapes
 * @phpstan-import-type ShipmentStatus from Shapes
 * @phpstan-import-type CreateShipment from Shapes
 * @phpstan-import-type Label from Shapes
 * @phpstan-import-type Labels from Shapes
 * @phpstan-import-type CallOptions from Calls
 */
final class Shipments
{
    private Calls $calls;

    public function __construct(Calls $calls)
    {
        $this->calls = $calls;
    }

    /**
     * Books a parcel, once per key. Give `idempotency_key` where a second click or another process must find the same
     * parcel: the order's id with a counter of its parcels. `isRunning()` tells of a carrier that has not answered yet;
     * see `wait()`.
     *
     * @param CreateShipment $body
     * @param CallOptions $options
     * @return Result<Shipment>
     * @throws UnknownOutcomeException when it may have been booked and no answer says so
     * @throws CallException
     */
    public function create(array $body, array $options = []): Result
    {
        /** @var Result<Shipment> */
        return $this->calls->create('/shipments', $this->calls->withLicense(self::withObjects($body)), $options);
    }

    /**
     * What a creation would send. Nothing is sent and nothing is written; it takes no key.
     *
     * @param CreateShipment $body
     * @param CallOptions $options
     * @return Result<array<string, mixed>>
     * @throws \Parcelworks\Exception\ValidationException
     * @throws CallException
     */
    public function dryRun(array $body, array $options = []): Result
    {
        $sent = $this->calls->withLicense(self::withObjects($body));

        /** @var Result<array<string, mixed>> */
        return $this->calls->change('POST', '/shipments', $sent, $options, true, ['dry_run' => true]);
    }

    /**
     * @param CallOptions $options
     * @return Result<Shipment>
     * @throws CallException
     */
    public function get(string $uuid, array $options = []): Result
    {
        /** @var Result<Shipment> */
        return $this->calls->get('/shipments/' . Calls::segment($uuid), [], $options);
    }

    /**
     * Waits for a creation that was answered while it still ran.
     *
     * @return Result<Shipment> The parcel; still `pending` when the time is over, and `needs_attention` where a person
     *     has to decide.
     * @throws \Parcelworks\Exception\CreationRefusedException when it ended without a parcel
     * @throws CallException
     */
    public function wait(string $uuid, float $timeoutSeconds = 60.0): Result
    {
        return $this->calls->until(
            fn () => $this->get($uuid),
            static fn ($result) => $result->data['status']['code'] !== 'pending',
            $timeoutSeconds
        );
    }

    /**
     * One page.
     *
     * @param array<string, mixed> $query Such as `['filter' => ['order_id' => '1001'], 'page' => 2]`.
     * @param CallOptions $options
     * @return Result<array{data: list<Shipment>, links: array<string, string|null>, meta: array<string, int>}>
     * @throws CallException
     */
    public function list(array $query = [], array $options = []): Result
    {
        /** @var Result<array{data: list<Shipment>, links: array<string, string|null>, meta: array<string, int>}> */
        return $this->calls->get('/shipments', $this->calls->withLicense($query), $options);
    }

    /**
     * Every row of the list, page by page as they are wanted.
     *
     * @param array<string, mixed> $query
     * @return \Generator<int, Shipment>
     * @throws CallException
     */
    public function all(array $query = []): \Generator
    {
        /** @var \Generator<int, Shipment> */
        return (new Pages($this->calls))->byNumber('/shipments', $this->calls->withLicense($query), 'uuid');
    }

    /**
     * Cancels with the carrier. Again is harmless.
     *
     * @param CallOptions $options
     * @return Result<Shipment>
     * @throws \Parcelworks\Exception\NotCancellableException
     * @throws CallException
     */
    public function cancel(string $uuid, ?string $reason = null, array $options = []): Result
    {
        $body = $reason === null ? [] : ['reason' => $reason];
        $path = '/shipments/' . Calls::segment($uuid) . '/cancel';

        /** @var Result<Shipment> */
        return $this->calls->change('POST', $path, $body, $options, true);
    }

    /**
     * @param bool $refresh Asks the carrier now, for 10 seconds at most.
     * @param CallOptions $options
     * @return Result<ShipmentStatus>
     * @throws CallException
     */
    public function status(string $uuid, bool $refresh = false, array $options = []): Result
    {
        $query = $refresh ? ['refresh' => true] : [];

        /** @var Result<ShipmentStatus> */
        return $this->calls->get('/shipments/' . Calls::segment($uuid) . '/status', $query, $options);
    }

    /**
     * For carriers that report nothing by themselves, such as the shop's own couriers.
     *
     * @param array{code: string, description?: string|null, occurred_at?: string|null} $body
     * @param CallOptions $options
     * @return Result<ShipmentStatus>
     * @throws CallException
     */
    public function setStatus(string $uuid, array $body, array $options = []): Result
    {
        $path = '/shipments/' . Calls::segment($uuid) . '/status';

        /** @var Result<ShipmentStatus> */
        return $this->calls->change('POST', $path, $body, $options, false);
    }

    /**
     * Where the label is: whoever has the address can print it.
     *
     * @param CallOptions $options
     * @return Result<Label>
     * @throws CallException
     */
    public function label(string $uuid, array $options = []): Result
    {
        /** @var Result<Label> */
        return $this->calls->get('/shipments/' . Calls::segment($uuid) . '/label', [], $options);
    }

    /**
     * The label itself.
     *
     * @param CallOptions $options
     * @return Result<string> The bytes of a PDF.
     * @throws CallException
     */
    public function labelPdf(string $uuid, array $options = []): Result
    {
        /** @var Result<string> */
        return $this->calls->get('/shipments/' . Calls::segment($uuid) . '/label', [], $options, 'application/pdf');
    }

    /**
     * One document with the labels of up to 100 parcels.
     *
     * @param list<string> $uuids
     * @param array{
     *     license_key?: string|null,
     *     label_type?: string|null,
     *     position?: int,
     *     enable_sort_by_warehouse?: bool|null,
     *     sort_by_warehouse?: string|null
     * } $layout `position` is the first slot of an A4 sheet, from 1 to 8.
     * @param CallOptions $options
     * @return Result<Labels>
     * @throws CallException
     */
    public function labels(array $uuids, array $layout = [], array $options = []): Result
    {
        $body = $this->calls->withLicense(['shipments' => array_values($uuids)] + $layout);

        /** @var Result<Labels> */
        return $this->calls->change('POST', '/shipments/labels', $body, $options, true);
    }

    /**
     * PHP's empty array is a list in JSON; the service wants objects here.
     *
     * @param array<string, mixed> $body
     * @return array<string, mixed>
     */
    public static function withObjects(array $body): array
    {
        if (is_array($body['order'] ?? null)) {
            foreach (['billing', 'shipping'] as $name) {
                if (($body['order'][$name] ?? null) === []) {
                    $body['order'][$name] = null;
                }
            }
        }

        return $body;
    }
}
