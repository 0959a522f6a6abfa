#!/bin/sh
# Measures the service with wrk (apt-get install wrk), the generator on the same machine.
#
#   cargo build --release && benches/load.sh [SECONDS] [RUNS]
#
# Rates are medians of RUNS runs, taken in turn so that what else the machine does hits all alike.
# `empty` is an empty JSON handler behind the same middleware, log and metrics on; `bare` the same
# handler on a server with nothing around it; `batch-echo` a batch whose lines are only read as JSON and
# written. Uncached rulings are those of a service that remembers none.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-4} runs=${2:-5} connections=${CONNECTIONS:-64}
qili=${QILI:-target/release/qili}
port=${PORT:-18200}
url=http://127.0.0.1:$port
work=$(mktemp -d)
forgetful=http://127.0.0.1:$((port + 10))
"$qili" serve --bind 127.0.0.1:$port --yardsticks --database none ${FLAGS:-} 2>"$work/log" &
service=$!
"$qili" serve --bind 127.0.0.1:$((port + 10)) --cache 0 --database none ${FLAGS:-} 2>"$work/log2" &
other=$!
trap 'exit 1' INT TERM
trap 'kill $service $other 2>/dev/null; wait $service $other 2>/dev/null; rm -rf "$work"' EXIT
until curl -sf "$url/healthz" "$forgetful/healthz" >/dev/null; do sleep 0.1; done

fen='2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w'
moves='["f0e0","e8f8","e0f0","f8e8"]'
for rules in cxa-1999 wxf; do
    for explain in none notes; do
        echo "{\"id\":\"my-17\",\"rules\":\"$rules\",\"fen\":\"$fen\",\"moves\":$moves,\"explain\":\"$explain\"}" >"$work/$rules-$explain.json"
    done
done

# A script for wrk: what to send.
script() { # name body
    cat >"$work/$1.lua" <<LUA
wrk.method = "POST"
wrk.body = io.open("$2"):read("*a")
function done(summary, latency)
    io.write(string.format("RESULT %.0f %.0f %.0f %.1f %d\n", summary.requests / summary.duration * 1e6,
        latency:percentile(50), latency:percentile(99), summary.bytes / summary.duration,
        summary.errors.status + summary.errors.timeout + summary.errors.connect))
end
LUA
}
for rules in cxa-1999 wxf; do
    for explain in none notes; do script "$rules-$explain" "$work/$rules-$explain.json"; done
done

# The yardsticks are asked for without a body: a handler that leaves one unread is slowed by it.
script empty "$work/wxf-none.json"
sed -i '/^wrk.method/d; /^wrk.body/d' "$work/empty.lua"

one() { # name url script
    wrk -t1 -c"$connections" -d"${seconds}s" -s "$work/$3.lua" "$2" | sed -n "s/^RESULT/$1/p" >>"$work/results"
}
batch() { # name url file
    start=$(date +%s.%N)
    curl -sf -T "$3" -X POST -H 'Expect:' "$2" -o "$work/out"
    end=$(date +%s.%N)
    lines=$(wc -l <"$3") size=$(wc -c <"$work/out")
    [ "$lines" = "$(wc -l <"$work/out")" ] || echo "$1: lines lost" >&2
    echo "$1 $lines $size $start $end" | awk '{t=$5-$4; printf "%s %.0f 0 0 %.1f 0\n", $1, $2/t, $3/t/1e6}' >>"$work/results"
}
lines=${LINES_OF_BATCH:-200000}
# Each line has an id of its own.
many() { awk -v n="$2" '{ for (i = 1; i <= n; i++) { line = $0; sub("my-17", "my-" i, line); print line } }' "$1"; }
many "$work/wxf-none.json" "$lines" >"$work/same.ndjson"
many "$work/cxa-1999-none.json" "$lines" >"$work/cxa.ndjson"
many "$work/cxa-1999-notes.json" "$((lines / 10))" >"$work/notes.ndjson"
: >"$work/results"
for run in $(seq "$runs"); do
    one bare "http://127.0.0.1:$((port + 1))/" empty
    one empty "$url/yardstick" empty
    one cached-wxf "$url/v1/rulings" wxf-none
    one cached-cxa "$url/v1/rulings" cxa-1999-none
    one uncached-wxf "$forgetful/v1/rulings" wxf-none
    one uncached-cxa "$forgetful/v1/rulings" cxa-1999-none
    one cached-cxa-notes "$url/v1/rulings" cxa-1999-notes
    one uncached-cxa-notes "$forgetful/v1/rulings" cxa-1999-notes
    batch batch-echo "$url/yardstick:batch" "$work/same.ndjson"
    batch batch-cached-wxf "$url/v1/rulings:batch" "$work/same.ndjson"
    batch batch-uncached-wxf "$forgetful/v1/rulings:batch" "$work/same.ndjson"
    batch batch-uncached-cxa "$forgetful/v1/rulings:batch" "$work/cxa.ndjson"
    batch batch-uncached-cxa-notes "$forgetful/v1/rulings:batch" "$work/notes.ndjson"
done
awk '
    function median(list, n,   i, j, t, a) {
        split(list, a, " "); n = length(a)
        for (i = 1; i <= n; i++) for (j = i + 1; j <= n; j++) if (a[j] + 0 < a[i] + 0) { t = a[i]; a[i] = a[j]; a[j] = t }
        return a[int((n + 1) / 2)]
    }
    { if (!($1 in seen)) { seen[$1]; order[++names] = $1 }
      r[$1] = r[$1] " " $2; m[$1] = m[$1] " " $3; p[$1] = p[$1] " " $4; b[$1] = b[$1] " " $5; e[$1] += $6 }
    END {
        printf "| what | per second | of its yardstick | p50 µs | p99 µs | p99 / its yardstick | MB/s | errors |\n|---|---|---|---|---|---|---|---|\n"
        slowest = median(p["empty"])
        for (i = 1; i <= names; i++) { k = order[i]; rate = median(r[k])
            base = median(r[k ~ /^batch/ ? "batch-echo" : "empty"])
            late = k ~ /^batch/ ? "" : sprintf("%.1f", median(p[k]) / slowest)
            printf "| %s | %d | %.0f %% | %s | %s | %s | %s | %d |\n", k, rate, 100 * rate / base, median(m[k]), median(p[k]), late, median(b[k]), e[k] }
    }' "$work/results"
grep VmHWM /proc/$service/status
