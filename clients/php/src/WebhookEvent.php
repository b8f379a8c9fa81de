<?php

declare(strict_types=1);

namespace Parcelworks;

/** A verified event. The service may send it more than once: `id` is the same each time. */
final class WebhookEvent
{
    /** Keep it, and pass over an event whose id was seen. */
    public string $id;
    /** Such as `shipment.delivered`. Later versions may send others: answer 200 and pass over them. */
    public string $name;
    /** When it happened, in Unix seconds. */
    public int $createdAt;
    /** @var array<string, mixed> */
    public array $data;

    /** @param array<string, mixed> $data */
    public function __construct(string $id, string $name, int $createdAt, array $data)
    {
        $this->id = $id;
        $this->name = $name;
        $this->createdAt = $createdAt;
        $this->data = $data;
    }
}
