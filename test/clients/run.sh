#!/bin/sh
# Makes clients of both documents with each generator, compiles them, and lets a program of each work with the demo:
#   npm start -- --detach && npm run clients
#   npm run clients -- ogen hey-api     (these alone)
# Without a running demo the clients are made and compiled. What it installs and makes is in .dev/clients.
# Needs, for its generators: Java and Maven, Go, PHP with php-guzzlehttp-guzzle, Python 3.10 or later.
set -eu
cd "$(dirname "$0")/../.."
project=$PWD
programs=$project/test/clients
made=$project/.dev/clients
. "$programs/versions.sh"
. "$programs/generators.sh"
mkdir -p "$made"

# A test has compiled already, and asks for the clients alone.
[ -n "${CLIENTS_ALONE:-}" ] || npx tsc -p tsconfig.json
node dist/test/clients/documents.js "$made"

demo=$project/.dev/demo.json
if [ -z "${CLIENTS_ALONE:-}" ] && [ -f "$demo" ]; then
  told() { node -p 'JSON.parse(require("fs").readFileSync(process.argv[1]))[process.argv[2]]' "$demo" "$1"; }
  PARCELS_URL=$(told base_url)/api/v2
  PARCELS_ID=$(told client_id)
  PARCELS_SECRET=$(told client_secret)
  PARCELS_LICENSE=demo-run
  export PARCELS_URL PARCELS_ID PARCELS_SECRET PARCELS_LICENSE
fi

[ $# -gt 0 ] || set -- openapi-generator-java openapi-generator-go openapi-generator-python openapi-generator-php \
  oapi-codegen ogen hey-api openapi-typescript openapi-python-client
for generator in "$@"; do
  name=$(echo "$generator" | tr - _)
  "install_$name"
  for api in v1 v2; do
    folder=$made/$generator/$api
    # A file of an earlier document that is made no longer breaks the build.
    rm -rf "$folder"
    mkdir -p "$folder"
    # Not behind `if` or `||`: there a shell goes on after a command that fails.
    set +e
    (set -e; cd "$folder"; "make_$name" "$made/$api") > "$folder.log" 2>&1
    failed=$?
    set -e
    if [ "$failed" -ne 0 ]; then
      tail -40 "$folder.log"
      echo "$generator $api: failed, see $folder.log"
      exit 1
    fi
    echo "$generator $api: made and compiled"
  done
  [ -n "${PARCELS_URL:-}" ] || continue
  (cd "$folder" && "use_$name") > "$folder.use.log" 2>&1 || { cat "$folder.use.log"; echo "$generator: failed"; exit 1; }
  echo "$generator did: $(tr '\n' ' ' < "$folder.use.log")"
done
