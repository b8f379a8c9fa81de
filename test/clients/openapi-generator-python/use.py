"""What a shop does with its parcels; prints the name of each step that worked."""

import os
import time
import uuid

from openapi_client import (
    ApiClient, BatchesApi, Configuration, CreateBatch, CreateBatchOneOf, CreateShipment, CreateWebhookRequest,
    OrderInput, ShipData, ShipDataNumber, ShipmentsApi, WebhooksApi,
)

LICENSE = os.environ["PARCELS_LICENSE"]
RUN = str(uuid.uuid4())


def shipment(order: str) -> CreateShipment:
    data = ShipData(
        contact_name="Dana Levi", contact_phone="0501234567", street="Dizengoff", number=ShipDataNumber("99"),
        city="Tel Aviv", type=1, var_return=1,
    )
    return CreateShipment(license_key=LICENSE, ship_data=data, order=OrderInput(id=f"{order}-{RUN}"))


def check(holds: bool, step: str) -> None:
    assert holds, step
    print(step)


def is_made(batches: BatchesApi, batch: uuid.UUID) -> bool:
    for _ in range(120):
        item = batches.list_batch_items(batch).data[0]
        assert item.error is None, item.error.message
        if item.status == "created":
            return isinstance(item.shipment_id, uuid.UUID)
        time.sleep(0.5)
    return False


key = {"clientId": os.environ["PARCELS_ID"], "clientSecret": os.environ["PARCELS_SECRET"]}
client = ApiClient(Configuration(host=os.environ["PARCELS_URL"], api_key=key))
shipments, batches, webhooks = ShipmentsApi(client), BatchesApi(client), WebhooksApi(client)

made = shipments.create_shipment(shipment("one"), idempotency_key=f"one-{RUN}").data
again = shipments.create_shipment(shipment("one"), idempotency_key=f"one-{RUN}").data
check(made.uuid == again.uuid and made.tracking_code is not None, "create")
check([one.uuid for one in shipments.list_shipments(filter_order_id=f"one-{RUN}").data] == [made.uuid], "list")
check(shipments.get_shipment(made.uuid).data.recipient.name == "Dana Levi", "fetch")
check(not shipments.cancel_shipment(made.uuid).data.is_active, "cancel")

whole = CreateBatch(CreateBatchOneOf(license_key=LICENSE, shipments=[shipment("two")]))
check(is_made(batches, batches.create_batch(whole, idempotency_key=f"two-{RUN}").data.id), "batch-object")
bare = CreateBatch([shipment("three")])
check(is_made(batches, batches.create_batch(bare, license_key=LICENSE, idempotency_key=f"three-{RUN}").data.id), "batch-list")

asked = CreateWebhookRequest(license_key=LICENSE, url=f"https://shop.example/{RUN}", events=["shipment.created"])
webhook = webhooks.create_webhook(asked).data
check(webhook.secret.startswith("whsec_"), "subscribe")
webhooks.delete_webhook(webhook.id, license_key=LICENSE)
check(webhook.id not in [one.id for one in webhooks.list_webhooks(license_key=LICENSE).data], "unsubscribe")
