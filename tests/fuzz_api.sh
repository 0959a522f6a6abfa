#!/usr/bin/env bash
# Asks the running service whatever its committed description allows and forbids: no 5xx, and no
# answer that is not described. The service keeps what it is given, and asks for keys.
#
#   cargo build && tests/fuzz_api.sh [SECONDS]
#
# SECONDS bound the search of each run; SEED makes it the same again. The fuzzer comes from PyPI into
# an environment of its own below target/.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
qili=${QILI:-target/debug/qili}
port=${PORT:-18300}
folder=target/fuzz-api
mkdir -p "$folder"
if [[ ! -x $folder/venv/bin/schemathesis ]]; then
    python3 -m venv "$folder/venv"
    "$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'schemathesis==4.32.*'
fi

export QILI_DATABASE=sqlite:$PWD/$folder/qili.db
rm -f "$folder"/qili.db*
key=$("$qili" keys add fuzzer --scopes judge,write,admin)
"$qili" serve --bind "127.0.0.1:$port" --body-wait-ms 2000 2>"$folder/log" &
service=$!
trap 'kill $service 2>/dev/null || true; wait $service 2>/dev/null || true' EXIT
until curl -sf "http://127.0.0.1:$port/healthz" >/dev/null; do
    kill -0 $service || { cat "$folder/log" >&2; exit 1; }
    sleep 0.1
done

# Requests that keep to the schema may still make no sense on the board: they are not expected to be
# taken, only to be answered as described.
SCHEMATHESIS_HOOKS=tests/fuzz_api.py "$folder/venv/bin/schemathesis" \
    --config-file tests/fuzz_api.toml run openapi/openapi.yaml \
    --url "http://127.0.0.1:$port" --header "Authorization: Bearer $key" \
    --max-time "$seconds" --continue-on-failure --request-timeout 30 --no-color \
    --exclude-checks positive_data_acceptance \
    --suppress-health-check all --warnings off ${SEED:+--seed "$SEED"}
kill -0 $service || { tail "$folder/log" >&2; echo "the service has died" >&2; exit 1; }
answers=$(grep -c '"qili::access"' "$folder/log" || true)
broken=$(grep -c '"status":5' "$folder/log" || true)
echo "$answers requests answered, $broken of them with 5xx"
[[ $broken == 0 ]]
