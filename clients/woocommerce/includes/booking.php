<?php

declare(strict_types=1);

namespace ParcelworksWoo;

use ParcelworksWoo\Client\Exception\ApiException;
use ParcelworksWoo\Client\Exception\CallException;
use ParcelworksWoo\Client\Exception\CreationRefusedException;
use ParcelworksWoo\Client\Exception\DuplicateException;
use ParcelworksWoo\Client\Exception\KeyConflictException;
use ParcelworksWoo\Client\Exception\NotFoundException;

/** Brings one parcel a step further: sends it, or asks what became of it. */
final class Booking
{
    /** For one request, so that a page or a run of the queue comes to its end. */
    private const TRY_SECONDS = 10;
    private const FIRST_WAIT_SECONDS = 15;
    private const LONGEST_WAIT_SECONDS = 3600;
    /** Tries without an answer after which a person is asked to look: about a day. */
    private const UNKNOWN_AFTER_TRIES = 32;
    /** How often a parcel that is on its way is asked for, where no webhook told of it. */
    private const LOOK_SECONDS = 6 * 3600;

    private ParcelStore $store;
    private Settings $settings;
    private Connection $connection;

    public function __construct(ParcelStore $store, Settings $settings, Connection $connection)
    {
        $this->store = $store;
        $this->settings = $settings;
        $this->connection = $connection;
    }

    /** Whether this shop may speak for its parcels. */
    public function isReady(): bool
    {
        return $this->connection->isUsable();
    }

    /** Does nothing where another process is at it. */
    public function work(Parcel $parcel): void
    {
        if (!$this->isReady() || !$this->store->claim($parcel)) {
            return;
        }
        try {
            if ($parcel->uuid !== null) {
                $this->look($parcel);
            } elseif ($parcel->state === Parcel::WAITING || $parcel->state === Parcel::SENT) {
                $this->send($parcel);
            } else {
                $this->store->update($parcel, ['next_at' => 0]);
            }
        } catch (ApiException $error) {
            $this->answered($parcel, $error);
        } catch (CallException $error) {
            $this->later($parcel, __('The shipping service did not answer.', 'parcelworks'));
        }
    }

    private function send(Parcel $parcel): void
    {
        $key = $parcel->key($this->connection->site());
        if ($parcel->body === null) {
            $order = wc_get_order($parcel->orderId);
            if (!$order instanceof \WC_Order || in_array($order->get_status(), ['cancelled', 'refunded', 'failed', 'trash'], true)) {
                $this->refuse($parcel, __('The order was cancelled before anything was sent.', 'parcelworks'));

                return;
            }
            if ($parcel->brings() && $this->settings->pointRateOf($order) !== null && PickupPoint::of($order) === null) {
                $this->refuse($parcel, __('The buyer has chosen no pickup point. Choose it on the page of the order that the buyer sees, and try again.', 'parcelworks'));

                return;
            }
            $body = OrderBody::of($order, $parcel, $this->connection->site(), $key, $this->settings->collectsCash());
            $text = (string) wp_json_encode($body);
            if (!$this->store->keepBody($parcel, $text)) {
                $this->later($parcel, __('The database of the shop did not keep the parcel, so nothing was sent.', 'parcelworks'));

                return;
            }
            $parcel->body = $text;
        }
        $result = $this->connection->client()->shipments()->create(
            (array) json_decode($parcel->body, true),
            ['idempotency_key' => $key] + self::oneTry()
        );
        $this->seen($parcel, $result->data);
    }

    private function look(Parcel $parcel): void
    {
        $this->seen($parcel, $this->connection->client()->shipments()->get((string) $parcel->uuid, self::oneTry())->data);
    }

    /** @param array<string, mixed> $shipment As the service shows it. */
    private function seen(Parcel $parcel, array $shipment): void
    {
        $status = (string) $shipment['status']['code'];
        $known = ['uuid' => (string) $shipment['uuid'], 'tries' => 0];
        if ($status === 'pending') {
            $wait = min(self::FIRST_WAIT_SECONDS * 2 ** min($parcel->tries, 5), 300);
            $message = __('The courier has not answered yet.', 'parcelworks');
            $this->store->update($parcel, ['state' => Parcel::SENT, 'tries' => $parcel->tries + 1, 'message' => $message,
                'next_at' => time() + $wait] + $known);

            return;
        }
        if ($status === 'needs_attention' && $parcel->state !== Parcel::BOOKED) {
            $message = __('It is not known whether the courier has this parcel. Ask whoever runs your shipping service to decide; the answer appears here. Do not book it elsewhere before.', 'parcelworks');
            $this->store->update($parcel, ['state' => Parcel::UNKNOWN, 'message' => $message,
                'next_at' => time() + 900] + $known);

            return;
        }
        $this->booked($parcel, $shipment, $status, $known);
    }

    /** @param array<string, mixed> $shipment */
    private function booked(Parcel $parcel, array $shipment, string $status, array $known): void
    {
        $isNew = $parcel->state !== Parcel::BOOKED;
        $at = (int) strtotime((string) $shipment['updated_at']);
        $isFinal = Parcel::endsWith($status) || $status === 'delivered';
        $this->store->update($parcel, $known + [
            'state' => Parcel::BOOKED,
            'tracking_code' => $shipment['tracking_code'],
            'short_code' => $shipment['short_tracking_code'],
            'message' => null,
            'body' => null,
            // A first answer may be an old one, given again: it is followed by a look.
            'next_at' => $isFinal ? 0 : time() + ($isNew && $parcel->tries > 0 ? 60 : self::LOOK_SECONDS),
        ] + ($isNew ? ['status' => $status, 'status_at' => $at] : []));
        if ($isNew) {
            OrderNews::booked($parcel, (string) $shipment['tracking_code'], $this->trackUrl($shipment['short_tracking_code']));
        } elseif ($this->store->moveStatus($parcel, $status, $at)) {
            OrderNews::moved($parcel, $status, $this->settings);
        }
    }

