<?php

declare(strict_types=1);

namespace ParcelworksWoo;

/** What an open order page asks for while a parcel is under way. */
final class OrderRest
{
    private ParcelStore $store;

    public function __construct(ParcelStore $store)
    {
        $this->store = $store;
    }

    public function hook(): void
    {
        add_action('rest_api_init', function (): void {
            register_rest_route('parcelworks/v1', '/orders/(?P<id>\d+)', [
                'methods' => 'GET',
                'callback' => [$this, 'show'],
                'permission_callback' => static fn (): bool => current_user_can('edit_shop_orders'),
            ]);
        });
        add_action('woocommerce_delete_order', [$this->store, 'removeOrder']);
        add_action('before_delete_post', function ($id): void {
            if (get_post_type($id) === 'shop_order') {
                $this->store->removeOrder((int) $id);
            }
        });
    }

    public function show(\WP_REST_Request $request): \WP_REST_Response
    {
        $newest = $this->store->newestOf([(int) $request['id']])[(int) $request['id']] ?? null;

        return new \WP_REST_Response(['state' => $newest === null ? null : $newest->state, 'status' => $newest === null ? null : $newest->status]);
    }
}
