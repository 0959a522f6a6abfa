#!/usr/bin/env bash
# Kills under load on both stores: tests/crash.sh [KILLS]
set -euo pipefail
cd "$(dirname "$0")/.."
kills=${1:-100}
command -v python3 >/dev/null || { echo "python3 is missing" >&2; exit 1; }
qili=${QILI:-target/release/qili}
[[ -x $qili ]] || cargo build --locked --release
if [[ ${2:-} == on-postgres ]]; then
    base=${QILI_TEST_POSTGRES%/*}
    "$QILI_PG_BIN/psql" -q "$QILI_TEST_POSTGRES" -c "CREATE DATABASE qili_crash"
    tests/crash.py --kills "$kills" --url "$base/qili_crash" "$qili"
else
    tests/crash.py --kills "$kills" "$qili"
    tests/postgres.sh tests/crash.sh "$kills" on-postgres
fi
