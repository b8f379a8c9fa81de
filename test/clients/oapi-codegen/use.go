// The steps of a shop with its parcels; prints the name of each step that worked.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	parcels "example.test/oapi"
	"github.com/google/uuid"
)

var (
	ctx     = context.Background()
	license = os.Getenv("PARCELS_LICENSE")
	run     = uuid.NewString()
)

func check(holds bool, step string) {
	if !holds {
		log.Fatal(step)
	}
	fmt.Println(step)
}

// done takes what a call answers and ends the program where it failed.
func done[T any](answer T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return answer
}

func shipment(order string) parcels.CreateShipment {
	street, city := "Dizengoff", "Tel Aviv"
	var number parcels.ShipData_Number
	if err := number.FromShipDataNumber0("99"); err != nil {
		log.Fatal(err)
	}
	return parcels.CreateShipment{
		LicenseKey: &license,
		ShipData: parcels.ShipData{
			ContactName: "Dana Levi", ContactPhone: "0501234567", Street: &street, Number: &number, City: &city,
			Type: parcels.ShipDataTypeN1, Return: parcels.ShipDataReturnN1,
		},
		Order: parcels.OrderInput{Id: order + "-" + run},
	}
}

func isMade(client *parcels.ClientWithResponses, batch uuid.UUID) bool {
	for range 120 {
		answer := done(client.ListBatchItemsWithResponse(ctx, batch, nil))
		if answer.JSON200 == nil || answer.JSON200.Data[0].Error != nil {
			log.Fatal(string(answer.Body))
		}
		if item := answer.JSON200.Data[0]; item.Status == parcels.BatchItemStatusCreated {
			return item.ShipmentId != nil
		}
		time.Sleep(500 * time.Millisecond)
	}
	return false
}

func createBatch(client *parcels.ClientWithResponses, key string, licenseKey *string, body parcels.CreateBatch) uuid.UUID {
	params := parcels.CreateBatchParams{LicenseKey: licenseKey, IdempotencyKey: &key}
	answer := done(client.CreateBatchWithResponse(ctx, &params, body))
	if answer.JSON202 == nil {
		log.Fatal(string(answer.Body))
	}
	return answer.JSON202.Data.Id
}

func main() {
	client := done(parcels.NewClientWithResponses(os.Getenv("PARCELS_URL"), parcels.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("X-Client-Id", os.Getenv("PARCELS_ID"))
			request.Header.Set("X-Client-Secret", os.Getenv("PARCELS_SECRET"))
			return nil
		})))

	key := "one-" + run
	params := parcels.CreateShipmentParams{IdempotencyKey: &key}
	made := done(client.CreateShipmentWithResponse(ctx, &params, shipment("one")))
	again := done(client.CreateShipmentWithResponse(ctx, &params, shipment("one")))
	if made.JSON201 == nil || again.JSON201 == nil {
		log.Fatal(string(made.Body), string(again.Body))
	}
	one := made.JSON201.Data
	check(one.Uuid == again.JSON201.Data.Uuid && one.TrackingCode != nil, "create")
	listed := done(client.ListShipmentsWithResponse(ctx, &parcels.ListShipmentsParams{FilterOrderId: &key})).JSON200
	check(listed != nil && len(listed.Data) == 1 && listed.Data[0].Uuid == one.Uuid, "list")
	fetched := done(client.GetShipmentWithResponse(ctx, one.Uuid, nil)).JSON200
	check(fetched != nil && fetched.Data.Recipient.Name == "Dana Levi", "fetch")
	cancelled := done(client.CancelShipmentWithResponse(ctx, one.Uuid, nil, parcels.CancelShipment{})).JSON200
	check(cancelled != nil && !cancelled.Data.IsActive, "cancel")

	var object, list parcels.CreateBatch
	whole := parcels.CreateBatch0{LicenseKey: &license, Shipments: []parcels.CreateShipment{shipment("two")}}
	if err := object.FromCreateBatch0(whole); err != nil {
		log.Fatal(err)
	}
	check(isMade(client, createBatch(client, "two-"+run, nil, object)), "batch-object")
	if err := list.FromCreateBatch1(parcels.CreateBatch1{shipment("three")}); err != nil {
		log.Fatal(err)
	}
	check(isMade(client, createBatch(client, "three-"+run, &license, list)), "batch-list")

	subscribed := done(client.CreateWebhookWithResponse(ctx, nil, parcels.CreateWebhookJSONRequestBody{
		LicenseKey: &license, Url: "https://shop.example/" + run,
		Events: []parcels.CreateWebhookJSONBodyEvents{parcels.CreateWebhookJSONBodyEventsShipmentCreated},
	})).JSON201
	check(subscribed != nil && strings.HasPrefix(subscribed.Data.Secret, "whsec_"), "subscribe")
	done(client.DeleteWebhookWithResponse(ctx, subscribed.Data.Id, &parcels.DeleteWebhookParams{LicenseKey: &license}))
	left := done(client.ListWebhooksWithResponse(ctx, &parcels.ListWebhooksParams{LicenseKey: &license})).JSON200
	for _, webhook := range left.Data {
		if webhook.Id == subscribed.Data.Id {
			log.Fatal("unsubscribe")
		}
	}
	check(true, "unsubscribe")
}
