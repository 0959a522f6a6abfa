#!/usr/bin/env bash
# Kills under load on both stores, of the service and of PostgreSQL: tests/crash.sh [KILLS]. Each store
# is then made to forget Idempotency-Keys, which must be seen.
set -euo pipefail
cd "$(dirname "$0")/.."
kills=${1:-100}
command -v python3 >/dev/null || { echo "python3 is missing" >&2; exit 1; }
qili=${QILI:-target/release/qili}
[[ -x $qili ]] || cargo build --locked --release
# However slow the machine, it ends.
crash() { timeout --kill-after=10 $((600 + kills * 30)) tests/crash.py "$@" "$qili"; }
if [[ ${2:-} == on-postgres ]]; then
    base=${QILI_TEST_POSTGRES%/*}
    for name in qili_crash qili_forgets; do
        "$QILI_PG_BIN/psql" -q "$QILI_TEST_POSTGRES" -c "CREATE DATABASE $name"
    done
    crash --kills "$kills" --url "$base/qili_crash"
    crash --kills 2 --forgetful --url "$base/qili_forgets"
else
    crash --kills "$kills"
    crash --kills 2 --forgetful
    tests/postgres.sh tests/crash.sh "$kills" on-postgres
fi
