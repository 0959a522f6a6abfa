#!/usr/bin/env bash
# Judges an archive by every way of examples/spark and holds the results against the run on one
# machine: the same bytes, exact counts, though a worker, and an instance of the service, are killed
# in the middle. The instances share a PostgreSQL, in which rulings are kept once each.
#
#   QILI_SPARK_GAMES  how many games (100000)
#   QILI              the command (target/release/qili, else target/debug/qili)
#   QILI_SPARK_VENV   where PySpark is, or is put (target/spark-venv)
#   QILI_SPARK_WAYS   which ways (files pipe frame udf service lines)
#   QILI_DATABASE     what the instances share (an empty PostgreSQL of its own)
set -euo pipefail
cd "$(dirname "$0")/.."
games=${QILI_SPARK_GAMES:-100000}
venv=$(realpath -m "${QILI_SPARK_VENV:-target/spark-venv}")
ways=" ${QILI_SPARK_WAYS:-files pipe frame udf service lines} "
if [[ -z ${QILI:-} ]]; then
    QILI=target/release/qili
    [[ -x $QILI ]] || QILI=target/debug/qili
fi
QILI=$(realpath "$QILI")
export QILI
scripts=examples/spark
master='local-cluster[2,1,1024]'
# Enough that a worker can be killed when some are done and some are not.
tasks=24

has() { [[ $ways == *" $1 "* ]]; }

if has service && [[ -z ${QILI_DATABASE:-} ]]; then
    # Started, and stopped at the end, around all of this.
    # shellcheck disable=SC2016
    exec tests/postgres.sh bash -c 'QILI_DATABASE=$QILI_TEST_POSTGRES tests/spark.sh'
fi

step() { printf '\n== %s (%ds)\n' "$*" "$SECONDS"; }
fail() { echo "tests/spark.sh: $*" >&2; exit 1; }

