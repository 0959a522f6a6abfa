#!/usr/bin/env bash
# The Debian package: installed into a machine of its own (debootstrap, in a chroot), started as its unit says,
# upgraded while it holds something, removed and purged. No systemd runs in a chroot: its helpers do what the
# scripts of the package ask for, the unit is judged by systemd-analyze, and started here as it says.
#
#   tests/package.sh [BINARY]      packs that program instead of building what is shipped
set -euo pipefail
cd "$(dirname "$0")/.."
[[ $(id -u) == 0 ]] || { echo "a chroot wants root" >&2; exit 1; }
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
for program in debootstrap systemd-analyze man lintian; do
    command -v "$program" >/dev/null && continue
    package=$program
    [[ $program == systemd-analyze ]] && package=systemd
    [[ $program == man ]] && package=man-db
    apt-get update -qq && apt-get install -y -qq --no-install-recommends "$package" >/dev/null
done
say() { printf -- '-- %s\n' "$*"; }
die() { echo "$*" >&2; [[ ! -s $work/log ]] || tail -20 "$work/log" >&2; exit 1; }

work=$(mktemp -d)
machine=$work/machine
pid=
finish() {
    [[ -z $pid ]] || kill "$pid" 2>/dev/null || true
    [[ -z $pid ]] || wait "$pid" 2>/dev/null || true
    for place in proc dev; do mountpoint -q "$machine/$place" && umount -l "$machine/$place"; done
    rm -rf "$work"
}
trap finish EXIT

