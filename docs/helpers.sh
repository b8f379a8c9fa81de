# The commands of README and docs use these functions. For bash and zsh, in the checkout, beside a running demo:
#   . docs/helpers.sh

# A value of .dev/demo.json: demo base_url
demo() { node -p "require('./.dev/demo.json').$1"; }

# A field of the JSON on standard input: api account | field data.name
field() { node -p "JSON.parse(require('fs').readFileSync(0, 'utf8')).$1"; }

# JSON, indented; anything else as it is.
pretty() {
  node -e "const text = require('fs').readFileSync(0, 'utf8');
    try { console.log(JSON.stringify(JSON.parse(text), null, 2)); } catch { process.stdout.write(text); }"
}

# A request to API v2, the rest as curl takes it: api 'shipments?per_page=1'
api() {
  curl -sSg -w '%{stderr}HTTP %{http_code}\n' "$(demo base_url)/api/v2/$1" \
    -H "X-Client-Id: $(demo client_id)" -H "X-Client-Secret: $(demo client_secret)" \
    -H 'Content-Type: application/json' "${@:2}" | pretty
}

# Books a parcel for an order, with the carrier run or under another license: create 1001 demo-cargo
create() {
  api shipments -H "Idempotency-Key: order-$1" \
    -w '%{stderr}HTTP %{http_code} in %{time_total} s, Idempotent-Replayed: %header{idempotent-replayed}\n' \
    -d '{"license_key":"'"${2:-demo-run}"'",
         "ship_data":{"contact_name":"Dana Levi","contact_phone":"0501234567",
                      "street":"Dizengoff","number":"99","city":"Tel Aviv","type":1,"return":1},
         "order":{"id":"'"$1"'","total":"120.00","currency":"ILS"}}'
}

# The address of the label of an order, for a browser: label 1001
label() {
  api "shipments/$(api "shipments?filter[order_id]=$1&license_key=${2:-demo-run}" | field 'data[0].uuid')/label" | field data.url
}

# A control of a carrier's sandbox: sandbox run ledger
sandbox() { curl -sS "$(demo "sandboxes.$1")/__$2" "${@:3}" | pretty; }

# Where the Temporal UI lists the runs that a query finds: runs 'OrderId="1001"'
runs() {
  echo "$(demo temporal_ui)/namespaces/default/workflows?query=$(node -p 'encodeURIComponent(process.argv[1])' "$1")"
}

# The administrator's program: admin licenses list
admin() { npm run -s admin -- "$@"; }
