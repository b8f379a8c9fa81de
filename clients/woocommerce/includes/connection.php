<?php

declare(strict_types=1);

namespace ParcelworksWoo;

use ParcelworksWoo\Client\Exception\CallException;
use ParcelworksWoo\Client\Exception\ParcelworksException;

/**
 * The shop's credentials at the service, and the webhooks that it has there. Bound to the shop's address: a copy of
 * the shop, such as one for tests, books nothing until somebody says what it is.
 */
final class Connection
{
    private const OPTION = 'parcelworks_connection';
    private const PREFIX = 'pw1_';
    private const EVENTS = [
        'shipment.created', 'shipment.status_changed', 'shipment.delivered', 'shipment.cancelled', 'shipment.refused',
    ];

    /** @var array<string, mixed>|null */
    private ?array $kept = null;

    public function isThere(): bool
    {
        return isset($this->kept()['base_url']);
    }

    /** Whether this is the shop that was connected. */
    public function isHere(): bool
    {
        return ($this->kept()['home'] ?? get_option('home')) === get_option('home');
    }

    public function isUsable(): bool
    {
        return $this->isThere() && $this->isHere();
    }

    /** Names this shop in keys. */
    public function site(): string
    {
        return (string) ($this->kept()['site'] ?? '');
    }

    public function baseUrl(): string
    {
        return (string) ($this->kept()['base_url'] ?? '');
    }

    public function accountName(): string
    {
        return (string) ($this->kept()['account'] ?? '');
    }

    public function trackUrl(string $shortCode): string
    {
        return $this->baseUrl() . '/track/' . rawurlencode($shortCode);
    }

    /** @return array<string, string> Names of the account's licenses by key. */
    public function licenses(): array
    {
        return (array) ($this->kept()['licenses'] ?? []);
    }

    /** @return list<string> */
    public function webhookSecrets(): array
    {
        return array_values(array_map('strval', array_column((array) ($this->kept()['webhooks'] ?? []), 'secret')));
    }

    public function hasWebhooks(): bool
    {
        return $this->webhookSecrets() !== [];
    }

    public function client(): Service
    {
        $kept = $this->kept();

        return new Service((string) $kept['base_url'], (string) $kept['client_id'], (string) $kept['client_secret']);
    }

    /**
     * Connects with the text that the panel shows where credentials are made, or with the three values of it.
     *
     * @return string|null Why not; null where it is connected.
     */
    public function begin(string $code, string $url, string $id, string $secret): ?string
    {
        if ($code !== '') {
            $read = self::readCode($code);
            if ($read === null) {
                return __('This is not a connection code: copy it whole from the panel.', 'parcelworks');
            }
            [$url, $id, $secret] = $read;
        }
        $url = rtrim(trim($url), '/');
        if (!self::isSafe($url)) {
            return __('The address of the service begins with https://.', 'parcelworks');
        }
        try {
            $client = new Service($url, trim($id), trim($secret));
            $account = $client->account()->data;
        } catch (ParcelworksException $error) {
            return Refusal::words($error);
        }
        $old = $this->kept();
        $this->removeWebhooks();
        $licenses = [];
        foreach ($account['licenses'] as $license) {
            if ($license['is_active'] && !$license['is_expired']) {
                $licenses[(string) $license['key']] = (string) ($license['name'] ?: $license['company']['name']);
            }
        }
        $this->keep([
            'base_url' => $url,
            'client_id' => trim($id),
            'client_secret' => trim($secret),
            'site' => (string) ($old['site'] ?? 'wc' . strtolower(wp_generate_password(8, false))),
            'home' => get_option('home'),
            'account' => (string) ($account['company_name'] ?: $account['name']),
            'licenses' => $licenses,
            'webhooks' => [],
        ]);
        $this->subscribe($client);

        return null;
    }

    /** The same shop under a new address: its keys stay. */
    public function moved(): void
    {
        if ($this->isThere()) {
            $this->removeWebhooks();
        }
        $this->keep(['home' => get_option('home'), 'webhooks' => []] + $this->kept());
        if ($this->isThere()) {
            $this->subscribe($this->client());
        }
    }

    /** Ends the connection, and the webhooks at the service as far as it can be reached. */
    public function end(): void
    {
        if ($this->isThere() && $this->isHere()) {
            $this->removeWebhooks();
        }
        $this->forget();
    }

    /** Ends the credentials' use here. The name of the shop stays: parcels that are booked later keep their keys. */
    public function pause(): void
    {
        $this->removeWebhooks();
        $this->keep(array_intersect_key($this->kept(), ['site' => true, 'home' => true]));
    }

    /** Forgets what a copy brought along: credentials and keys are those of the first shop. */
    public function forget(): void
    {
        delete_option(self::OPTION);
        $this->kept = null;
    }

    /** Under plain permalinks the pretty address answers with the home page, so that events would be lost. */
    public static function webhookUrl(): string
    {
        return add_query_arg('rest_route', '/parcelworks/v1/webhook', trailingslashit((string) get_option('home')));
    }

    private function subscribe(Service $client): void
    {
        $webhooks = [];
        foreach (array_keys($this->licenses()) as $key) {
            try {
                $made = $client->subscribe((string) $key, self::webhookUrl(), self::EVENTS)->data;
                $webhooks[] = ['id' => $made['id'], 'license' => (string) $key, 'secret' => $made['secret']];
            } catch (CallException $error) {
                // A shop that cannot be reached from outside: parcels are asked for instead.
                break;
            }
        }
        $this->keep(['webhooks' => $webhooks] + $this->kept());
    }

    private function removeWebhooks(): void
    {
        foreach ((array) ($this->kept()['webhooks'] ?? []) as $webhook) {
            try {
                $this->client()->unsubscribe((string) $webhook['license'], (string) $webhook['id']);
            } catch (ParcelworksException $error) {
                // The service turns a webhook off by itself when nobody answers.
                break;
            }
        }
    }

    /** @return array{string, string, string}|null */
    private static function readCode(string $code): ?array
    {
        $plain = (string) preg_replace('/\s+/', '', $code);
        if (strncmp($plain, self::PREFIX, strlen(self::PREFIX)) !== 0) {
            return null;
        }
        $text = base64_decode(strtr(substr($plain, strlen(self::PREFIX)), '-_', '+/'), true);
        $read = $text === false ? null : json_decode($text, true);
        if (!is_array($read) || !is_string($read['url'] ?? null) || !is_string($read['id'] ?? null) || !is_string($read['secret'] ?? null)) {
            return null;
        }

        return [$read['url'], $read['id'], $read['secret']];
    }

    /** Over plain http secrets would be read on the way; on the machine itself there is no way. */
    private static function isSafe(string $url): bool
    {
        $scheme = wp_parse_url($url, PHP_URL_SCHEME);
        $isLocal = in_array(wp_parse_url($url, PHP_URL_HOST), ['127.0.0.1', 'localhost', '[::1]'], true);

        return $scheme === 'https' || ($scheme === 'http' && $isLocal);
    }

    /** @return array<string, mixed> */
    private function kept(): array
    {
        if ($this->kept === null) {
            $this->kept = (array) get_option(self::OPTION, []);
        }

        return $this->kept;
    }

    /** @param array<string, mixed> $kept */
    private function keep(array $kept): void
    {
        $this->kept = $kept;
        update_option(self::OPTION, $kept, false);
    }
}