say "packages"
[[ -z ${1:-} ]] || QILI_BINARY=$(realpath "$1")
export ${QILI_BINARY:+QILI_BINARY}
dist/build "$work/first" >/dev/null
QILI_BINARY=${QILI_BINARY:-$work/first/image/root/usr/bin/qili}
export QILI_BINARY
first=$(echo "$work"/first/*.deb)
version=$(dpkg-deb -f "$first" Version)
later=$version+later
QILI_VERSION=$later dist/build "$work/second" >/dev/null
second=$(echo "$work"/second/*.deb)
(cd "$work/first" && sha256sum --quiet -c SHA256SUMS)
# The same sources give the same bytes.
dist/build "$work/again" >/dev/null
cmp "$work/first/SHA256SUMS" "$work/again/SHA256SUMS"
lintian --fail-on error --suppress-tags statically-linked-binary,no-manual-page "$first"
python3 - "$work"/first/*.cdx.json <<'P'
import json, sys
bom = json.load(open(sys.argv[1]))
names = {component["name"] for component in bom["components"]}
assert bom["bomFormat"] == "CycloneDX" and {"sqlx-core", "actix-web", "rustls", "parquet"} <= names, names
assert not names & {"proptest", "chessai", "serde_derive"}, "what is not shipped"
refs = {component["bom-ref"] for component in bom["components"]} | {bom["metadata"]["component"]["bom-ref"]}
assert all(need in refs for node in bom["dependencies"] for need in node["dependsOn"])
assert all(component.get("licenses") for component in bom["components"])
P

say "the unit"
mkdir -p "$work/units"
sed "s,/usr/bin/qili,$QILI_BINARY," dist/debian/qili.service >"$work/units/qili.service"
systemd-analyze verify --man=no "$work/units/qili.service" 2>&1 | grep -v '^Failed to' | grep qili && die "the unit is not well" || true
level=$(systemd-analyze security --offline=yes "$work/units/qili.service" | sed -n 's/.*exposure level for qili.service: \([0-9.]*\).*/\1/p')
awk -v level="$level" 'BEGIN {exit !(level != "" && level <= 2.0)}' || die "exposed by $level, 2.0 at most"
echo "exposure $level"

say "a machine"
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $release" 2>/dev/null | head -1)
debootstrap --variant=minbase --include=init-system-helpers,passwd "$release" "$machine" "${QILI_MIRROR:-${mirror:-http://deb.debian.org/debian}}" >"$work/log" 2>&1 ||
    die "no machine could be made"
: >"$work/log"
mount --bind /dev "$machine/dev"
mount -t proc proc "$machine/proc"
printf '#!/bin/sh\nexit 101\n' >"$machine/usr/sbin/policy-rc.d"
chmod +x "$machine/usr/sbin/policy-rc.d"
# minbase leaves out manuals: they are looked for here.
rm -f "$machine"/etc/dpkg/dpkg.cfg.d/*
inside() { chroot "$machine" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "$@"; }
# A link in there leads to what is not here.
is() { [[ -e $machine$1 || -L $machine$1 ]]; }
there() { is "$1" || die "there is no $1"; }
gone() { if is "$1"; then die "$1 was left behind"; fi; }

# Starts what the unit says as whom it says, with the environment it says, and waits until it answers.
start() {
    local settings=() line
    while read -r line; do settings+=("$line"); done < <(
        sed -n 's/^Environment=//p' "$machine/usr/lib/systemd/system/qili.service"
        grep -v '^ *\(#\|$\)' "$machine/etc/qili/qili.conf" || true)
    # shellcheck disable=SC2046
    chroot --userspec=qili:qili "$machine" /usr/bin/env -i HOME=/var/lib/qili "${settings[@]}" \
        $(sed -n 's/^ExecStart=//p' "$machine/usr/lib/systemd/system/qili.service") 2>>"$work/log" &
    pid=$!
    for _ in $(seq 100); do inside "${settings[@]}" qili health >/dev/null 2>&1 && return; sleep 0.1; done
    die "the service does not answer"
}
stop() {
    kill -TERM "$pid"
    wait "$pid" || die "the service ends with $?"
    pid=
}
as_qili() { chroot --userspec=qili:qili "$machine" /usr/bin/env -i PATH=/usr/bin LANG=C.UTF-8 QILI_DATABASE=sqlite:/var/lib/qili/qili.db "$@"; }

say "installed"
cp "$first" "$machine/first.deb"
cp "$second" "$machine/second.deb"
inside dpkg -i /first.deb >/dev/null
there /usr/lib/systemd/system/qili.service
there /etc/systemd/system/multi-user.target.wants/qili.service
for file in man/man1/qili.1.gz man/man1/qili-serve.1.gz man/man1/qili-archive-judge.1.gz bash-completion/completions/qili \
    zsh/vendor-completions/_qili fish/vendor_completions.d/qili.fish doc/qili/docs/operating.md doc/qili/copyright \
    doc/qili/THIRD-PARTY.gz doc/qili/qili.cdx.json doc/qili/examples/monitoring/rules.yml; do
    there "/usr/share/$file"
done
[[ $(inside stat -c '%U:%G %a' /var/lib/qili) == 'qili:qili 700' ]] || die "anybody may read what is kept"
[[ $(inside stat -c '%U:%G %a' /etc/qili/qili.conf) == 'root:qili 640' ]] || die "anybody may read the settings"
[[ $(inside dpkg -V qili) == '' ]] || die "not as packed: $(inside dpkg -V qili)"
inside bash -c '. /usr/share/bash-completion/completions/qili; COMP_WORDS=(qili ju); COMP_CWORD=1; _qili qili ju qili
    [[ " ${COMPREPLY[*]} " == *" judge "* ]]' || die "bash completes nothing"
LC_ALL=C.UTF-8 man --warnings -l "$machine/usr/share/man/man1/qili-serve.1.gz" 2>"$work/warnings" | grep -q 'bind' || die "the manual does not name --bind"
[[ ! -s $work/warnings ]] || die "$(cat "$work/warnings")"

say "started"
port=$((20000 + RANDOM % 9000))
echo "QILI_BIND=127.0.0.1:$port" >>"$machine/etc/qili/qili.conf"
start
key=$(as_qili qili keys add chief --scopes judge,write,admin)
ask() {
    python3 - "$port" "$key" "$@" <<'P'
import http.client, json, sys
port, key, method, path, *body = sys.argv[1:]
connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=20)
connection.request(method, path, *body, headers={"Authorization": "Bearer " + key, "Content-Type": "application/json"})
answer = connection.getresponse()
print(answer.status, answer.headers.get("Qili-Ruling-Number") or "-", answer.read().decode())
P
}
sleep 1.5
body='{"fen": "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "moves": ["f0e0", "e8f8", "e0f0", "f8e8"], "record": true}'
read -r status number told < <(ask POST /v1/rulings "$body")
[[ $status == 200 && $number != - && $told == *'"outcome":"loss"'* ]] || die "no ruling: $status $told"
as_qili qili doctor >/dev/null || die "$(as_qili qili doctor)"

say "upgraded, with settings that were changed"
inside dpkg -i /second.deb >/dev/null 2>"$work/fault" </dev/null || die "$(cat "$work/fault")"
[[ $(inside dpkg-query -W -f '${Version}' qili) == "$later" ]]
grep -q "^QILI_BIND=127.0.0.1:$port$" "$machine/etc/qili/qili.conf" || die "the settings were put back"
# The program that runs is the old one until it is started anew.
stop
as_qili qili migrate --check >/dev/null || die "the store is behind"
start
read -r status _ told < <(ask GET "/v1/rulings/$number")
[[ $status == 200 && $told == *"$number"* ]] || die "the ruling is gone: $status $told"
stop

say "removed"
inside dpkg -r qili >/dev/null 2>&1
gone /usr/bin/qili
gone /usr/lib/systemd/system/qili.service
there /var/lib/qili/qili.db
there /etc/qili/qili.conf
inside dpkg -i /first.deb >/dev/null 2>&1 </dev/null
start
read -r status _ told < <(ask GET "/v1/rulings/$number")
[[ $status == 200 ]] || die "what was kept is not found again: $told"
stop

say "purged"
inside dpkg -P qili >/dev/null 2>&1
for path in /var/lib/qili /etc/qili /usr/share/doc/qili /etc/systemd/system/multi-user.target.wants/qili.service; do gone "$path"; done
if inside getent passwd qili >/dev/null; then die "its user was left behind"; fi
[[ -z $(inside dpkg-query -W -f '${Status}' qili 2>/dev/null | grep installed) ]]
say "passed"
