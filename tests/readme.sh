#!/usr/bin/env bash
# Tries what the README and the pages for operators show: each block marked `sh`, as it stands, in a folder that
# has the files they speak of. The README's first block is what the gate runs by itself; `cargo` is passed over.
#
#   QILI=target/release/qili tests/readme.sh [FILE.md…]
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD
pages=("$@")
((${#pages[@]})) || pages=(README.md docs/operating.md)
qili=$(realpath "${QILI:-target/release/qili}")
for program in curl python3; do
    command -v "$program" >/dev/null || { echo "$program is missing" >&2; exit 1; }
done
work=$(mktemp -d)
finish() {
    for pid in "$work"/*.pid; do [[ ! -s $pid ]] || kill "$(<"$pid")" 2>/dev/null || true; done
    rm -rf "$work"
}
trap finish EXIT

port=$((20000 + RANDOM % 9000))
mkdir "$work/bin" "$work/home" "$work/files"
# A service goes on while the next lines are run.
cat >"$work/bin/qili" <<EOF
#!/usr/bin/env bash
if [[ \$1 == serve && " \$* " != *" --print-config "* ]]; then
    "$qili" "\$@" >/dev/null 2>"$work/serve.log" &
    echo \$! >"$work/serve.pid"
    for _ in \$(seq 600); do "$qili" health --bind 127.0.0.1:$port >/dev/null 2>&1 && exit 0; sleep 0.1; done
    cat "$work/serve.log" >&2
    exit 1
fi
exec "$qili" "\$@"
EOF
chmod +x "$work/bin/qili"
export PATH=$work/bin:$PATH HOME=$work/home LANG=C.UTF-8 XDG_DATA_HOME= QILI_BIND=127.0.0.1:$port

cd "$work/files"
ln -s "$here/cases" "$here/src" .
cat >game.pgn <<'EOF'
[Event "League"]
[Red "甲"]
[Black "乙"]
[Result "1/2-1/2"]

1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 马2进3 4. 兵七进一 卒7进1 1/2-1/2
EOF
# What a file is, is told by what is in it, whatever its name says.
cp game.pgn games.cbl
cp game.pgn game.xqf
mkdir leagues
cp game.pgn leagues/first.pgn
python3 -c 'import zipfile; zipfile.ZipFile("records.zip", "w").write("game.pgn")'
sed -n '/^```json$/,/^```$/{/^```/!p}' "$here/README.md" | grep '^{"id"' >requests.ndjson
[[ -s requests.ndjson ]]

count=0
for page in "${pages[@]}"; do
    # Each page begins on a machine that has nothing yet.
    rm -rf "$work/home"
    mkdir "$work/home"
    # Whoever operates a service has one, put up by the package.
    grep -q '^ *qili serve --bind' "$here/$page" || qili serve --bind "127.0.0.1:$port"
    awk -v work="$work" '/^ *```sh$/ {n++; open = 1; next} /^ *```$/ {open = 0} open {print > sprintf("%s/block-%02d", work, n)}' "$here/$page"
    for block in "$work"/block-*; do
        if grep -q '^ *cargo ' "$block"; then
            rm "$block"
            continue
        fi
        sed -i "s/127\.0\.0\.1:8080/127.0.0.1:$port/g" "$block"
        if ! bash -euxo pipefail "$block" >"$work/out" 2>"$work/err"; then
            echo "$page: this fails:" >&2
            cat "$block" "$work/err" >&2
            exit 1
        fi
        count=$((count + $(grep -c '^ *[a-z]' "$block")))
        rm "$block"
    done
    # It answers for a while yet, so that nobody is cut off; the next page wants its port.
    if [[ -s $work/serve.pid ]]; then
        kill "$(<"$work/serve.pid")"
        for ((waited = 0; waited < 300; waited++)); do
            kill -0 "$(<"$work/serve.pid")" 2>/dev/null || break
            sleep 0.1
        done
        rm "$work/serve.pid"
    fi
done
((count > 10)) || { echo "only $count commands were found" >&2; exit 1; }
echo "$count commands of ${pages[*]} do what they say"
