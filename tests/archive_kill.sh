#!/usr/bin/env bash
# Kills `qili archive judge` and `qili archive compare` on their way through an archive, goes on with
# them, and holds what they come to against uninterrupted runs: the same bytes, the same counts.
#
#   tests/archive_kill.sh [GAMES [KILLS]]      (1000000 6)
#
#   QILI  the command (target/release/qili)
set -euo pipefail
cd "$(dirname "$0")/.."
games=${1:-1000000}
kills=${2:-6}
qili=$(realpath "${QILI:-target/release/qili}")
amendment=$PWD/src/rules/amendments/kills-permitted.toml
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
fail() { echo "tests/archive_kill.sh: $*" >&2; exit 1; }

# How many games a checkpoint speaks of.
records() { grep -o '"records":[0-9]*' "$1" 2>/dev/null | head -1 | cut -d: -f2; }

# Runs a command that keeps a checkpoint, and kills it each time its checkpoint has gone further.
killed() {
    local kept=$1 killed=0 before child
    shift
    while ((killed < kills)); do
        before=$(records "$kept" || true)
        "$@" 2>/dev/null &
        child=$!
        while kill -0 "$child" 2>/dev/null &&
            (($(records "$kept" || echo 0) < ${before:-0} + games / (kills + 2))); do
            sleep 0.02
        done
        kill -9 "$child" 2>/dev/null || fail "there was no moment to kill it in: take more games"
        wait "$child" 2>/dev/null || true
        killed=$((killed + 1))
        echo "kill $killed: $(records "$kept") of $games games were done"
    done
    "$@" 2>/dev/null
}

"$qili" archive generate --games "$games" --seed 1 --out games.ndjson.zst
every=$((games / 50 + 1))

judge=("$qili" archive judge games.ndjson.zst)
"${judge[@]}" --out whole --summary whole.json 2>/dev/null
killed kept "${judge[@]}" --out parts --summary parts.json --checkpoint kept --checkpoint-games "$every"
cmp whole parts || fail "not the rows of the run that was left alone"
# Where the time went stands behind the counts.
counts() { sed '/"run":/,$d' "$1"; }
cmp <(counts whole.json) <(counts parts.json) || fail "not its counts"
echo "judge: the same $(wc -l < whole) rows, $(wc -c < whole) bytes"

compare=("$qili" archive compare games.ndjson.zst --base cxa-1999 --amendment "$amendment" --format json)
"${compare[@]}" --out whole.report 2>/dev/null
killed compared "${compare[@]}" --out parts.report --checkpoint compared --checkpoint-games "$every"
cmp whole.report parts.report || fail "not the report of the run that was left alone"
echo "compare: the same report"
