<?php

declare(strict_types=1);

namespace Parcelworks\Api;

use Parcelworks\Core\Calls;
use Parcelworks\Core\Pages;
use Parcelworks\Exception\CallException;
use Parcelworks\Result;
use Parcelworks\Shapes;

/**
 * Subscriptions of a license to events. `Parcelworks\Webhook` verifies what they send.
 *
 * @phpstan-import-type WebhookSubscription from Shapes
 * @phpstan-import-type NewWebhookSubscription from Shapes
 * @phpstan-import-type CallOptions from Calls
 */
final class Webhooks
{
    private Calls $calls;

    public function __construct(Calls $calls)
    {
        $this->calls = $calls;
    }

    /**
     * @param CallOptions $options
     * @return Result<list<WebhookSubscription>>
     * @throws CallException
     */
    public function list(?string $licenseKey = null, array $options = []): Result
    {
        /** @var Result<list<WebhookSubscription>> */
        return $this->calls->get('/webhooks', $this->license($licenseKey), $options);
    }

    /**
     * The answer has the secret, which is shown this once. It has no key: after a lost answer look at `list()` and
     * delete what is there before you subscribe again.
     *
     * @param array{license_key?: string|null, url: string, events: list<string>} $body
     * @param CallOptions $options
     * @return Result<NewWebhookSubscription>
     * @throws CallException
     */
    public function create(array $body, array $options = []): Result
    {
        /** @var Result<NewWebhookSubscription> */
        return $this->calls->change('POST', '/webhooks', $this->calls->withLicense($body), $options, false);
    }

    /**
     * @param array{license_key?: string|null, url?: string, events?: list<string>, is_active?: bool} $changes
     * @param CallOptions $options
     * @return Result<WebhookSubscription>
     * @throws CallException
     */
    public function update(string $id, array $changes, array $options = []): Result
    {
        $body = $this->calls->withLicense($changes);

        /** @var Result<WebhookSubscription> */
        return $this->calls->change('PATCH', '/webhooks/' . Calls::segment($id), $body, $options, true);
    }

    /**
     * @param CallOptions $options
     * @return Result<null>
     * @throws CallException
     */
    public function delete(string $id, ?string $licenseKey = null, array $options = []): Result
    {
        $path = '/webhooks/' . Calls::segment($id);

        /** @var Result<null> */
        return $this->calls->change('DELETE', $path, null, $options, true, $this->license($licenseKey));
    }

    /**
     * The old secret signs beside the new one for these hours.
     *
     * @param CallOptions $options
     * @return Result<NewWebhookSubscription>
     * @throws CallException
     */
    public function rotateSecret(string $id, float $overlapHours = 24.0, array $options = []): Result
    {
        $body = $this->calls->withLicense(['overlap_hours' => $overlapHours]);
        $path = '/webhooks/' . Calls::segment($id) . '/rotate-secret';

        /** @var Result<NewWebhookSubscription> */
        return $this->calls->change('POST', $path, $body, $options, false);
    }

    /**
     * Sends a test event now.
     *
     * @param CallOptions $options
     * @return Result<array<string, mixed>> The delivery, with what the receiver answered.
     * @throws CallException
     */
    public function ping(string $id, array $options = []): Result
    {
        $path = '/webhooks/' . Calls::segment($id) . '/ping';

        /** @var Result<array<string, mixed>> */
        return $this->calls->change('POST', $path, $this->calls->withLicense([]), $options, false);
    }

    /**
     * Every delivery, newest first.
     *
     * @param array<string, mixed> $query
     * @return \Generator<int, array<string, mixed>>
     * @throws CallException
     */
    public function deliveries(string $id, array $query = []): \Generator
    {
        $path = '/webhooks/' . Calls::segment($id) . '/deliveries';

        return (new Pages($this->calls))->byCursor($path, $this->calls->withLicense($query));
    }

    /** @return array<string, mixed> */
    private function license(?string $key): array
    {
        return $this->calls->withLicense($key === null ? [] : ['license_key' => $key]);
    }
}