    /** A webhook's word on a parcel that is known. */
    public function told(Parcel $parcel, string $status, int $at): void
    {
        if ($parcel->state === Parcel::BOOKED) {
            if ($this->store->moveStatus($parcel, $status, $at)) {
                OrderNews::moved($parcel, $status, $this->settings);
            }
        } else {
            $this->store->hurry($parcel);
        }
    }

    /** @return string|null Why not; null where the parcel is cancelled. */
    public function cancel(Parcel $parcel): ?string
    {
        try {
            $options = ['timeout' => self::TRY_SECONDS, 'total_timeout' => 2 * self::TRY_SECONDS, 'max_tries' => 2];
            $shipment = $this->connection->client()->shipments()->cancel((string) $parcel->uuid, null, $options)->data;
            $status = (string) $shipment['status']['code'];
            if ($this->store->moveStatus($parcel, $status, (int) strtotime((string) $shipment['updated_at']))) {
                OrderNews::moved($parcel, $status, $this->settings);
            }

            return $status === 'cancelled' ? null : __('The courier was asked. The answer appears here.', 'parcelworks');
        } catch (ApiException $error) {
            return Refusal::words($error);
        } catch (CallException $error) {
            return __('The shipping service did not answer. Cancel again: a second time is harmless.', 'parcelworks');
        }
    }

    private function answered(Parcel $parcel, ApiException $error): void
    {
        if ($error instanceof DuplicateException || $error instanceof KeyConflictException) {
            $this->adopt($parcel, $error);
        } elseif ($error instanceof CreationRefusedException) {
            $this->refuse($parcel, Refusal::words($error));
        } elseif ($error->isSafeToRepeat()) {
            $this->later($parcel, Refusal::words($error));
        } elseif ($parcel->wasSent() && self::saysNothing($error)) {
            $this->unknown($parcel, Refusal::words($error));
        } elseif ($parcel->state === Parcel::BOOKED) {
            $this->store->update($parcel, ['next_at' => $error instanceof NotFoundException ? 0 : time() + self::LOOK_SECONDS]);
        } else {
            $this->refuse($parcel, Refusal::words($error));
        }
    }

    /** The order has a parcel in the service: ours where it bears our key, as after a restored database. */
    private function adopt(Parcel $parcel, ApiException $error): void
    {
        $key = $parcel->key($this->connection->site());
        $query = ['filter' => ['order_id' => OrderBody::orderId($this->connection->site(), $parcel->orderId)]];
        $query['license_key'] = $parcel->license;
        try {
            foreach ($this->connection->client()->shipments()->list($query, self::oneTry())->data as $shipment) {
                if ($shipment['references']['external_id'] === $key) {
                    $this->seen($parcel, $shipment);

                    return;
                }
            }
        } catch (CallException $failed) {
            $this->later($parcel, Refusal::words($error));

            return;
        }
        $this->refuse($parcel, Refusal::words($error));
    }

    private function refuse(Parcel $parcel, string $why): void
    {
        $this->store->update($parcel, ['state' => Parcel::REFUSED, 'message' => $why, 'body' => null, 'uuid' => null,
            'next_at' => 0, 'tries' => 0]);
        OrderNews::refused($parcel, $why);
    }

    private function later(Parcel $parcel, string $why): void
    {
        $tries = $parcel->tries + 1;
        $wait = min(self::FIRST_WAIT_SECONDS * 2 ** min($tries - 1, 10), self::LONGEST_WAIT_SECONDS);
        $fields = ['message' => $why, 'next_at' => time() + $wait];
        if ($parcel->state !== Parcel::BOOKED) {
            $fields['state'] = $parcel->uuid === null && $parcel->body === null ? $parcel->state : Parcel::SENT;
            if ($tries >= self::UNKNOWN_AFTER_TRIES) {
                $this->unknown($parcel, $why);

                return;
            }
            if ($parcel->state === Parcel::UNKNOWN) {
                // What its page tells to do stays true while the service is away.
                unset($fields['state'], $fields['message']);
            }
        }
        $this->store->update($parcel, $fields);
    }

    private function unknown(Parcel $parcel, string $why): void
    {
        $todo = __('Press "Ask again": it asks for this parcel and cannot make a second one.', 'parcelworks');
        $this->store->update($parcel, ['state' => Parcel::UNKNOWN, 'next_at' => 0, 'message' => "$why $todo"]);
    }

    /** Who may ask, or another program's word: neither tells what an earlier try did. */
    private static function saysNothing(ApiException $error): bool
    {
        return in_array($error->status(), [401, 403], true) || strncmp($error->errorCode(), 'http_', 5) === 0;
    }

    /** @return array<string, float|int> */
    private static function oneTry(): array
    {
        return ['timeout' => self::TRY_SECONDS, 'total_timeout' => self::TRY_SECONDS, 'max_tries' => 1];
    }

    /** @param mixed $shortCode */
    private function trackUrl($shortCode): ?string
    {
        return is_string($shortCode) && $shortCode !== '' ? $this->connection->trackUrl($shortCode) : null;
    }
}
