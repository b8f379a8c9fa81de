<?php

declare(strict_types=1);

namespace ParcelworksWoo;

use ParcelworksWoo\Client\Exception\ParcelworksException;

/** The points of a town, for a check-out: late is as bad as none, so that a buyer is never kept waiting for them. */
final class PickupPoints
{
    private const WAIT_SECONDS = 2.0;
    private const KEPT_SECONDS = DAY_IN_SECONDS;
    /** After a failure nobody else waits for it. */
    private const AWAY_SECONDS = 60;

    private Settings $settings;
    private Connection $connection;
    private VisitorLimit $limit;

    public function __construct(Settings $settings, Connection $connection, VisitorLimit $limit)
    {
        $this->settings = $settings;
        $this->connection = $connection;
        $this->limit = $limit;
    }

    /** @return list<PickupPoint> None where there are none, the service is away, or the visitor asks too much. */
    public function near(string $rate, string $city): array
    {
        return $this->look($rate, $city) ?? [];
    }

    /** @return list<PickupPoint>|null As `near`; null where the visitor asks too much. */
    public function look(string $rate, string $city): ?array
    {
        $city = trim($city);
        if ($city === '' || !$this->connection->isUsable() || !$this->settings->isPointRate($rate)) {
            return [];
        }
        $license = $this->settings->licenseOfRate($rate);
        $name = 'parcelworks_points_' . md5($license . "\n" . $city);
        $kept = get_transient($name);
        if (!is_array($kept)) {
            if (!$this->limit->take()) {
                return null;
            }
            $kept = $this->read($license, $city);
            set_transient($name, $kept ?? [], $kept === null ? self::AWAY_SECONDS : self::KEPT_SECONDS);
        }

        return array_map(static fn (array $point): PickupPoint => new PickupPoint($point[0], $point[1]), $kept ?? []);
    }

    /** @return list<array{string, string}>|null Ids and words; null where the service did not answer in time. */
    private function read(string $license, string $city): ?array
    {
        try {
            $points = $this->connection->client()->pickupPoints($license, mb_substr($city, 0, 100), self::WAIT_SECONDS)->data;
        } catch (ParcelworksException $error) {
            return null;
        }
        $read = [];
        foreach ($points as $point) {
            $parts = [$point['name'] ?? '', trim(($point['street'] ?? '') . ' ' . ($point['number'] ?? '')), $point['city'] ?? ''];
            $read[] = [(string) $point['id'], implode(', ', array_filter(array_map('trim', $parts)))];
        }

        return $read;
    }
}
