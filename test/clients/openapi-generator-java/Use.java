import java.util.List;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.*;
import org.openapitools.client.auth.ApiKeyAuth;
import org.openapitools.client.model.*;

/** The steps of a shop with its parcels; prints the name of each step that worked. */
public class Use {
  static final String LICENSE = System.getenv("PARCELS_LICENSE");
  static final String RUN = UUID.randomUUID().toString();

  static CreateShipment shipment(String order) {
    ShipData data = new ShipData().contactName("Dana Levi").contactPhone("0501234567").street("Dizengoff")
        .number(new ShipDataNumber("99")).city("Tel Aviv")
        .type(ShipData.TypeEnum.NUMBER_1)._return(ShipData.ReturnEnum.NUMBER_1);
    return new CreateShipment().licenseKey(LICENSE).shipData(data).order(new OrderInput().id(order + "-" + RUN));
  }

  static void check(boolean holds, String step) {
    if (!holds) throw new IllegalStateException(step);
    System.out.println(step);
  }

  static boolean isMade(BatchesApi batches, UUID id) throws Exception {
    for (int tries = 0; tries < 120; tries++) {
      BatchItem item = batches.listBatchItems(id, null, null, null, null, null).getData().get(0);
      if (item.getStatus() == BatchItem.StatusEnum.CREATED) return item.getShipmentId() != null && item.getError() == null;
      if (item.getStatus() == BatchItem.StatusEnum.FAILED) throw new IllegalStateException(item.getError().getMessage());
      Thread.sleep(500);
    }
    return false;
  }

  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient().setBasePath(System.getenv("PARCELS_URL"));
    ((ApiKeyAuth) client.getAuthentication("clientId")).setApiKey(System.getenv("PARCELS_ID"));
    ((ApiKeyAuth) client.getAuthentication("clientSecret")).setApiKey(System.getenv("PARCELS_SECRET"));
    ShipmentsApi shipments = new ShipmentsApi(client);
    BatchesApi batches = new BatchesApi(client);
    WebhooksApi webhooks = new WebhooksApi(client);

    Shipment made = shipments.createShipment(shipment("one"), null, null, "one-" + RUN).getData();
    Shipment again = shipments.createShipment(shipment("one"), null, null, "one-" + RUN).getData();
    check(made.getUuid().equals(again.getUuid()) && made.getTrackingCode() != null, "create");
    List<Shipment> listed =
        shipments.listShipments(LICENSE, null, null, null, null, "one-" + RUN, null, null, null, null, null, null, null, null).getData();
    check(listed.size() == 1 && listed.get(0).getUuid().equals(made.getUuid()), "list");
    check(shipments.getShipment(made.getUuid(), null, null).getData().getRecipient().getName().equals("Dana Levi"), "fetch");
    check(!shipments.cancelShipment(made.getUuid(), null, null).getData().getIsActive(), "cancel");

    CreateBatch object = new CreateBatch(new CreateBatchOneOf().licenseKey(LICENSE).addShipmentsItem(shipment("two")));
    UUID first = batches.createBatch(object, null, null, "two-" + RUN).getData().getId();
    check(isMade(batches, first), "batch-object");
    CreateBatch list = new CreateBatch(List.of(shipment("three")));
    UUID second = batches.createBatch(list, LICENSE, null, "three-" + RUN).getData().getId();
    check(isMade(batches, second), "batch-list");

    CreateWebhookRequest asked = new CreateWebhookRequest().licenseKey(LICENSE).url("https://shop.example/" + RUN)
        .addEventsItem(CreateWebhookRequest.EventsEnum.SHIPMENT_CREATED);
    WebhookWithSecret webhook = webhooks.createWebhook(asked, null).getData();
    check(webhook.getSecret().startsWith("whsec_"), "subscribe");
    webhooks.deleteWebhook(webhook.getId(), LICENSE, null);
    check(webhooks.listWebhooks(LICENSE, null, null).getData().stream().noneMatch(one -> one.getId().equals(webhook.getId())), "unsubscribe");
  }
}
