import { ApiError, Parcelworks, type Shipment, UnknownOutcomeError, verifyWebhook } from 'parcelworks';

/** Compiled, never run: a line after `@ts-expect-error` must not compile. */
const parcels = new Parcelworks({ baseUrl: 'https://parcels.test', clientId: 'ci', clientSecret: 'sk' });
const body = {
  ship_data: { contact_name: 'Dana', contact_phone: '050', type: 1, return: 1 } as const,
  order: { id: '1' },
};
const { data, key, isReplay } = await parcels.createShipment(body, { key: 'order-1', timeoutMs: 1000 });
const shipment: Shipment = data;
const code: string | null = data.tracking_code;
// A status that is new passes, and those of today are offered.
const status: string = data.status.code;
if (data.status.code === 'delivered' || data.status.code === 'a new one')
  void [key, isReplay, shipment, code, status];
for await (const { uuid, recipient } of parcels.listShipments({ per_page: 100, 'filter[status]': 'created' }))
  void [uuid.length, recipient.name];
for await (const order of parcels.listOrders()) void order.order_id;
const page = await parcels.listOrders();
const cursor: string | null = page.body.meta.next_cursor;
try {
  await parcels.cancelShipment(data.uuid, { reason: 'changed' });
} catch (error) {
  if (error instanceof ApiError && error.code === 'validation_failed')
    void [error.fields['a.b']?.[0], cursor];
  if (error instanceof UnknownOutcomeError) await error.resolve({ timeoutMs: 1000 });
}
const { event } = await verifyWebhook(new Uint8Array(), new Headers(), ['whsec_1', 'whsec_2']);
if (event.event === 'shipment.status_changed') void event.data.previous_status;

// @ts-expect-error an order must be named
await parcels.createShipment({ ship_data: body.ship_data });
// @ts-expect-error there is no third type
await parcels.createShipment({ ...body, ship_data: { ...body.ship_data, type: 3 } });
// @ts-expect-error an unknown filter
parcels.listShipments({ 'filter[nothing]': 1 });
// @ts-expect-error the address of the service is missing
new Parcelworks({ clientId: 'ci', clientSecret: 'sk' });
// @ts-expect-error a list of pages has no field of a row
void (await parcels.listShipments()).data.uuid;
