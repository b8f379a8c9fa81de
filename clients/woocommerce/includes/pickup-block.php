<?php

declare(strict_types=1);

namespace ParcelworksWoo;

/** The list of points in the block check-out, which is a program in the browser and asks for it. */
final class PickupBlock
{
    private PickupPoints $points;
    private Settings $settings;

    public function __construct(PickupPoints $points, Settings $settings)
    {
        $this->points = $points;
        $this->settings = $settings;
    }

    public function hook(): void
    {
        add_action('woocommerce_blocks_loaded', [$this, 'extend']);
        add_filter('rest_pre_dispatch', [$this, 'complete'], 10, 3);
        add_action('woocommerce_blocks_enqueue_checkout_block_scripts_after', [$this, 'script']);
        add_action('woocommerce_store_api_checkout_update_order_from_request', [$this, 'keep'], 10, 2);
        add_action('rest_api_init', function (): void {
            register_rest_route('parcelworks/v1', '/points', [
                'methods' => 'GET',
                'callback' => [$this, 'list'],
                // Buyers are strangers; a town's points are public, asked for once a day, and few towns for each visitor.
                'permission_callback' => '__return_true',
                'args' => ['rate' => ['required' => true, 'type' => 'string'], 'city' => ['required' => true, 'type' => 'string']],
            ]);
        });
    }

    public function extend(): void
    {
        if (did_action('parcelworks_block_extended') > 0 || !function_exists('woocommerce_store_api_register_endpoint_data')) {
            return;
        }
        do_action('parcelworks_block_extended');
        woocommerce_store_api_register_endpoint_data([
            'endpoint' => 'checkout',
            'namespace' => 'parcelworks',
            'schema_callback' => static fn (): array => [
                'point' => ['type' => ['string', 'null'], 'description' => 'Pickup point.', 'context' => ['view', 'edit'], 'optional' => true],
            ],
        ]);
    }

    /**
     * WooCommerce refuses an order without the part of each plugin that has one, which buyers who chose nothing and
     * programs that know no points do not send.
     *
     * @param mixed $result Answer of another filter; unchanged.
     * @return mixed
     */
    public function complete($result, \WP_REST_Server $server, \WP_REST_Request $request)
    {
        if (preg_match('#^/wc/store(/v\d+)?/checkout#', $request->get_route()) === 1 && $request->get_method() !== 'GET') {
            $sent = $request['extensions'];
            $request['extensions'] = (is_array($sent) ? $sent : []) + ['parcelworks' => ['point' => '']];
        }

        return $result;
    }

    public function script(): void
    {
        $rates = (array) $this->settings->all()['points'];
        if ($rates === []) {
            return;
        }
        $needs = ['wc-blocks-checkout', 'wp-plugins', 'wp-element', 'wp-data', 'wp-api-fetch'];
        wp_enqueue_script('parcelworks-block', plugins_url('assets/block.js', PLUGIN_FILE), $needs, VERSION, true);
        wp_add_inline_script('parcelworks-block', 'window.parcelworksPoints = ' . wp_json_encode([
            'rates' => array_values($rates),
            'choose' => __('Choose a pickup point', 'parcelworks'),
            'label' => __('Pickup point', 'parcelworks'),
            'later' => __('You choose the pickup point after the order.', 'parcelworks'),
        ]) . ';', 'before');
    }

    public function list(\WP_REST_Request $request): \WP_REST_Response
    {
        $points = $this->points->look((string) $request['rate'], (string) $request['city']);
        if ($points === null) {
            $message = __('Too many towns were asked for. Try again later.', 'parcelworks');
            $answer = new \WP_REST_Response(['code' => 'parcelworks_too_many', 'message' => $message], 429);
            $answer->header('Retry-After', (string) VisitorLimit::WINDOW_SECONDS);

            return $answer;
        }

        return new \WP_REST_Response(array_map(static fn (PickupPoint $point): array => [
            'value' => $point->asValue(),
            'words' => $point->words,
        ], $points));
    }

    public function keep(\WC_Order $order, \WP_REST_Request $request): void
    {
        $point = PickupPoint::read($request['extensions']['parcelworks']['point'] ?? null);
        if ($point !== null && $this->settings->pointRateOf($order) !== null) {
            $point->keep($order);
        }
    }
}
