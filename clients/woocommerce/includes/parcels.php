<?php

declare(strict_types=1);

namespace ParcelworksWoo;

/** What people and rules ask for. Whoever asks twice gets the same parcel. */
final class Parcels
{
    private ParcelStore $store;
    private Settings $settings;
    private Connection $connection;
    private Booking $booking;
    private Queue $queue;

    public function __construct(
        ParcelStore $store,
        Settings $settings,
        Connection $connection,
        Booking $booking,
        Queue $queue
    ) {
        $this->store = $store;
        $this->settings = $settings;
        $this->connection = $connection;
        $this->booking = $booking;
        $this->queue = $queue;
    }

    /**
     * Queues the order's first parcel, unless it has one; also while it is not said whether the shop moved, so that
     * no order of those days is forgotten. @return bool Whether the order is one that is shipped.
     */
    public function ask(\WC_Order $order, ?string $license = null): bool
    {
        $license = $license ?? $this->settings->licenseFor($order);
        if ($license === null || $license === '' || !$this->connection->isThere()) {
            return false;
        }
        $this->store->add($order->get_id(), 1, Parcel::DELIVERY, $license, 1);

        return true;
    }

    /** Starts the clock after {@see ask()}. */
    public function wake(): void
    {
        $this->queue->wake();
    }

    /**
     * Adds parcel number `n`, where the order allows one of the kind and has `n - 1`; then tries it at once, so that a
     * click sees its parcel. What does not answer in time is the queue's.
     */
    public function ship(\WC_Order $order, int $n, string $kind, string $license, int $packages): void
    {
        $parcels = $this->store->ofOrder($order->get_id());
        if (count($parcels) === $n - 1 && in_array($kind, self::allowed($parcels), true)) {
            $this->store->add($order->get_id(), $n, $kind, $license, max(1, min(99, $packages)));
        }
        $this->workNewest($order->get_id());
    }

    /** Queues a refused parcel again, because what was missing is there now. */
    public function mended(int $orderId): void
    {
        $newest = $this->store->newestOf([$orderId])[$orderId] ?? null;
        if ($newest !== null && $newest->state === Parcel::REFUSED) {
            $this->store->retry($newest);
            $this->wake();
        }
    }

    /** Whether nothing of the order was sent yet, so that its point may still be chosen. */
    public function isUnsent(int $orderId): bool
    {
        $newest = $this->store->newestOf([$orderId])[$orderId] ?? null;

        return $newest === null || in_array($newest->state, [Parcel::WAITING, Parcel::REFUSED], true);
    }

    /** Tries the order's newest parcel now, under its key: waiting, sent, refused or unknown. */
    public function retry(int $orderId): void
    {
        $newest = $this->store->newestOf([$orderId])[$orderId] ?? null;
        if ($newest !== null && in_array($newest->state, [Parcel::REFUSED, Parcel::UNKNOWN], true)) {
            $this->store->retry($newest);
        }
        $this->workNewest($orderId);
    }

    /** @return string|null Why not. */
    public function cancel(int $orderId, int $parcelId): ?string
    {
        $parcel = $this->store->find($parcelId);

        return $parcel !== null && $parcel->orderId === $orderId && $parcel->isActive() && $this->booking->isReady()
            ? $this->booking->cancel($parcel)
            : null;
    }

    /**
     * @param list<Parcel> $parcels Of an order, the newest last.
     * @return list<string> The kinds of parcel that may come next.
     */
    public static function allowed(array $parcels): array
    {
        $newest = end($parcels);
        if ($newest === false) {
            return [Parcel::DELIVERY];
        }
        if ($newest->isOpen()) {
            return [];
        }
        if ($newest->state === Parcel::REFUSED) {
            return [];
        }
        $active = array_filter($parcels, static fn (Parcel $parcel): bool => $parcel->isActive());
        $bringing = array_filter($active, static fn (Parcel $parcel): bool => $parcel->brings());
        if ($bringing === []) {
            return [Parcel::DELIVERY];
        }
        $fetching = array_filter($active, static fn (Parcel $parcel): bool => !$parcel->brings() && !$parcel->isDelivered());
        $isDelivered = end($bringing)->isDelivered();

        return $isDelivered && $fetching === [] ? [Parcel::RETURN, Parcel::EXCHANGE] : [];
    }

    private function workNewest(int $orderId): void
    {
        $newest = $this->store->newestOf([$orderId])[$orderId] ?? null;
        if ($newest !== null && $newest->isOpen()) {
            $this->booking->work($newest);
        }
    }
}
