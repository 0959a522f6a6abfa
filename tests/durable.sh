#!/usr/bin/env bash
# Shows that what a group of rulings wrote is on the disk before any of its answers leaves: strace
# watches one service on SQLite and tells, in order, each write to the log of the database, each
# fsync or fdatasync of it, and each answer with a number.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v strace >/dev/null || { apt-get update -qq; apt-get install -y -qq --no-install-recommends strace; }
qili=${QILI:-target/release/qili}
[[ -x $qili ]] || cargo build --locked --release
port=${PORT:-18295}
work=$(mktemp -d)
trap 'kill $(ps -o pid= --ppid "$pid") 2>/dev/null || true; rm -rf "$work"' EXIT
strace -f -qq -y -s 16384 -e trace=write,pwrite64,writev,sendto,sendmsg,fsync,fdatasync -o "$work/trace" \
    "$qili" serve --bind 127.0.0.1:$port --database "sqlite:$work/qili.db" --log off &
pid=$!
for _ in $(seq 200); do curl -sf "127.0.0.1:$port/readyz" >/dev/null && break; sleep 0.05; done
body='{"fen":"2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w","moves":["f0e0","e8f8","e0f0","f8e8"],"explain":"none","record":true}'
seq "${REQUESTS:-400}" | xargs -P 16 -I{} curl -sf -o /dev/null "127.0.0.1:$port/v1/rulings" -d "$body"
# The service is what strace runs.
kill -TERM $(ps -o pid= --ppid "$pid")
wait "$pid" || true
python3 - "$work/trace" <<'P'
import re, sys

# What was written to the log, in order; how much of it was there when a sync began; how much of
# it is on the disk since one returned.
written, length, begun, on_disk = [], 0, {}, 0
answers = syncs = early = 0
for line in open(sys.argv[1], errors="replace"):
    thread, rest = line.split(None, 1)
    if "qili.db-wal" in rest and re.match(r"(pwrite64|write)\(", rest):
        written.append(rest)
    elif re.match(r"f(data)?sync\(", rest) and "qili.db-wal" in rest:
        begun[thread] = len(written)
    if thread in begun and re.search(r"sync.*= 0$", rest.rstrip()):
        on_disk = max(on_disk, begun.pop(thread))
        syncs += 1
    number = re.search(r"qili-ruling-number: (\w+)", rest, re.I)
    if number and re.match(r"(write|writev|sendto|sendmsg)\(", rest):
        answers += 1
        early += not any(number.group(1) in text for text in reversed(written[:on_disk]))
groups = syncs
print(f"{answers} answers, {groups} syncs of the log, {early} answers before their ruling was on the disk")
sys.exit(0 if answers and not early else 1)
P
