# For each generator: install_…; make_… <document without .json>, in an empty folder, makes and compiles a client, with
# the program where the document is v2; use_… lets the program work. In `folder` is the client, in `programs` the programs.
modules=$made/npm
venv=$made/venv
bin=$made/bin
jar=$HOME/.m2/repository/org/openapitools/openapi-generator-cli/$OPENAPI_GENERATOR/openapi-generator-cli-$OPENAPI_GENERATOR.jar
export GOFLAGS=-mod=mod

is_v2() { [ "$(basename "$folder")" = v2 ]; }

install_jar() {
  [ -f "$jar" ] || mvn -q -B dependency:get -Dtransitive=false \
    "-Dartifact=org.openapitools:openapi-generator-cli:$OPENAPI_GENERATOR"
}
generate() { java -XX:TieredStopAtLevel=1 -jar "$jar" generate -i "$2.json" -g "$1" -o .; }

# The program is built inside the client's module.
build_go() {
  if is_v2; then
    mkdir use
    cp "$programs/$1/use.go" use/main.go
  fi
  go mod tidy
  go vet -unreachable=false ./...
  if is_v2; then go build -o use/use ./use; fi
}

install_openapi_generator_java() { install_jar; }
make_openapi_generator_java() {
  generate java "$1"
  mvn -q -B -Dmaven.javadoc.skip -Dmaven.source.skip -DskipTests compile \
    dependency:build-classpath -Dmdep.outputFile=classpath
}
use_openapi_generator_java() {
  java -cp "target/classes:$(cat classpath)" "$programs/openapi-generator-java/Use.java"
}

install_openapi_generator_go() { install_jar; }
make_openapi_generator_go() {
  generate go "$1"
  # Its examples of tests import a module that only exists once it is published.
  rm -rf test
  build_go openapi-generator-go
}
use_openapi_generator_go() { use/use; }

install_openapi_generator_python() { install_jar; }
make_openapi_generator_python() {
  generate python "$1"
  python3 -m venv venv
  venv/bin/pip install --quiet --disable-pip-version-check -r requirements.txt
  PYTHONPATH=. venv/bin/python -c 'from openapi_client import *'
}
use_openapi_generator_python() {
  PYTHONPATH=. venv/bin/python "$programs/openapi-generator-python/use.py"
}

install_openapi_generator_php() { install_jar; }
make_openapi_generator_php() {
  generate php "$1"
  find lib -name '*.php' -exec sh -c 'for file; do php -l "$file" > /dev/null || exit 1; done' sh {} +
}
use_openapi_generator_php() { PARCELS_CLIENT=. php "$programs/openapi-generator-php/use.php"; }

install_go() { [ -x "$bin/$1" ] || GOBIN="$bin" GOFLAGS= go install "$2"; }
install_oapi_codegen() {
  install_go oapi-codegen "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v$OAPI_CODEGEN"
}
make_oapi_codegen() {
  "$bin/oapi-codegen" -generate types,client -package client -o client.go "$1.json"
  go mod init example.test/oapi
  build_go oapi-codegen
}
use_oapi_codegen() { use/use; }

install_ogen() { install_go ogen "github.com/ogen-go/ogen/cmd/ogen@v$OGEN"; }
make_ogen() {
  "$bin/ogen" --target client --package client --clean "$1-json.json"
  go mod init example.test/ogen
  go get "github.com/ogen-go/ogen@v$OGEN"
  build_go ogen
}
use_ogen() { use/use; }

# Of their own: the generators work with the compiler's former API.
install_npm() {
  mkdir -p "$modules"
  [ -f "$modules/package.json" ] || echo '{ "private": true }' > "$modules/package.json"
  [ -e "$modules/node_modules/$1" ] || npm install --prefix "$modules" --silent --ignore-scripts --no-audit --no-fund \
    --save-exact typescript@5.9.3 @types/node@20 "$@"
}
build_ts() {
  echo '{ "type": "module" }' > package.json
  ln -s "$modules/node_modules" node_modules
  source=$2
  if is_v2; then
    cp "$programs/$1/use.ts" "$programs/shop.ts" .
    source=use.ts
  fi
  node_modules/.bin/tsc --outDir out --strict --noUncheckedIndexedAccess --target es2022 --module nodenext \
    --lib es2022,dom,dom.iterable --types node --preserveSymlinks "$source"
}

install_hey_api() { install_npm @hey-api/openapi-ts "@hey-api/openapi-ts@$HEY_API"; }
make_hey_api() {
  (cd "$modules" && node_modules/.bin/openapi-ts -i "$1.json" -o "$folder/client" --no-log-file) > "$folder/warnings" 2>&1
  cat warnings
  if grep -i warn warnings; then return 1; fi
  build_ts hey-api client/index.ts
}
use_hey_api() { node out/use.js; }

install_openapi_typescript() {
  install_npm openapi-typescript "openapi-typescript@$OPENAPI_TYPESCRIPT" "openapi-fetch@$OPENAPI_FETCH"
}
make_openapi_typescript() {
  "$modules/node_modules/.bin/openapi-typescript" "$1.json" -o client.ts
  build_ts openapi-typescript client.ts
}
use_openapi_typescript() { node out/use.js; }

install_venv() {
  [ -x "$venv/bin/ruff" ] || {
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet "openapi-python-client==$OPENAPI_PYTHON_CLIENT" 'ruff==0.17.6'
  }
}
install_openapi_python_client() { install_venv; }
make_openapi_python_client() {
  package=$(basename "$folder")
  # Where a body comes in two types it forgets an import (0.29.1).
  PATH=$venv/bin:$PATH openapi-python-client generate --path "$1-json.json" --output-path "$package" --meta none \
    --fail-on-warning
  "$venv/bin/python" "$programs/read-examples.py" . "$package" "$1.json"
}
use_openapi_python_client() {
  PYTHONPATH=. "$venv/bin/python" "$programs/openapi-python-client/use.py"
}