folder=$(mktemp -d)
children=()
end() {
    if ((${#children[@]})); then kill "${children[@]}" 2>/dev/null || true; fi
    rm -rf "$folder"
}
trap end EXIT
trap 'exit 1' INT TERM

package() {
    [[ $(id -u) == 0 ]] || fail "the package $1 is missing"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1" >/dev/null
}

need() {
    command -v "$1" >/dev/null && return
    package "$2"
    command -v "$1" >/dev/null || fail "$1 is missing though $2 is installed"
}

step "what it needs"
[[ -x $QILI ]] || fail "there is no $QILI: build it first"
need java openjdk-17-jre-headless
if [[ ! -x $venv/bin/spark-submit ]]; then
    need python3 python3
    if ! python3 -m venv "$venv" 2>/dev/null; then
        package python3-venv
        python3 -m venv "$venv"
    fi
    "$venv/bin/pip" install --quiet 'pyspark==4.3.0'
fi
python=$venv/bin/python
export PYSPARK_PYTHON=$python SPARK_LOCAL_IP=127.0.0.1 SPARK_LOCAL_DIRS=$folder/spark
export PYTHONDONTWRITEBYTECODE=1
# Each executor works in a folder of its own below this one.
export SPARK_WORKER_DIR=$folder/work
has service && need nginx nginx-light
has lines && need parallel parallel

step "$games games, and a few bad ones"
"$QILI" archive generate --games "$games" --seed 77 --out "$folder/games.ndjson"
printf '%s\n' '{"id": "bad-1", "kind": "game", "moves": ["h2e2", "h2e2"]}' '{"id": "bad-2", "moves": 3}' \
    >> "$folder/games.ndjson"
lines=$((games + 2))

seconds() { date +%s.%N; }
took() { awk -v from="$1" -v to="$(seconds)" 'BEGIN { printf "%.1f", to - from }'; }

step "one machine"
from=$(seconds)
"$QILI" archive judge --rows game --accept-rejected "$folder/games.ndjson" --out "$folder/expected"
echo "one machine: $(took "$from") s"
(($(wc -l < "$folder/expected") == lines)) || fail "the one machine has lost lines"

# Every process below one, the executors of Spark among them.
below() {
    local child
    for child in $(pgrep -P "$1" || true); do
        echo "$child"
        below "$child"
    done
}

# Kills one executor once some tasks of the job have been committed, and not all.
kill_one_executor() {
    local driver=$1 output=$2 done_tasks victim
    while kill -0 "$driver" 2>/dev/null; do
        done_tasks=$(find "$output/_temporary" -maxdepth 2 -name 'task_*' 2>/dev/null | wc -l)
        if ((done_tasks >= 2 && done_tasks < tasks - 2)); then
            for victim in $(below "$driver"); do
                if grep -qaz CoarseGrainedExecutorBackend "/proc/$victim/cmdline" 2>/dev/null &&
                    grep -qa '^java$' "/proc/$victim/comm"; then
                    kill -9 "$victim"
                    echo "killed executor $victim with $done_tasks of $tasks tasks done"
                    return 0
                fi
            done
        fi
        sleep 0.05
    done
    return 1
}

# Runs a script on Spark, and kills a worker in the middle.
on_spark() {
    local name=$1 output=$2 driver
    shift 2
    "$python" "$scripts/$name.py" "$@" "$output" --master "$master" --partitions "$tasks" \
        > "$folder/$name.out" 2> "$folder/$name.err" &
    driver=$!
    children+=("$driver")
    if ! kill_one_executor "$driver" "$watched"; then
        tail -30 "$folder/$name.err" >&2
        fail "$name: there was no moment to kill a worker in: take more games"
    fi
    if ! wait "$driver"; then
        tail -30 "$folder/$name.err" >&2
        fail "$name: the job failed"
    fi
    grep -qE 'Lost executor|ExecutorLostFailure|worker lost' "$folder/$name.err" ||
        fail "$name: Spark has not noticed that a worker was killed"
    cat "$folder/$name.out"
    [[ -e $watched/_SUCCESS ]] || fail "$name: the output is not whole"
}

# Holds standard input against a file: the rows of the run on one machine.
same() {
    cmp "$folder/${2:-expected}" - || fail "$1: not the bytes of the run on one machine"
    echo "$1: the same bytes"
}

if has files || has lines; then
    step "files of records: XQF, PGN, and a ZIP archive of DhtmlXQ"
    records=$folder/records
    mkdir -p "$records/inner.more" "$records/inner" "$folder/ubb"
    "$QILI" archive generate --games 300 --seed 78 --format pgn --out "$folder/games.pgn"
    "$QILI" convert --to xqf --out "$records/inner" "$folder/games.pgn"
    head -c 60000 "$folder/games.pgn" > "$records/inner.pgn"
    cp "$folder/games.pgn" "$records/inner.more/a b.txt"
    "$QILI" convert --to dhtmlxq --out "$folder/ubb/games.html" "$folder/games.pgn"
    (cd "$folder/ubb" && "${python:-python3}" -m zipfile -c "$records/z.zip" games.html)
    printf '\x89PNG\r\n\x1a\n' > "$records/picture.png"
    "$QILI" archive judge --rows game --accept-rejected "$records" --out "$folder/of-files" 2> /dev/null
    (($(wc -l < "$folder/of-files") > 900)) || fail "of the files of records too little was judged"
fi

if has files; then
    from=$(seconds)
    "$python" "$scripts/files.py" "$records" "$folder/files" --qili "$QILI" --partitions 7 \
        --master 'local[2]' 2> "$folder/files.err" || { tail -30 "$folder/files.err" >&2; fail "files: the job failed"; }
    cat "$folder"/files/part-* | same files of-files
    echo "with its start: $(took "$from") s"
fi

if has pipe; then
    step "RDD.pipe, a worker killed"
    from=$(seconds)
    watched=$folder/pipe
    on_spark pipe "$folder/pipe" "$folder/games.ndjson" --qili "$QILI"
    echo "with its start: $(took "$from") s"
    cat "$folder"/pipe/part-* | same pipe
fi

if has frame; then
    step "DataFrame, Parquet in and out, a worker killed"
    "$python" - "$folder/games.ndjson" "$folder/games.parquet" 2>/dev/null <<'PYTHON'
import sys
from pyspark.sql import SparkSession, functions as F
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
games = spark.read.schema("id string, fen string, moves array<string>").json(sys.argv[1])
games = games.where("moves is not null")
games.select("id", "fen", F.concat_ws(" ", "moves").alias("moves")).coalesce(1).write.parquet(sys.argv[2])
PYTHON
    watched=$folder/frame.lines
    on_spark frame "$folder/frame" "$folder/games.parquet" --qili "$QILI"
    "$python" - "$folder/frame" "$folder/expected" 2>/dev/null <<'PYTHON'
import json, sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
names = ["id", "ply", "start_ply", "period", "fen", "moves", "natures", "red_pattern", "outcome", "side",
         "clauses", "digest", "spent", "error_code"]
found = sorted(json.dumps([row[n] for n in names]) for row in spark.read.parquet(sys.argv[1]).collect())
expected = []
for line in open(sys.argv[2]):
    game = json.loads(line)
    if "error" in game and game["error"]["code"] != "request_shape":
        expected.append([game["id"]] + [None] * 12 + [game["error"]["code"]])
    for row in game.get("pending", []):
        cycle, verdict = row["cycle"], row["verdict"]
        expected.append([game["id"], row["ply"], cycle["start_ply"], cycle["period"], row["fen"], row["moves"],
            row["natures"], row["sides"]["red"]["pattern"], verdict["outcome"], verdict["side"],
            verdict["clauses"], row["rules"]["digest"], row["spent"], None])
expected = sorted(json.dumps(row) for row in expected)
print(f"frame: {len(found)} rows")
if found != expected:
    sys.exit(f"frame: {len(set(found) ^ set(expected))} rows differ of {len(expected)}")
PYTHON
fi

if has udf; then
    step "a pandas UDF on the wheel, a worker killed"
    wheels=(bindings/python/dist/qili-*.whl)
    if [[ ! -e ${wheels[0]} ]]; then
        bindings/python/run build
        wheels=(bindings/python/dist/qili-*.whl)
    fi
    "$venv/bin/pip" install --quiet --disable-pip-version-check 'pandas>=2.2' 'pyarrow>=18'
    "$venv/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps "${wheels[0]}"
    "$QILI" judge --format ndjson "$folder/games.ndjson" > "$folder/by-command" || true
    from=$(seconds)
    watched=$folder/udf
    on_spark udf "$folder/udf" "$folder/games.ndjson"
    echo "with its start: $(took "$from") s"
    cat "$folder"/udf/part-* | same udf by-command
fi

# Runs a job that asks the service, and kills an instance besides a worker in the middle.
on_service() {
    local input=$1 output=$2 killer
    shift 2
    watched=$output
    (
        # As soon as some tasks are done.
        while kill -0 "$served"; do
            if (($(find "$watched/_temporary" -maxdepth 2 -name 'task_*' 2>/dev/null | wc -l) >= 1)); then
                victim=$(pgrep -P "$served" -f -- --bind | head -1)
                kill -9 "$victim" && echo "killed instance $victim"
                exit
            fi
            sleep 0.05
        done
        exit 1
    ) > "$folder/instance" &
    killer=$!
    on_spark service "$output" "$input" "$@"
    wait "$killer" || fail "no instance was killed"
    cat "$folder/instance"
}

if has service; then
    step "the service, three instances on one PostgreSQL, a worker and an instance killed"
    export QILI_PORT=${QILI_PORT:-18490}
    url=http://127.0.0.1:$QILI_PORT
    "$scripts/serve.sh" 3 --database "$QILI_DATABASE" 2> "$folder/serve.err" &
    served=$!
    children+=("$served")
    for ((i = 0; i < 1200; i++)); do
        "$python" -c "import urllib.request as r; r.urlopen('$url/healthz')" 2>/dev/null && break
        sleep 0.1
    done
    "$QILI" judge --format ndjson "$folder/games.ndjson" > "$folder/rulings" || true
    on_service "$folder/games.ndjson" "$folder/service" --url "$url"
    # A bad line is told with its number in its batch over HTTP, and without one by the command.
    told() { "$python" -c '
import json, sys
for line in sys.stdin:
    ruling = json.loads(line)
    if "error" in ruling:
        ruling = {"id": ruling["id"], "code": ruling["error"]["code"]}
        line = json.dumps(ruling) + "\n"
    sys.stdout.write(line)'; }
    cat "$folder"/service/part-* | told > "$folder/answered"
    told < "$folder/rulings" | cmp - "$folder/answered" || fail "service: not the rulings of the command"
    echo "service: the same bytes"

    step "rulings kept in it, a worker and another instance killed"
    kept=$((games / 10))
    head -n "$kept" "$folder/games.ndjson" > "$folder/kept.ndjson"
    on_service "$folder/kept.ndjson" "$folder/kept" --url "$url" --record
    head -n "$kept" "$folder/rulings" | cmp - <(cat "$folder"/kept/part-*) ||
        fail "service: what was answered when it was kept is not the ruling of the command"
    "$QILI" --lang en log --database "$QILI_DATABASE" replay --all 2>&1 | tee "$folder/replay"
    grep -q "\b$kept ruled again, 0 changed" "$folder/replay" || fail "service: not $kept rulings are kept"
    kill "$served"
    wait "$served" || true
fi

if has lines; then
    step "GNU parallel"
    from=$(seconds)
    QILI_BLOCK=4M "$scripts/parallel.sh" "$folder/games.ndjson" 2> "$folder/parallel.err" | same parallel
    echo "parallel: $(took "$from") s"
    QILI_FILES=7 "$scripts/files.sh" "$records" 2> "$folder/parallel.err" | same "parallel, files of records" of-files
    step "xargs"
    from=$(seconds)
    "$scripts/xargs.sh" "$folder/games.ndjson" 2 | same xargs
    echo "xargs: $(took "$from") s"
fi

step "passed"
