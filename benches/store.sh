#!/usr/bin/env bash
# Rulings that are kept, against a bare upsert and select through the same pool with the same
# durability, in the same run: benches/store.sh [URL]. Needs wrk. The lines of a batch that are kept are
# sent on one connection, beside as many that are not.
set -euo pipefail
cd "$(dirname "$0")/.."
qili=${QILI:-target/release/qili}
port=${PORT:-18280}
work=$(mktemp -d)
trap 'kill "$pid" 2>/dev/null || true; wait "$pid" 2>/dev/null || true; rm -rf "$work"' EXIT
url=${1:-sqlite:$work/qili.db}
"$qili" serve --bind 127.0.0.1:$port --database "$url" --yardsticks --log warn &
pid=$!
for _ in $(seq 200); do curl -sf "127.0.0.1:$port/readyz" >/dev/null && break; sleep 0.05; done
cat >"$work/record.lua" <<'L'
wrk.method = "POST"
wrk.body = '{"fen":"2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w","moves":["f0e0","e8f8","e0f0","f8e8"],"rules":"wxf","explain":"none","record":true}'
function response(status) if status ~= 200 then bad = (bad or 0) + 1 end end
L
sed 's/^wrk.body.*$/wrk.body = "{}"/' "$work/record.lua" >"$work/upsert.lua"
rate() { wrk -t1 -c16 -d"${SECONDS_EACH:-5}s" -s "$1" "$2" | awk '/Requests\/sec/ {print int($2)} /Non-2xx/ {print "bad answers" > "/dev/stderr"}'; }
lines=${LINES_OF_BATCH:-20000}
body='{"fen":"2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w","moves":["f0e0","e8f8","e0f0","f8e8"],"rules":"wxf","explain":"none","id":'
seq "$lines" | awk -v body="$body" '{print body $1 ",\"record\":true}"}' >"$work/kept.ndjson"
seq "$lines" | awk -v body="$body" '{print body $1 "}"}' >"$work/plain.ndjson"
batch() { # file, what each line has
    start=$(date +%s.%N)
    curl -sf -T "$1" -X POST -H 'Expect:' "http://127.0.0.1:$port/v1/rulings:batch" -o "$work/out"
    end=$(date +%s.%N)
    [[ $(grep -c "$2" "$work/out") == "$lines" ]] || echo "bad lines" >&2
    awk -v n="$lines" -v s="$start" -v e="$end" 'BEGIN {print int(n / (e - s))}'
}
for round in 1 2 3; do
    bare=$(rate "$work/upsert.lua" "http://127.0.0.1:$port/yardstick:upsert")
    kept=$(rate "$work/record.lua" "http://127.0.0.1:$port/v1/rulings")
    echo "round $round: upsert and select $bare a second, rulings kept $kept, $((kept * 100 / bare)) %; \
lines of a batch kept $(batch "$work/kept.ndjson" '"number"') a second, not kept $(batch "$work/plain.ndjson" '"verdict"')"
done
curl -s "127.0.0.1:$port/metrics" | grep '^qili_store' || true
