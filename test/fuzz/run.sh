#!/bin/sh
# Fuzzes the running system of npm start with Schemathesis: sh test/fuzz/run.sh [v2|v1] [seconds] [seed]
# Needs Python 3.10 or later. Start the system with the limits raised, as CONTRIBUTING.md says.
set -eu
cd "$(dirname "$0")/../.."
api=${1:-v2}
seconds=${2:-300}
seed=${3:-2}
project=$PWD
venv=$project/.dev/schemathesis
reports=$project/.dev/fuzz/$api

demo() { node -p "JSON.parse(require('node:fs').readFileSync('.dev/demo.json', 'utf8')).$1"; }

if [ ! -x "$venv/bin/schemathesis" ]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet 'schemathesis==4.*'
fi
python3 test/fuzz/receiver.py &
receiver=$!
trap 'kill $receiver' EXIT
rm -rf "$reports"
mkdir -p "$reports"

base=$(demo base_url)/api
if [ "$api" = v2 ]; then base=$base/v2; fi
curl -sf "$base/openapi.json" > "$reports/published.json"
python3 test/fuzz/narrow.py "$api" .dev/demo.json < "$reports/published.json" > "$reports/narrowed.json"

# Its own phases one after another: a run ends as a whole when its time is over. A failure does not end the others.
fuzz() {
  name=$1
  shift
  if [ "$api" = v2 ]; then
    set -- -H "X-Client-Id: $(demo client_id)" -H "X-Client-Secret: $(demo client_secret)" "$@"
  else
    set -- -H "X-App-Secret: $(demo app_secret)" -H "Authorization: Bearer $(demo recipient_token)" \
      -H 'Accept: application/json' "$@"
  fi
  # It leaves files of its own where it runs.
  cd "$reports"
  SCHEMATHESIS_HOOKS=hooks PYTHONPATH=$project/test/fuzz "$venv/bin/schemathesis" run -u "$base" -w 1 -c all -m all \
    --continue-on-failure --generation-database none --report ndjson --report-dir "$reports/$name" "$@" \
    > "$reports/$name.log" 2>&1 || true
  cd "$project"
}

fuzz narrowed-coverage "$reports/narrowed.json" --phases examples,coverage --seed "$seed" --max-time "$seconds"
fuzz narrowed-fuzzing "$reports/narrowed.json" --phases fuzzing --seed "$((seed + 1))" --max-time "$seconds"
fuzz narrowed-stateful "$reports/narrowed.json" --phases stateful --seed "$((seed + 2))" --max-time "$((seconds / 2))"
fuzz published "$reports/published.json" --phases examples,coverage --seed "$((seed + 3))" --max-time "$((seconds / 2))"

find "$reports" -name '*.ndjson' -exec python3 test/fuzz/summary.py {} +
