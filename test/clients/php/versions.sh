#!/usr/bin/env bash
# Runs the PHP client's pure parts (every file, the shared pairs, the verifier) under PHP 7.4 and 8.5, which npm brings as
# WebAssembly: neither is in today's distributions. No deprecation may be told.
set -euo pipefail
cd "$(dirname "$0")/../../.."
folder=.dev/php-wasm
mkdir -p "$folder"
[ -e "$folder/package.json" ] || echo '{"private":true}' > "$folder/package.json"
npm install --prefix "$folder" --save-exact --no-audit --no-fund --silent \
  @php-wasm/universal@3.1.56 @php-wasm/node-7-4@3.1.56 @php-wasm/node-8-5@3.1.56
cp test/clients/php/versions.mjs "$folder/"
node "$folder/versions.mjs" 7-4
node "$folder/versions.mjs" 8-5
