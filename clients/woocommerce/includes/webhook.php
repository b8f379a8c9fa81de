<?php

declare(strict_types=1);

namespace ParcelworksWoo;

use ParcelworksWoo\Client\Exception\SignatureException;

/** The service's news. An event that comes twice or late changes nothing: statuses move forwards only. */
final class Webhook
{
    private ParcelStore $store;
    private Connection $connection;
    private Booking $booking;

    public function __construct(ParcelStore $store, Connection $connection, Booking $booking)
    {
        $this->store = $store;
        $this->connection = $connection;
        $this->booking = $booking;
    }

    public function hook(): void
    {
        add_action('rest_api_init', function (): void {
            register_rest_route('parcelworks/v1', '/webhook', [
                'methods' => 'POST',
                'callback' => [$this, 'receive'],
                // The signature is the permission.
                'permission_callback' => '__return_true',
            ]);
        });
    }

    public function receive(\WP_REST_Request $request): \WP_REST_Response
    {
        $secrets = $this->connection->webhookSecrets();
        try {
            $event = Client\Webhook::verify($request->get_body(), $request->get_headers(), $secrets);
        } catch (SignatureException $error) {
            return new \WP_REST_Response(['message' => 'The signature does not fit.'], 401);
        }
        $parcel = $this->store->findByUuid((string) ($event->data['id'] ?? ''));
        if ($parcel === null) {
            $this->lookAtOrder((string) ($event->data['order']['id'] ?? ''));
        } elseif (is_string($event->data['status'] ?? null)) {
            $this->booking->told($parcel, $event->data['status'], $event->createdAt);
        } elseif ($parcel->isOpen()) {
            $this->store->hurry($parcel);
        }

        return new \WP_REST_Response(['received' => true]);
    }

    /** The event came before the answer to the booking: the queue asks for it under its key. */
    private function lookAtOrder(string $id): void
    {
        $prefix = $this->connection->site() . '-';
        if (strncmp($id, $prefix, strlen($prefix)) !== 0) {
            return;
        }
        foreach ($this->store->ofOrder((int) substr($id, strlen($prefix))) as $parcel) {
            if ($parcel->state === Parcel::SENT) {
                $this->store->hurry($parcel);
            }
        }
    }
}
