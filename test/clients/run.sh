#!/bin/sh
# Makes a TypeScript and a Python client of both documents, and fails where a generator warns or a client does not hold:
# sh test/clients/run.sh. Needs Python 3.10 or later; what it installs and makes is in .dev/clients.
set -eu
cd "$(dirname "$0")/../.."
project=$PWD
made=$project/.dev/clients
venv=$made/venv
mkdir -p "$made/npm"

if [ ! -x "$venv/bin/ruff" ]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet 'openapi-python-client==0.29.1' 'ruff==0.17.6'
fi
if [ ! -x "$made/npm/node_modules/.bin/openapi-ts" ]; then
  # Of its own: the generator works with the compiler's former API.
  echo '{ "private": true }' > "$made/npm/package.json"
  npm install --prefix "$made/npm" --silent --ignore-scripts --no-audit --no-fund @hey-api/openapi-ts@0.99.0 typescript@5.9.3
fi
PATH=$venv/bin:$PATH

npx tsc -p tsconfig.json
node dist/test/clients/documents.js "$made"

for api in v2 v1; do
  rm -rf "$made/ts_$api" "$made/py_$api"
  (cd "$made/npm" && npx openapi-ts -i "$made/$api.json" -o "$made/ts_$api" --no-log-file) > "$made/ts_$api.log" 2>&1
  if grep -i warn "$made/ts_$api.log"; then exit 1; fi
  npx tsc --ignoreConfig --noEmit --strict --target es2022 --module esnext --moduleResolution bundler \
    --lib es2022,dom,dom.iterable "$made/ts_$api/index.ts"
  echo "$api in TypeScript: $(grep -c '^export type' "$made/ts_$api/types.gen.ts") types, $(grep -c '^export const' "$made/ts_$api/sdk.gen.ts") operations"

  # Where a body comes in two types it forgets an import (0.29.1).
  openapi-python-client generate --path "$made/$api-json.json" --output-path "$made/py_$api" --meta none --fail-on-warning \
    > "$made/py_$api.log" 2>&1 || { cat "$made/py_$api.log"; exit 1; }
  python test/clients/use.py "$made" "$api"
done
