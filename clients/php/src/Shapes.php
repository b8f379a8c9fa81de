<?php

declare(strict_types=1);

namespace Parcelworks;

/**
 * The shapes of what is sent and answered. Later versions of the service may add fields to every answer, and values
 * to every code: take an unknown one as text.
 *
 * @phpstan-type Address array{
 *     street: string, number: string, city: string, state: string|null, zip: string, country: string
 * }
 * @phpstan-type Status array{code: string, description: string, is_delivered: bool}
 * @phpstan-type Carrier array{id: int, name: string}
 * @phpstan-type Shipment array{
 *     uuid: string,
 *     tracking_code: string|null,
 *     carrier: Carrier,
 *     status: Status,
 *     service_type: string,
 *     is_active: bool,
 *     recipient: array{name: string, phone: string, company: string|null, address: Address},
 *     pickup_point_id: string|null,
 *     packages: int,
 *     cod: array{amount: string, currency: string}|null,
 *     order: array{id: string, number: string},
 *     references: array{external_id: string|null},
 *     short_tracking_code: string|null,
 *     label_generated: bool,
 *     collection_status: string|null,
 *     collected_at: string|null,
 *     ready_at: string|null,
 *     created_at: string,
 *     updated_at: string
 * }
 * @phpstan-type ShipmentStatus array{
 *     uuid: string,
 *     tracking_code: string|null,
 *     status: Status,
 *     is_active: bool,
 *     checked_at: string|null,
 *     history: list<array{
 *         code: string,
 *         description: string,
 *         occurred_at: string,
 *         carrier_code: string|null,
 *         carrier_description: string|null,
 *         location: string|null
 *     }>
 * }
 * @phpstan-type Label array{url: string, label_type: string, source: string}
 * @phpstan-type Labels array{url: string, count: int}
 * @phpstan-type Batch array{
 *     id: string,
 *     status: string,
 *     summary: array{total: int, created: int, failed: int, pending: int},
 *     created_at: string,
 *     updated_at: string
 * }
 * @phpstan-type BatchItem array{
 *     id: int,
 *     position: int,
 *     status: string,
 *     shipment_id: string|null,
 *     payload: mixed,
 *     error: array{code: string, message: string, fields?: array<string, list<string>>}|null,
 *     created_at: string,
 *     updated_at: string
 * }
 * @phpstan-type Export array{
 *     id: int,
 *     type: string,
 *     status: string,
 *     platform: string,
 *     row_count: int|null,
 *     filename: string|null,
 *     error: string|null,
 *     download_url: string|null,
 *     created_at: string,
 *     updated_at: string
 * }
 * @phpstan-type PickupPoint array{
 *     id: string,
 *     name: string,
 *     city: string,
 *     street: string,
 *     number: string,
 *     latitude: float|int|null,
 *     longitude: float|int|null,
 *     remarks: string|null,
 *     carrier: Carrier,
 *     distance_km: float|int|null
 * }
 * @phpstan-type WebhookSubscription array{
 *     id: string,
 *     url: string,
 *     events: list<string>,
 *     is_active: bool,
 *     created_at: string,
 *     updated_at: string
 * }
 * @phpstan-type NewWebhookSubscription array{
 *     id: string,
 *     url: string,
 *     events: list<string>,
 *     is_active: bool,
 *     created_at: string,
 *     updated_at: string,
 *     secret: string
 * }
 * @phpstan-type Order array{
 *     id: int,
 *     order_id: string,
 *     number: string,
 *     source: string|null,
 *     total: string|null,
 *     currency: string,
 *     billing: array<string, mixed>,
 *     shipping: array<string, mixed>,
 *     created_at: string,
 *     updated_at: string
 * }
 * @phpstan-type License array{
 *     id: int,
 *     key: string,
 *     name: string,
 *     company: array{id: int, name: string, carrier: Carrier},
 *     commitment_day: int,
 *     multiple_shipment: bool,
 *     is_active: bool,
 *     is_expired: bool,
 *     expires_at: string|null,
 *     settings: list<array<string, mixed>>
 * }
 * @phpstan-type ShipData array{
 *     contact_name: string,
 *     contact_phone?: string|null,
 *     contact_mail?: string|null,
 *     street?: string|null,
 *     number?: string|int|null,
 *     house_no?: string|int|null,
 *     city?: string|null,
 *     entrance?: string|int|null,
 *     floor?: string|int|null,
 *     apartment?: string|int|null,
 *     company?: string|null,
 *     type: int,
 *     return: int,
 *     pickup?: string|null,
 *     pickup_address?: string|null,
 *     packages?: int|null,
 *     note?: string|null,
 *     extra_note?: string|null,
 *     exaction_date?: string|null,
 *     woo_id?: string|int|null,
 *     urgent?: bool|int|null,
 *     motor?: int|null,
 *     collect?: bool|int|null,
 *     is_cod?: bool|int|null,
 *     cod_amount?: string|float|int|null
 * }
 * @phpstan-type OrderInput array{
 *     id: string,
 *     number?: string|null,
 *     status?: string|null,
 *     source?: string|null,
 *     total?: string|float|int|null,
 *     currency?: string|null,
 *     external_id?: string|null,
 *     billing?: array<string, mixed>|null,
 *     shipping?: array<string, mixed>|null,
 *     items?: list<array<string, mixed>>|null,
 *     meta_data?: mixed
 * }
 * @phpstan-type CreateShipment array{license_key?: string|null, ship_data: ShipData, order: OrderInput}
 */
final class Shapes
{
    private function __construct()
    {
    }
}
