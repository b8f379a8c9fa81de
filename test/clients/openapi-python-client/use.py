"""What a shop does with its parcels; prints the name of each step that worked."""

import os
import time
import uuid

from v2.api.batches import create_batch, list_batch_items
from v2.api.shipments import cancel_shipment, create_shipment, get_shipment, list_shipments
from v2.api.webhooks import create_webhook, delete_webhook, list_webhooks
from v2.client import AuthenticatedClient
from v2.models import (
    BatchItem, BatchItemStatus, CreateBatchType0, CreateShipment, CreateWebhookBody, CreateWebhookBodyEventsItem,
    OrderInput, ShipData, ShipDataReturn, ShipDataType,
)

LICENSE = os.environ["PARCELS_LICENSE"]
RUN = str(uuid.uuid4())


def shipment(order: str) -> CreateShipment:
    data = ShipData(
        contact_name="Dana Levi", contact_phone="0501234567", street="Dizengoff", number="99", city="Tel Aviv",
        type_=ShipDataType.VALUE_1, return_=ShipDataReturn.VALUE_1,
    )
    return CreateShipment(license_key=LICENSE, ship_data=data, order=OrderInput(id=f"{order}-{RUN}"))


def check(holds: bool, step: str) -> None:
    assert holds, step
    print(step)


def data_of(response):
    assert response.status_code < 300, response.content
    return response.parsed.data


def is_made(batch: uuid.UUID) -> bool:
    for _ in range(120):
        item: BatchItem = data_of(list_batch_items.sync_detailed(batch, client=client))[0]
        assert not item.error, item.error
        if item.status == BatchItemStatus.CREATED:
            return isinstance(item.shipment_id, uuid.UUID)
        time.sleep(0.5)
    return False


client = AuthenticatedClient(
    base_url=os.environ["PARCELS_URL"], token=os.environ["PARCELS_SECRET"], prefix="", auth_header_name="X-Client-Secret",
    headers={"X-Client-Id": os.environ["PARCELS_ID"]},
)

key = f"one-{RUN}"
made = data_of(create_shipment.sync_detailed(client=client, body=shipment("one"), idempotency_key=key))
again = data_of(create_shipment.sync_detailed(client=client, body=shipment("one"), idempotency_key=key))
check(made.uuid == again.uuid and made.tracking_code is not None, "create")
listed = data_of(list_shipments.sync_detailed(client=client, filterorder_id=key))
check([one.uuid for one in listed] == [made.uuid], "list")
check(data_of(get_shipment.sync_detailed(made.uuid, client=client)).recipient.name == "Dana Levi", "fetch")
check(not data_of(cancel_shipment.sync_detailed(made.uuid, client=client)).is_active, "cancel")

whole = CreateBatchType0(license_key=LICENSE, shipments=[shipment("two")])
batch = data_of(create_batch.sync_detailed(client=client, body=whole, idempotency_key=f"two-{RUN}"))
check(is_made(batch.id), "batch-object")
bare = [shipment("three")]
batch = data_of(create_batch.sync_detailed(client=client, body=bare, license_key=LICENSE, idempotency_key=f"three-{RUN}"))
check(is_made(batch.id), "batch-list")

events = [CreateWebhookBodyEventsItem.SHIPMENT_CREATED]
asked = CreateWebhookBody(license_key=LICENSE, url=f"https://shop.example/{RUN}", events=events)
webhook = data_of(create_webhook.sync_detailed(client=client, body=asked))
check(webhook.secret.startswith("whsec_"), "subscribe")
delete_webhook.sync_detailed(webhook.id, client=client, license_key=LICENSE)
left = data_of(list_webhooks.sync_detailed(client=client, license_key=LICENSE))
check(webhook.id not in [one.id for one in left], "unsubscribe")
