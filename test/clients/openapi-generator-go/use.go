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

	parcels "github.com/GIT_USER_ID/GIT_REPO_ID"
)

var (
	license = os.Getenv("PARCELS_LICENSE")
	run     = fmt.Sprint(time.Now().UnixNano())
)

func check(holds bool, step string) {
	if !holds {
		log.Fatal(step)
	}
	fmt.Println(step)
}

// done takes what a call answers and ends the program where it failed.
func done[T any](answer *T, response *http.Response, err error) *T {
	if err != nil {
		log.Fatalf("%v %v", err, response)
	}
	return answer
}

func shipment(order string) parcels.CreateShipment {
	data := parcels.NewShipData("Dana Levi", "0501234567", 1, 1)
	data.SetStreet("Dizengoff")
	number := "99"
	data.SetNumber(parcels.ShipDataNumber{String: &number})
	data.SetCity("Tel Aviv")
	asked := parcels.NewCreateShipment(*data, *parcels.NewOrderInput(order + "-" + run))
	asked.SetLicenseKey(license)
	return *asked
}

func isMade(ctx context.Context, client *parcels.APIClient, batch string) bool {
	for range 120 {
		item := done(client.BatchesAPI.ListBatchItems(ctx, batch).Execute()).Data[0]
		if item.Error.Get() != nil {
			log.Fatal(item.Error.Get().Message)
		}
		if item.Status == "created" {
			return item.ShipmentId.Get() != nil
		}
		time.Sleep(500 * time.Millisecond)
	}
	return false
}

func main() {
	configuration := parcels.NewConfiguration()
	configuration.Servers = parcels.ServerConfigurations{{URL: os.Getenv("PARCELS_URL")}}
	client := parcels.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), parcels.ContextAPIKeys, map[string]parcels.APIKey{
		"clientId":     {Key: os.Getenv("PARCELS_ID")},
		"clientSecret": {Key: os.Getenv("PARCELS_SECRET")},
	})

	key := "one-" + run
	made := done(client.ShipmentsAPI.CreateShipment(ctx).CreateShipment(shipment("one")).IdempotencyKey(key).Execute()).Data
	again := done(client.ShipmentsAPI.CreateShipment(ctx).CreateShipment(shipment("one")).IdempotencyKey(key).Execute()).Data
	check(made.Uuid == again.Uuid && made.TrackingCode.Get() != nil, "create")
	listed := done(client.ShipmentsAPI.ListShipments(ctx).FilterOrderId(key).Execute()).Data
	check(len(listed) == 1 && listed[0].Uuid == made.Uuid, "list")
	check(done(client.ShipmentsAPI.GetShipment(ctx, made.Uuid).Execute()).Data.Recipient.Name == "Dana Levi", "fetch")
	cancel := client.ShipmentsAPI.CancelShipment(ctx, made.Uuid)
	check(!done(cancel.Execute()).Data.IsActive, "cancel")

	object := parcels.NewCreateBatchOneOf([]parcels.CreateShipment{shipment("two")})
	object.SetLicenseKey(license)
	whole := parcels.CreateBatchOneOfAsCreateBatch(object)
	first := done(client.BatchesAPI.CreateBatch(ctx).CreateBatch(whole).IdempotencyKey("two-" + run).Execute()).Data
	check(isMade(ctx, client, first.Id), "batch-object")
	bare := parcels.ArrayOfCreateShipmentAsCreateBatch(&[]parcels.CreateShipment{shipment("three")})
	second := done(client.BatchesAPI.CreateBatch(ctx).CreateBatch(bare).LicenseKey(license).IdempotencyKey("three-" + run).Execute()).Data
	check(isMade(ctx, client, second.Id), "batch-list")

	asked := parcels.NewCreateWebhookRequest("https://shop.example/"+run, []string{"shipment.created"})
	asked.SetLicenseKey(license)
	webhook := done(client.WebhooksAPI.CreateWebhook(ctx).CreateWebhookRequest(*asked).Execute()).Data
	check(strings.HasPrefix(webhook.Secret, "whsec_"), "subscribe")
	if _, err := client.WebhooksAPI.DeleteWebhook(ctx, webhook.Id).LicenseKey(license).Execute(); err != nil {
		log.Fatal(err)
	}
	for _, left := range done(client.WebhooksAPI.ListWebhooks(ctx).LicenseKey(license).Execute()).Data {
		if left.Id == webhook.Id {
			log.Fatal("unsubscribe")
		}
	}
	check(true, "unsubscribe")
}
