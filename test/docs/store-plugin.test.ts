import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';
import { which } from '../../tools/launcher/run.js';
import { docPages } from '../support/doc-pages.js';
import { startHttp } from '../support/http.js';

const PAGE = 'docs/guides/store-plugin-v1.md';
/** As much of WordPress and WooCommerce as the guide's code calls. */
const WORDPRESS = `
error_reporting(E_ALL);
set_error_handler(fn ($level, $text) => throw new ErrorException($text));
$options = ['parcelworks_license_key' => ' ' . $argv[1] . ' '];
function get_option($name) { return $GLOBALS['options'][$name] ?? false; }
function update_option($name, $value) { $GLOBALS['options'][$name] = $value; }
function home_url() { return 'https://shop.test/store'; }
function wp_parse_url($url, $part) { return parse_url($url, $part); }
function wp_json_encode($value) { return json_encode($value); }
function is_wp_error($reply) { return $reply === null; }
function wp_remote_retrieve_body($reply) { return $reply['body']; }
function wp_remote_retrieve_header($reply, $name) { return $reply['headers'][$name] ?? ''; }
function wp_remote_get($url, $args) { return send('GET', $url, $args); }
function wp_remote_post($url, $args) { return send('POST', $url, $args); }
function send($method, $url, $args) {
    // The service gives the same call of an hour the same parcel; the engine's double does not.
    static $parcels = [];
    $key = $url . ($args['body'] ?? '');
    if (strpos($url, 'open_new_order') !== false) $GLOBALS['told'] = json_decode($args['body'], true)['ship_data'];
    if (isset($parcels[$key])) return $parcels[$key];
    $lines = array_map(fn ($name, $value) => "$name: $value", array_keys($args['headers']), $args['headers']);
    $http = ['method' => $method, 'header' => $lines, 'content' => $args['body'] ?? '', 'ignore_errors' => true, 'follow_location' => 0];
    $stream = strpos($url, 'https://nowhere') === 0 ? false : fopen($url, 'r', false, stream_context_create(['http' => $http]));
    if ($stream === false) return null;
    $headers = [];
    foreach (stream_get_meta_data($stream)['wrapper_data'] as $line) {
        [$name, $value] = explode(':', $line, 2) + [1 => ''];
        $headers[strtolower($name)] = trim($value);
    }
    $reply = ['body' => stream_get_contents($stream), 'headers' => $headers];
    return strpos($url, 'open_new_order') === false ? $reply : $parcels[$key] = $reply;
}
class WC_Order {
    public array $meta = [];
    public array $notes = [];
    public function __construct(private array $values) {}
    public function get_address($kind) { return ['first_name' => 'Dana', 'last_name' => 'Levi']; }
    public function update_meta_data($key, $value) { $this->meta[$key] = $value; }
    public function get_meta($key) { return $this->meta[$key] ?? ''; }
    public function add_order_note($note) { $this->notes[] = $note; }
    public function save() {}
    public function __call($name, $args) { return $this->values[substr($name, 4)] ?? ''; }
}
`;
const CALLS = `
function order($id, $street) {
    return new WC_Order(['id' => $id, 'order_number' => "W-$id", 'status' => 'processing', 'total' => '120.00', 'currency' => 'ILS',
        'formatted_shipping_full_name' => 'Dana Levi', 'billing_phone' => '0501234567', 'shipping_address_1' => $street, 'shipping_city' => 'Haifa']);
}
$order = order(7, 'Herzl');
$second = new WC_Order(['id' => 9, 'order_number' => 'W-9', 'total' => '1.00', 'currency' => 'ILS', 'formatted_shipping_full_name' => 'Dana Levi',
    'billing_phone' => '0501234567', 'shipping_address_1' => 'Herzl 5', 'shipping_address_2' => 'Apartment 3', 'shipping_city' => 'Haifa', 'customer_note' => 'Ring.']);
$answers = ['connected' => parcelworks_connect(), 'shipped' => parcelworks_ship($order), 'code' => $order->meta['_parcelworks_code'] ?? null];
foreach (['label', 'status', 'cancel'] as $call) $answers[$call] = "parcelworks_$call"($argv[2]);
$answers += ['second_click' => parcelworks_ship($order), 'notes' => $order->notes, 'with_number' => parcelworks_ship($second), 'told' => $GLOBALS['told']];
$answers += ['slow' => parcelworks_ship(order('slow-1', 'Herzl')), 'wrong' => parcelworks_ship(order(8, '')), 'unknown' => parcelworks_status('1')];
$options['parcelworks_license_key'] = 'nobody';
$answers += ['refused' => parcelworks_connect(), 'forbidden' => parcelworks_ship($order)];
echo json_encode($answers);
`;

test('the code of the guide for store plugins does what the guide says, also in failures', async (t) => {
  const php = which('php');
  if (php === null) {
    t.is(process.env.CI, undefined, 'PHP is needed in CI');
    return t.pass();
  }
  const stack = await startHttp();
  t.teardown(() => stack.close());
  const { id } = await stack.account();
  const license = await stack.license(id);
  const code = '74100231';
  await stack.shipment(id, license, { columns: { tracking_code: code } });
  const blocks = docPages().find(({ path }) => path === PAGE)?.blocks ?? [];
  const guide = blocks.filter(({ language }) => language === 'php').map(({ text }) => text);
  const program = guide.join('\n').replace('https://parcels.example.com', stack.url);

  const { stdout } = await promisify(execFile)(php, [
    '-r',
    `${WORDPRESS}${program}${CALLS}`,
    license.key,
    code,
  ]);
  const said = JSON.parse(stdout);

  t.is(said.connected, 'Connected.');
  t.true(said.shipped.success);
  t.is(said.code, said.shipped.data.code);
  t.true(said.second_click.success);
  t.deepEqual(said.notes, [`Shipped as ${said.code}`]);
  t.true(said.with_number.success, said.with_number.message);
  t.like(said.told, { number: '', note: 'Apartment 3 Ring.' });
  t.true(said.label.data.url.startsWith('https://'));
  t.is(said.status.data.code, code);
  t.true(said.cancel.success, said.cancel.message);
  t.like(said.slow, { success: false, again: true });
  t.like(said.wrong, { success: false, again: false });
  t.regex(said.wrong.message, /street/);
  t.like(said.unknown, { success: false, message: 'No query results for model [Shipment] 1' });
  t.is(said.refused, 'Invalid License Key');
  t.like(said.forbidden, { success: false, again: false, message: 'Invalid License Key' });
});
