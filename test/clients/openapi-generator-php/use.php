<?php
/** The steps of a shop with its parcels; prints the name of each step that worked. */

use OpenAPI\Client\Api\{BatchesApi, ShipmentsApi, WebhooksApi};
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\{CreateBatch, CreateShipment, CreateWebhookRequest, OrderInput, ShipData};

// Debian's php-guzzlehttp-guzzle; the client's classes are where PSR-4 has them.
require 'GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    $file = getenv('PARCELS_CLIENT') . '/lib/' . strtr(substr($class, strlen('OpenAPI\Client\\')), '\\', '/') . '.php';
    if (str_starts_with($class, 'OpenAPI\Client\\') && is_file($file)) require $file;
});

const STEP_MICROSECONDS = 500000;
$license = getenv('PARCELS_LICENSE');
$run = bin2hex(random_bytes(8));

function check(bool $holds, string $step): void
{
    if (!$holds) throw new RuntimeException($step);
    echo "$step\n";
}

function shipment(string $order): CreateShipment
{
    global $license, $run;
    $data = new ShipData([
        'contact_name' => 'Dana Levi', 'contact_phone' => '0501234567', 'street' => 'Dizengoff', 'number' => '99',
        'city' => 'Tel Aviv', 'type' => 1, 'return' => 1,
    ]);
    return new CreateShipment(['license_key' => $license, 'ship_data' => $data, 'order' => new OrderInput(['id' => "$order-$run"])]);
}

function isMade(BatchesApi $batches, string $batch): bool
{
    for ($tries = 0; $tries < 120; $tries++) {
        $item = $batches->listBatchItems($batch)->getData()[0];
        if ($item->getError() !== null) throw new RuntimeException($item->getError()->getMessage());
        if ($item->getStatus() === 'created') return is_string($item->getShipmentId());
        usleep(STEP_MICROSECONDS);
    }
    return false;
}

$configuration = (new Configuration())->setHost(getenv('PARCELS_URL'))
    ->setApiKey('X-Client-Id', getenv('PARCELS_ID'))->setApiKey('X-Client-Secret', getenv('PARCELS_SECRET'));
$http = new GuzzleHttp\Client();
$shipments = new ShipmentsApi($http, $configuration);
$batches = new BatchesApi($http, $configuration);
$webhooks = new WebhooksApi($http, $configuration);

$made = $shipments->createShipment(shipment('one'), idempotency_key: "one-$run")->getData();
$again = $shipments->createShipment(shipment('one'), idempotency_key: "one-$run")->getData();
check($made->getUuid() === $again->getUuid() && $made->getTrackingCode() !== null, 'create');
$listed = $shipments->listShipments(filter_order_id: "one-$run")->getData();
check(count($listed) === 1 && $listed[0]->getUuid() === $made->getUuid(), 'list');
check($shipments->getShipment($made->getUuid())->getData()->getRecipient()->getName() === 'Dana Levi', 'fetch');
check(!$shipments->cancelShipment($made->getUuid())->getData()->getIsActive(), 'cancel');

$whole = new CreateBatch(['license_key' => $license, 'shipments' => [shipment('two')]]);
check(isMade($batches, $batches->createBatch($whole, idempotency_key: "two-$run")->getData()->getId()), 'batch-object');
$bare = [shipment('three')];
$batch = $batches->createBatch($bare, license_key: $license, idempotency_key: "three-$run")->getData();
check(isMade($batches, $batch->getId()), 'batch-list');

$asked = new CreateWebhookRequest(['license_key' => $license, 'url' => "https://shop.example/$run", 'events' => ['shipment.created']]);
$webhook = $webhooks->createWebhook($asked)->getData();
check(str_starts_with($webhook->getSecret(), 'whsec_'), 'subscribe');
$webhooks->deleteWebhook($webhook->getId(), license_key: $license);
$ids = array_map(fn ($one) => $one->getId(), $webhooks->listWebhooks(license_key: $license)->getData());
check(!in_array($webhook->getId(), $ids, true), 'unsubscribe');
