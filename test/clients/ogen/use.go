// The steps of a shop with its parcels; prints the name of each step that worked.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	parcels "example.test/ogen/client"
	"github.com/google/uuid"
)

var (
	ctx     = context.Background()
	license = os.Getenv("PARCELS_LICENSE")
	run     = uuid.NewString()
)

type credentials struct{}

func (credentials) ClientId(context.Context, parcels.OperationName) (parcels.ClientId, error) {
	return parcels.ClientId{APIKey: os.Getenv("PARCELS_ID")}, nil
}

func (credentials) ClientSecret(context.Context, parcels.OperationName) (parcels.ClientSecret, error) {
	return parcels.ClientSecret{APIKey: os.Getenv("PARCELS_SECRET")}, nil
}

func check(holds bool, step string) {
	if !holds {
		log.Fatal(step)
	}
	fmt.Println(step)
}

// is takes the answer of the type that was hoped for and ends the program at any other.
func is[T any](answer any, err error) T {
	hoped, ok := answer.(T)
	if err != nil || !ok {
		log.Fatalf("%v %+v", err, answer)
	}
	return hoped
}

func shipment(order string) parcels.CreateShipment {
	return parcels.CreateShipment{
		LicenseKey: parcels.NewOptNilString(license),
		ShipData: parcels.ShipData{
			ContactName: "Dana Levi", ContactPhone: "0501234567", Street: parcels.NewOptNilString("Dizengoff"),
			Number: parcels.NewOptShipDataNumber(parcels.NewStringShipDataNumber("99")),
			City:   parcels.NewOptNilString("Tel Aviv"), Type: parcels.ShipDataType1, Return: parcels.ShipDataReturn1,
		},
		Order: parcels.OrderInput{ID: order + "-" + run},
	}
}

func isMade(client *parcels.Client, batch uuid.UUID) bool {
	for range 120 {
		answer, err := client.ListBatchItems(ctx, parcels.ListBatchItemsParams{UUID: batch})
		item := is[*parcels.ListBatchItemsOKHeaders](answer, err).Response.Data[0]
		if item.Status == parcels.BatchItemStatusFailed {
			log.Fatalf("%+v", item.Error)
		}
		if item.Status == parcels.BatchItemStatusCreated {
			return !item.ShipmentID.Null
		}
		time.Sleep(500 * time.Millisecond)
	}
	return false
}

func createBatch(client *parcels.Client, body parcels.CreateBatch, params parcels.CreateBatchParams) uuid.UUID {
	answer, err := client.CreateBatch(ctx, body, params)
	return is[*parcels.CreateBatchAcceptedHeaders](answer, err).Response.Data.ID
}

func create(client *parcels.Client, key string) parcels.Shipment {
	asked := shipment("one")
	answer, err := client.CreateShipment(ctx, &asked, parcels.CreateShipmentParams{IdempotencyKey: parcels.NewOptString(key)})
	return is[*parcels.CreateShipmentCreatedHeaders](answer, err).Response.Data
}

func main() {
	client, err := parcels.NewClient(os.Getenv("PARCELS_URL"), credentials{})
	if err != nil {
		log.Fatal(err)
	}

	key := "one-" + run
	made, again := create(client, key), create(client, key)
	check(made.UUID == again.UUID && !made.TrackingCode.Null, "create")
	listed, err := client.ListShipments(ctx, parcels.ListShipmentsParams{FilterOrderID: parcels.NewOptString(key)})
	data := is[*parcels.ListShipmentsOKHeaders](listed, err).Response.Data
	check(len(data) == 1 && data[0].UUID == made.UUID, "list")
	fetched, err := client.GetShipment(ctx, parcels.GetShipmentParams{UUID: made.UUID})
	check(is[*parcels.GetShipmentOKHeaders](fetched, err).Response.Data.Recipient.Name == "Dana Levi", "fetch")
	cancelled, err := client.CancelShipment(ctx, parcels.OptCancelShipment{}, parcels.CancelShipmentParams{UUID: made.UUID})
	check(!is[*parcels.CancelShipmentOKHeaders](cancelled, err).Response.Data.IsActive, "cancel")

	whole := parcels.CreateBatch0{Shipments: []parcels.CreateShipment{shipment("two")}, LicenseKey: parcels.NewOptNilString(license)}
	first := createBatch(client, parcels.NewCreateBatch0CreateBatch(whole),
		parcels.CreateBatchParams{IdempotencyKey: parcels.NewOptString("two-" + run)})
	check(isMade(client, first), "batch-object")
	second := createBatch(client, parcels.NewCreateShipmentArrayCreateBatch([]parcels.CreateShipment{shipment("three")}),
		parcels.CreateBatchParams{LicenseKey: parcels.NewOptString(license), IdempotencyKey: parcels.NewOptString("three-" + run)})
	check(isMade(client, second), "batch-list")

	subscribed, err := client.CreateWebhook(ctx, &parcels.CreateWebhookReq{
		LicenseKey: parcels.NewOptNilString(license), URL: "https://shop.example/" + run,
		Events: []parcels.CreateWebhookReqEventsItem{parcels.CreateWebhookReqEventsItemShipmentCreated},
	}, parcels.CreateWebhookParams{})
	webhook := is[*parcels.CreateWebhookCreatedHeaders](subscribed, err).Response.Data
	check(strings.HasPrefix(webhook.Secret, "whsec_"), "subscribe")
	deleted, err := client.DeleteWebhook(ctx, parcels.DeleteWebhookParams{ID: webhook.ID, LicenseKey: parcels.NewOptString(license)})
	is[*parcels.DeleteWebhookNoContent](deleted, err)
	left, err := client.ListWebhooks(ctx, parcels.ListWebhooksParams{LicenseKey: parcels.NewOptString(license)})
	for _, one := range is[*parcels.ListWebhooksOKHeaders](left, err).Response.Data {
		if one.ID == webhook.ID {
			log.Fatal("unsubscribe")
		}
	}
	check(true, "unsubscribe")
}
