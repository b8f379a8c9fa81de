<?php

declare(strict_types=1);

namespace Parcelworks\Api;

use Parcelworks\Core\Calls;
use Parcelworks\Core\Pages;
use Parcelworks\Exception\CallException;
use Parcelworks\Result;
use Parcelworks\Shapes;

/**
 * Orders as the service keeps them, by the shop's own ids.
 *
 * @phpstan-import-type Order from Shapes
 * @phpstan-import-type Shipment from Shapes
 * @phpstan-import-type CallOptions from Calls
 */
final class Orders
{
    private Calls $calls;

    public function __construct(Calls $calls)
    {
        $this->calls = $calls;
    }

    /**
     * Every order, newest first.
     *
     * @param array<string, mixed> $query
     * @return \Generator<int, Order>
     * @throws CallException
     */
    public function all(array $query = []): \Generator
    {
        /** @var \Generator<int, Order> */
        return (new Pages($this->calls))->byCursor('/orders', $this->calls->withLicense($query));
    }

    /**
     * @param CallOptions $options
     * @return Result<Order>
     * @throws \Parcelworks\Exception\NotFoundException
     * @throws CallException
     */
    public function get(string $orderId, ?string $licenseKey = null, array $options = []): Result
    {
        /** @var Result<Order> */
        return $this->calls->get('/orders/' . Calls::segment($orderId), $this->license($licenseKey), $options);
    }

    /**
     * The order's newest 100 parcels, newest first.
     *
     * @param CallOptions $options
     * @return Result<list<Shipment>>
     * @throws \Parcelworks\Exception\NotFoundException
     * @throws CallException
     */
    public function shipments(string $orderId, ?string $licenseKey = null, array $options = []): Result
    {
        $path = '/orders/' . Calls::segment($orderId) . '/shipments';

        /** @var Result<list<Shipment>> */
        return $this->calls->get($path, $this->license($licenseKey), $options);
    }

    /** @return array<string, mixed> */
    private function license(?string $key): array
    {
        return $this->calls->withLicense($key === null ? [] : ['license_key' => $key]);
    }
}
