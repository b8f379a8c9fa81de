<?php

declare(strict_types=1);

namespace ParcelworksWoo;

/** The table of parcels. It is the queue as well: a clock only says when to look at it. */
final class ParcelStore
{
    /** Longer than a try takes; a process that died gives its parcel free then. */
    private const CLAIM_SECONDS = 60;

    public static function table(): string
    {
        global $wpdb;

        return $wpdb->prefix . 'parcelworks_parcels';
    }

    /** @return list<Parcel> Of the order, the newest last. */
    public function ofOrder(int $orderId): array
    {
        global $wpdb;

        return $this->read($wpdb->prepare('SELECT * FROM ' . self::table() . ' WHERE order_id = %d ORDER BY n', $orderId));
    }

    /**
     * @param list<int> $orderIds
     * @return array<int, Parcel> The newest of each order, by order.
     */
    public function newestOf(array $orderIds): array
    {
        if ($orderIds === []) {
            return [];
        }
        $ids = implode(',', array_map('intval', $orderIds));
        $newest = [];
        foreach ($this->read('SELECT * FROM ' . self::table() . " WHERE order_id IN ($ids) ORDER BY n") as $parcel) {
            $newest[$parcel->orderId] = $parcel;
        }

        return $newest;
    }

    public function find(int $id): ?Parcel
    {
        global $wpdb;

        return $this->read($wpdb->prepare('SELECT * FROM ' . self::table() . ' WHERE id = %d', $id))[0] ?? null;
    }

    public function findByUuid(string $uuid): ?Parcel
    {
        global $wpdb;

        return $this->read($wpdb->prepare('SELECT * FROM ' . self::table() . ' WHERE uuid = %s', $uuid))[0] ?? null;
    }

    /** @return list<Parcel> Those to be looked at now, the one that waits longest first. */
    public function due(int $limit): array
    {
        global $wpdb;
        $now = time();

        return $this->read($wpdb->prepare(
            'SELECT * FROM ' . self::table() . ' WHERE next_at > 0 AND next_at <= %d AND claimed_until < %d ORDER BY next_at, id LIMIT %d',
            $now,
            $now,
            $limit
        ));
    }

    /** @return array<string, int> How many parcels each state has. */
    public function counts(): array
    {
        global $wpdb;
        $counts = array_fill_keys(Parcel::STATES, 0);
        foreach ((array) $wpdb->get_results('SELECT state, COUNT(*) AS many FROM ' . self::table() . ' GROUP BY state') as $row) {
            $counts[(string) $row->state] = (int) $row->many;
        }

        return $counts;
    }

    /** @return list<Parcel> Of the states, the newest first. */
    public function inStates(array $states, int $limit): array
    {
        global $wpdb;
        $in = implode(',', array_fill(0, count($states), '%s'));

        return $this->read($wpdb->prepare(
            'SELECT * FROM ' . self::table() . " WHERE state IN ($in) ORDER BY id DESC LIMIT %d",
            array_merge($states, [$limit])
        ));
    }

    /** Adds the order's parcel number `n`, once: whoever comes second adds nothing. */
    public function add(int $orderId, int $n, string $kind, string $license, int $packages): void
    {
        global $wpdb;
        $now = time();
        $wpdb->query($wpdb->prepare(
            'INSERT IGNORE INTO ' . self::table() . ' (order_id, n, kind, license, packages, state, next_at, created_at)'
                . ' VALUES (%d, %d, %s, %s, %d, %s, %d, %d)',
            $orderId,
            $n,
            $kind,
            $license,
            $packages,
            Parcel::WAITING,
            $now,
            $now
        ));
    }

    /** Takes a parcel for this process. False where another has it, or it changed since it was read. */
    public function claim(Parcel $parcel): bool
    {
        global $wpdb;
        $now = time();

        return 1 === $wpdb->query($wpdb->prepare(
            'UPDATE ' . self::table() . ' SET claimed_until = %d, tries = tries + 1 WHERE id = %d AND state = %s'
                . ' AND tries = %d AND claimed_until < %d',
            $now + self::CLAIM_SECONDS,
            $parcel->id,
            $parcel->state,
            $parcel->tries,
            $now
        ));
    }

    /** @param array<string, mixed> $fields Columns; gives the claim back unless they name it. */
    public function update(Parcel $parcel, array $fields): void
    {
        $this->write($parcel, $fields + ['claimed_until' => 0]);
    }

    /**
     * Keeps what is about to be sent, before it is sent. The claim stays.
     *
     * @return bool Whether it is kept.
     */
    public function keepBody(Parcel $parcel, string $body): bool
    {
        return $this->write($parcel, ['body' => $body, 'state' => Parcel::SENT]);
    }

    /** Queues a refused or unknown parcel again, under the same key. Only the first of two clicks does it. */
    public function retry(Parcel $parcel): void
    {
        global $wpdb;
        $state = $parcel->state === Parcel::REFUSED ? Parcel::WAITING : Parcel::SENT;
        $wpdb->query($wpdb->prepare(
            'UPDATE ' . self::table() . ' SET state = %s, next_at = %d, message = NULL, tries = 0 WHERE id = %d AND state = %s',
            $state,
            time(),
            $parcel->id,
            $parcel->state
        ));
    }

    /**
     * Moves the status, forwards only: to a later moment, or at the same one to a later step.
     *
     * @return bool Whether this call moved it to another status.
     */
    public function moveStatus(Parcel $parcel, string $status, int $at): bool
    {
        global $wpdb;
        $step = Status::step($status);
        $moved = $wpdb->query($wpdb->prepare(
            'UPDATE ' . self::table() . ' SET status = %s, status_at = %d WHERE id = %d AND status = %s'
                . ' AND status <> %s AND (status_at < %d OR (status_at = %d AND %d > %d))',
            $status,
            $at,
            $parcel->id,
            (string) $parcel->status,
            $status,
            $at,
            $at,
            $step,
            Status::step((string) $parcel->status)
        ));

        return $moved === 1;
    }

    /** Has it looked at as soon as whoever is at it has ended. */
    public function hurry(Parcel $parcel): void
    {
        global $wpdb;
        $wpdb->update(self::table(), ['next_at' => time()], ['id' => $parcel->id]);
    }

    public function clear(): void
    {
        global $wpdb;
        $wpdb->query('DELETE FROM ' . self::table());
    }

    public function removeOrder(int $orderId): void
    {
        global $wpdb;
        $wpdb->delete(self::table(), ['order_id' => $orderId]);
    }

    /**
     * WordPress logs a write that fails in full, and these have a recipient or a courier's words in them.
     *
     * @param array<string, mixed> $fields
     */
    private function write(Parcel $parcel, array $fields): bool
    {
        global $wpdb;
        $suppressed = $wpdb->suppress_errors(true);
        $isDone = $wpdb->update(self::table(), $fields, ['id' => $parcel->id]) !== false;
        $wpdb->suppress_errors($suppressed);
        if (!$isDone) {
            error_log("Parcelworks: the shop's database refused a change of parcel {$parcel->id}.");
        }

        return $isDone;
    }

    /** @return list<Parcel> */
    private function read(string $sql): array
    {
        global $wpdb;
        $rows = $wpdb->get_results($sql, ARRAY_A);

        return array_map(static fn (array $row): Parcel => new Parcel($row), is_array($rows) ? $rows : []);
    }
}
