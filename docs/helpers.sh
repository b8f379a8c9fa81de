# The commands of README and docs use these functions. For bash and zsh, in the checkout, beside a running demo:
#   . docs/helpers.sh

# A value of .dev/demo.json: demo base_url
demo() {
  node -e "const stop = (why) => { console.error(why); process.exit(1); };
    let all, value;
    try { all = require('./.dev/demo.json'); } catch { stop('No demo runs in this folder: npm start -- --detach'); }
    try { value = all.$1; } catch {}
    if (value === undefined) stop('no ' + process.argv[1] + ' in .dev/demo.json, which has ' + Object.keys(all).join(', '));
    console.log(value);" "$1"
}

# What an operator gives those who call an API; here the demo's.
export BASE_URL="$(demo base_url)" CLIENT_ID="$(demo client_id)" CLIENT_SECRET="$(demo client_secret)"

# A field of the JSON on standard input: api account | field data.name
field() {
  node -e "const text = require('fs').readFileSync(0, 'utf8');
    let value;
    try { value = JSON.parse(text).$1; } catch {}
    if (value === undefined) {
      console.error('no ' + process.argv[1] + ' in ' + text.replace(/\s+/g, ' ').slice(0, 300));
      process.exit(1);
    }
    console.log(value);" "$1"
}

# JSON, indented; anything else as it is.
pretty() {
  node -e "const text = require('fs').readFileSync(0, 'utf8');
    try { console.log(JSON.stringify(JSON.parse(text), null, 2)); } catch { process.stdout.write(text); }"
}

# A request to API v2, the rest as curl takes it: api 'shipments?per_page=1'
api() {
  curl -sSg -w '%{stderr}HTTP %{http_code}\n' "$BASE_URL/api/v2/$1" \
    -H "X-Client-Id: $CLIENT_ID" -H "X-Client-Secret: $CLIENT_SECRET" \
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
  local uuid
  uuid=$(api "shipments?filter[order_id]=$1&license_key=${2:-demo-run}" | field 'data[0].uuid') || return 1
  api "shipments/$uuid/label" | field data.url
}

# A control of a carrier's sandbox: sandbox run ledger
sandbox() { curl -sS "$(demo "sandboxes.$1")/__$2" "${@:3}" | pretty; }

# Where the Temporal UI lists the runs that a query finds: runs 'OrderId="1001"'
runs() {
  echo "$(demo temporal_ui)/namespaces/default/workflows?query=$(node -p 'encodeURIComponent(process.argv[1])' "$1")"
}

# The administrator's program: admin licenses list
admin() { npm run -s admin -- "$@"; }
