#!/usr/bin/env bash
# A disk that is full: what asked to be recorded is answered with 503, everything else goes on, and
# once there is room again it is recorded as before, by the same process; nothing acknowledged is lost.
#
# The disk is a small tmpfs, mounted as root or in a namespace of one's own. Where neither is allowed
# a limit on the size of files stands in for it, and that is said.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v python3 >/dev/null || { echo "python3 is missing" >&2; exit 1; }
qili=${QILI:-target/release/qili}
[[ -x $qili ]] || cargo build --locked --release
if [[ ${1:-} != here ]]; then
    probe=$(mktemp -d)
    if mount -t tmpfs -o size=64k qili-probe "$probe" 2>/dev/null; then
        umount "$probe"
    elif unshare -Urm mount -t tmpfs -o size=64k qili-probe "$probe" 2>/dev/null; then
        rmdir "$probe"
        QILI=$qili exec unshare -Urm --kill-child "$0" here
    else
        echo "NO DISK COULD BE MOUNTED: files are limited in their size instead, which is not quite the same" >&2
        limited=yes
    fi
    rmdir "$probe"
fi
work=$(mktemp -d)
disk=$work/disk
mkdir "$disk"
pid=
trap '[[ -z $pid ]] || kill "$pid" 2>/dev/null || true; [[ -z $pid ]] || wait "$pid" 2>/dev/null || true
    umount "$disk" 2>/dev/null || true; rm -rf "$work"' EXIT
[[ ${limited:-} ]] || mount -t tmpfs -o size=8m qili-full "$disk"
# The signal that comes with the limit ends a program that does not ignore it.
trap '' XFSZ
"$qili" serve --bind 127.0.0.1:0 --database "sqlite:$disk/qili.db" --store-wait-ms 3000 2>"$work/log" &
pid=$!
for _ in $(seq 1200); do grep -q '"address"' "$work/log" && break; sleep 0.05; done
address=$(sed -n 's/.*"address":"\([^"]*\)".*/\1/p' "$work/log" | head -1)
[[ $address ]] || { cat "$work/log" >&2; exit 1; }
status=0
python3 - "$address" "$disk" "$pid" "${limited:-}" <<'P' || status=$?
import http.client, json, os, resource, sys, time

address, disk, pid, limited = sys.argv[1:]
body = {"fen": "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "moves": ["f0e0", "e8f8", "e0f0", "f8e8"]}

def ask(method, path, sent=None):
    connection = http.client.HTTPConnection(address, timeout=120)
    text = sent if isinstance(sent, str) else json.dumps(sent) if sent is not None else None
    connection.request(method, path, text)
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read().decode()

def record():
    status, headers, text = ask("POST", "/v1/rulings", {**body, "explain": "full", "record": True})
    return status, headers.get("Qili-Ruling-Number"), headers.get("Retry-After"), text

def room(none):
    """Takes the room away, but for a little; gives it back."""
    ballast = os.path.join(disk, "ballast")
    if limited:
        # The log of the database is begun anew now and then: what is left of it is no room.
        most = 4096 if none else resource.RLIM_INFINITY
        resource.prlimit(int(pid), resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
    elif none:
        free = os.statvfs(disk)
        with open(ballast, "wb") as file:
            os.posix_fallocate(file.fileno(), 0, max(free.f_bavail * free.f_bsize - (256 << 10), 1))
    else:
        os.remove(ballast)

kept = []
def fill():
    """Records until it cannot; how often it could."""
    before = len(kept)
    while len(kept) < before + 20000:
        status, number, retry, text = record()
        if status != 200:
            assert status == 503 and json.loads(text)["code"] == "store_unavailable" and retry and not number, text
            return len(kept) - before
        kept.append(number)
    raise SystemExit("the disk never filled")

for turn in range(3):
    for _ in range(20):
        status, number, _, text = record()
        assert status == 200, text
        kept.append(number)
    room(none=True)
    more = fill()
    # Everything else goes on.
    for _ in range(20):
        status, _, text = ask("POST", "/v1/rulings", body)
        assert status == 200 and json.loads(text)["verdict"]["outcome"] == "loss", text
    lines = "".join(json.dumps({**body, "id": i, **({"record": True} if i % 2 else {})}) + "\n" for i in range(10))
    status, _, text = ask("POST", "/v1/rulings:batch", lines)
    for i, line in enumerate(map(json.loads, text.splitlines())):
        if i % 2:
            assert line["error"]["code"] == "store_unavailable" and line["error"]["retry_after"], line
        else:
            assert line["verdict"]["outcome"] == "loss", line
    until = time.monotonic() + 30
    while True:
        # It tries for itself once a second.
        status, _, text = ask("GET", "/readyz")
        if status == 503 and json.loads(text)["database"]["open"] is False:
            break
        assert time.monotonic() < until, text
        time.sleep(0.05)
    status, _, _ = ask("GET", f"/v1/rulings/{kept[-1]}")
    # A limit on files also keeps those who read from taking note of each other.
    assert status == 200 or limited, "what is kept can be read"
    room(none=False)
    until = time.monotonic() + 180
    while ask("GET", "/readyz")[0] != 200:
        assert time.monotonic() < until, "it did not recover"
        time.sleep(0.05)
    status, number, _, text = record()
    assert status == 200, text
    kept.append(number)
    print(f"full after {more} more; judged on, told, recovered")

for number in kept:
    status, _, text = ask("GET", f"/v1/rulings/{number}")
    assert status == 200 and json.loads(text)["number"] == number, number
print(f"{len(kept)} acknowledged, {len(kept)} found")
P
if ((status)); then
    tail -5 "$work/log" >&2
    exit "$status"
fi
kill -TERM "$pid"
wait "$pid"
pid=
python3 - "$disk/qili.db" <<'P'
import sqlite3, sys
found = sqlite3.connect(sys.argv[1]).execute("PRAGMA integrity_check").fetchall()
assert found == [("ok",)], found
print("the file is whole")
P
