#!/usr/bin/env bash
# The tests of the store on PostgreSQL: a server of their own, installed from packages where it is
# missing, started on a free port, and stopped at the end. Nothing is passed over: what cannot be
# installed or started fails.
#
#   tests/postgres.sh                   runs the tests, and those of the spans, which are built with it
#   tests/postgres.sh COMMAND…          runs a command with QILI_TEST_POSTGRES set, and QILI_PG_… for
#                                       whoever kills the server and starts it anew
set -euo pipefail
cd "$(dirname "$0")/.."

programs() { ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1; }

if [[ -z $(programs) ]]; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql
fi
bin=$(programs)
[[ -x $bin/initdb ]] || { echo "there is no PostgreSQL, and none could be installed" >&2; exit 1; }

folder=$(mktemp -d "/tmp/qili-pg-XXXXXX")
# The server refuses to run as root.
as=()
if [[ $(id -u) == 0 ]]; then
    chown postgres "$folder"
    as=(setpriv --reuid=postgres --regid=postgres --clear-groups)
fi
stop() {
    "${as[@]}" "$bin/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true
    rm -rf "$folder"
}
trap stop EXIT
here=$PWD
cd "$folder"
"${as[@]}" "$bin/initdb" -D "$folder/data" -A trust -U qili --no-instructions >/dev/null
# A port may be taken. It is below those the system gives to callers: none of them may have it while
# the server is down.
for attempt in 1 2 3 4 5; do
    port=$((10000 + RANDOM % 22000))
    options="-p $port -k $folder -c listen_addresses=127.0.0.1"
    if "${as[@]}" "$bin/pg_ctl" -D "$folder/data" -w -t 120 -l "$folder/log" -o "$options" start >/dev/null; then
        break
    fi
    cat "$folder/log" >&2
    ((attempt < 5)) || exit 1
done
cd "$here"
export QILI_TEST_POSTGRES="postgres://qili@127.0.0.1:$port/postgres"
export QILI_PG_BIN=$bin QILI_PG_DATA=$folder/data
export QILI_PG_OPTIONS=$options
if (($#)); then
    "$@"
else
    cargo test --locked --features postgres,otlp --test store
fi
