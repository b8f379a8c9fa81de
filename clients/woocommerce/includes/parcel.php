<?php

declare(strict_types=1);

namespace ParcelworksWoo;

/** A parcel of an order. Its key names it in the service: the same one at every try. */
final class Parcel
{
    public const DELIVERY = 'delivery';
    public const RETURN = 'return';
    public const EXCHANGE = 'exchange';

    /** Stands in the queue; nothing was sent. */
    public const WAITING = 'waiting';
    /** Was sent, or may have been; the outcome is being asked for. */
    public const SENT = 'sent';
    public const BOOKED = 'booked';
    /** Nothing was booked; `message` says why. */
    public const REFUSED = 'refused';
    /** It is not known whether the courier has it; a person has to look. */
    public const UNKNOWN = 'unknown';

    public const STATES = [self::WAITING, self::SENT, self::BOOKED, self::REFUSED, self::UNKNOWN];
    /** After these the order may be shipped again. */
    private const ENDED = ['cancelled', 'returned', 'lost'];

    public int $id;
    public int $orderId;
    public int $n;
    public string $kind;
    public string $license;
    public int $packages;
    public string $state;
    /** JSON as it was sent, while the outcome is open: a repeat sends the same. */
    public ?string $body;
    public ?string $uuid;
    public ?string $trackingCode;
    public ?string $shortCode;
    public ?string $status;
    public int $statusAt;
    public ?string $message;
    public int $tries;
    public int $nextAt;

    /** @param array<string, mixed> $row */
    public function __construct(array $row)
    {
        $this->id = (int) $row['id'];
        $this->orderId = (int) $row['order_id'];
        $this->n = (int) $row['n'];
        $this->kind = (string) $row['kind'];
        $this->license = (string) $row['license'];
        $this->packages = (int) $row['packages'];
        $this->state = (string) $row['state'];
        $this->body = $row['body'];
        $this->uuid = $row['uuid'];
        $this->trackingCode = $row['tracking_code'];
        $this->shortCode = $row['short_code'];
        $this->status = $row['status'];
        $this->statusAt = (int) $row['status_at'];
        $this->message = $row['message'];
        $this->tries = (int) $row['tries'];
        $this->nextAt = (int) $row['next_at'];
    }

    /** The same for every click, try and process: `n` grows by "ship again" alone. */
    public function key(string $site): string
    {
        return "$site-{$this->orderId}-{$this->n}";
    }

    /** Whether it is not known yet what became of it. */
    public function isOpen(): bool
    {
        return in_array($this->state, [self::WAITING, self::SENT, self::UNKNOWN], true);
    }

    /** Whether an earlier try was sent whose outcome is open. */
    public function wasSent(): bool
    {
        return $this->state === self::SENT || $this->state === self::UNKNOWN;
    }

    public function isEnded(): bool
    {
        return self::endsWith((string) $this->status);
    }

    public static function endsWith(string $status): bool
    {
        return in_array($status, self::ENDED, true);
    }

    /** Booked, and not cancelled, returned or lost. */
    public function isActive(): bool
    {
        return $this->state === self::BOOKED && !$this->isEnded();
    }

    public function isDelivered(): bool
    {
        return $this->state === self::BOOKED && $this->status === 'delivered';
    }

    /** Whether its status changes no more. */
    public function isFinal(): bool
    {
        return $this->isEnded() || $this->status === 'delivered';
    }

    public function brings(): bool
    {
        return $this->kind !== self::RETURN;
    }
}
