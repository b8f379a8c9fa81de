#!/usr/bin/env bash
# Believed: oapi-codegen reads OpenAPI 3.1, whose documents may name what a service sends under `webhooks`; the models
#   of those bodies are generated like any other, or not at all.
# So it is: a schema that only `webhooks` refer to is dropped as unused, while the code that takes the webhook's body is
#   generated and names its type. The generator ends with 0, the code does not compile. A schema that a path refers to
#   as well is kept, and then all compiles.
# Where it bites: a document that is valid and whole makes a client that does not build. An endpoint that returns what
#   was sent (the deliveries of a subscription) keeps the models; so does `skip-prune: true` in the caller's own settings.
# Versions: oapi-codegen 2.8.2, its runtime as `go mod tidy` chooses it, Go 1.26.
# Seen: "undefined: Sent" without a path that refers to the schema; builds with one.
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
export GOBIN="$dir/bin" GOFLAGS=-mod=mod
go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2

document() { # $1: what the path answers
  cat <<JSON
{ "openapi": "3.1.0", "info": { "title": "t", "version": "1" },
  "paths": { "/things": { "get": { "operationId": "listThings", "responses": { "200": { "description": "ok",
    "content": { "application/json": { "schema": $1 } } } } } } },
  "webhooks": { "thing.sent": { "post": { "operationId": "thingSent",
    "requestBody": { "required": true, "content": { "application/json": { "schema": { "\$ref": "#/components/schemas/Sent" } } } },
    "responses": { "200": { "description": "ok" } } } } },
  "components": { "schemas": { "Sent": { "type": "object", "required": ["id"], "properties": { "id": { "type": "string" } } } } } }
JSON
}

build() { # $1: folder; builds what is generated of its document
  (cd "$1" && "$GOBIN/oapi-codegen" -generate types,client -package client openapi.json >client.go 2>generator.log \
    && { [ -f go.mod ] || go mod init example.test/client >/dev/null 2>&1; } \
    && go mod tidy >/dev/null 2>&1 && go build ./... >build.log 2>&1)
}

mkdir alone shared
document '{ "type": "string" }' >alone/openapi.json
document '{ "$ref": "#/components/schemas/Sent" }' >shared/openapi.json

if build alone; then echo "changed: compiles although only webhooks refer to the model" >&2; exit 1; fi
cat alone/build.log
grep -q 'undefined: Sent' alone/build.log
build shared || { cat shared/build.log >&2; exit 1; }
echo "with a path that refers to the model: compiles"
