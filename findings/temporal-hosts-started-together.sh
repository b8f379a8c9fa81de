#!/usr/bin/env bash
# Believed: hosts of a Temporal cluster can be started at the same time once its database has its first row: they only
#   read what the cluster is.
# So it is: with the configuration that is built into the server, each host takes its own
#   TEMPORAL_BROADCAST_ADDRESS for the address of the cluster, and writes it into the one row that all share. Of several
#   processes on different hosts that start together, those whose row has changed meanwhile end with exit code 1 (SaveClusterMetadata
#   encountered version mismatch). CLUSTER_RPC_ADDRESS and CLUSTER_HTTP_ADDRESS, set alike on all, end that.
# Where it bites: a rack that gets its power back, a deployment that starts all pods: some services are not there until
#   something starts them again; with a plain unit file without Restart= they stay away.
# Versions: go.temporal.io/server 1.32.1 (Go 1.26.8), PostgreSQL 15 (Debian 12).
# Output seen:
#   own1: 1 of 7 ended; 1 logs say version mismatch
#   alike: 0 of 7 ended; 0 logs say version mismatch
# Needs root with the user postgres, PostgreSQL's programs, and Go, or SERVER_BIN: a folder with the programs server and sql.
set -euo pipefail
dir=$(mktemp -d); chmod 755 "$dir"
pids=()
trap 'kill -9 "${pids[@]}" 2>/dev/null || true; sleep 1; rm -rf "$dir"' EXIT
bin=${SERVER_BIN:-$dir/bin}
[ -x "$bin/server" ] || GOBIN=$bin GOFLAGS= go install go.temporal.io/server/cmd/server@v1.32.1 go.temporal.io/server/cmd/tools/sql@v1.32.1
pg=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
port=$((20000 + RANDOM % 9000)); net=127.77.$((RANDOM % 250))
mkdir "$dir/pg"; chown postgres "$dir/pg"
as() { setpriv --reuid postgres --regid postgres --init-groups "$@"; }
as "$pg/initdb" -D "$dir/pg/data" -U postgres --auth=trust >/dev/null
setpriv --reuid postgres --regid postgres --init-groups "$pg/postgres" -D "$dir/pg/data" -c port=$port -c listen_addresses=127.0.0.1 -c max_connections=300 -c unix_socket_directories="$dir/pg" >"$dir/pg.log" 2>&1 &
pids+=($!); disown
until "$pg/pg_isready" -q -h 127.0.0.1 -p $port; do sleep 0.2; done
: > "$dir/dynamic.yaml"

start() { # name, host, service, further settings
  env DB=postgres12 POSTGRES_SEEDS=127.0.0.1 DB_PORT=$port POSTGRES_USER=postgres DBNAME="t$1" VISIBILITY_DBNAME="v$1" \
    BIND_ON_IP="$2" TEMPORAL_BROADCAST_ADDRESS="$2" PUBLIC_FRONTEND_ADDRESS="$2:7233" LOG_LEVEL=error \
    DYNAMIC_CONFIG_FILE_PATH="$dir/dynamic.yaml" ${4:-} ${5:-} \
    "$bin/server" --allow-no-auth start --service "$3" >"$dir/$1-$2-$3.log" 2>&1 &
  pids+=($!); started+=($!)
  disown
}

try() { # name, further settings
  local started=()
  for each in "t$1 temporal" "v$1 visibility"; do
    read -r db schema <<<"$each"
    at=(--plugin postgres12 --ep 127.0.0.1 -p $port -u postgres --db "$db")
    "$bin/sql" "${at[@]}" create >/dev/null 2>&1
    "$bin/sql" "${at[@]}" setup-schema -v 0.0 >/dev/null 2>&1
    "$bin/sql" "${at[@]}" update-schema --schema-name "postgresql/v12/$schema" >/dev/null 2>&1
  done
  start "$1" "$net.1" history "${@:2}"
  until (exec 3<>"/dev/tcp/$net.1/7234") 2>/dev/null; do sleep 0.2; done
  for host in 2 3 4; do for service in history matching; do start "$1" "$net.$host" $service "${@:2}"; done; done
  sleep "${WAIT:-25}"
  local ended=0
  for pid in "${started[@]}"; do kill -0 "$pid" 2>/dev/null || ended=$((ended + 1)); done
  echo "$1: $ended of ${#started[@]} ended; $(grep -hc 'encountered version mismatch' "$dir/$1"-*.log | awk '$1 > 0' | wc -l) logs say version mismatch"
  kill -9 "${started[@]}" 2>/dev/null || true
  eval "ended_$1=$ended"
}
# It is a race: on a busy machine a try may pass without a loser.
for n in 1 2 3; do try "own$n"; ended_own=$((ended_own$n)); [ "$ended_own" -eq 0 ] || break; done
try alike "CLUSTER_RPC_ADDRESS=cluster:7233" "CLUSTER_HTTP_ADDRESS=cluster:7243"
[ "$ended_own" -gt 0 ] && [ "$ended_alike" -eq 0 ] && echo "as said above"
