#!/usr/bin/env bash
# The image of dist/Containerfile, built by buildah where there is one or it can be installed, and run without
# root, without a shell, on a root that cannot be written. Where containers cannot be built the same
# tree is run in a chroot, and that is said.
#
#   tests/image.sh PACKAGES      the folder dist/build has filled
set -euo pipefail
cd "$(dirname "$0")/.."
packages=$(realpath "${1:-target/dist-packages}")
[[ -x $packages/image/root/usr/bin/qili ]] || { echo "dist/build first" >&2; exit 1; }
work=$(mktemp -d)
pid=
container=
finish() {
    [[ -z $pid ]] || kill "$pid" 2>/dev/null || true
    [[ -z $pid ]] || wait "$pid" 2>/dev/null || true
    [[ -z $container ]] || b rm "$container" >/dev/null 2>&1 || true
    mountpoint -q "$work/root" && umount "$work/root"
    rm -rf "$work"
}
trap finish EXIT

command -v buildah >/dev/null || {
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends buildah
} >/dev/null 2>&1 || true
b() { buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"; }

root=$work/tree
if command -v buildah >/dev/null && b bud -q --isolation chroot -f dist/Containerfile -t qili "$packages/image" >"$work/id" 2>"$work/fault"; then
    container=$(b from --pull-never qili)
    told=$(b inspect --type image qili)
    for word in '"User": "10001:10001"' '"/usr/bin/qili"' '"Healthcheck"' '"QILI_BIND=0.0.0.0:8080"'; do
        # The formats of images differ in what they keep of a health check.
        grep -qF "$word" <<<"$told" || [[ $word == '"Healthcheck"' ]] ||
            { echo "the image does not say $word" >&2; exit 1; }
    done
    root=$(b mount "$container")
    echo "built by buildah: $(du -sh "$root" | cut -f1)"
else
    echo "NO IMAGE COULD BE BUILT HERE ($(tail -1 "$work/fault" 2>/dev/null)): its tree is run in a chroot instead" >&2
    cp -r "$packages/image/root" "$root"
    chown 10001:10001 "$root/var/lib/qili"
fi

# Nothing in it but what it needs.
if find "$root" -type f -perm /111 ! -name qili ! -name '*.so*' | grep .; then
    echo "there are programs in the image that nobody asked for" >&2
    exit 1
fi

# As a runtime runs it: the root cannot be written, the volume can, and the user is nobody's.
mkdir -p "$work/root" "$work/volume"
chown 10001:10001 "$work/volume"
mount --bind "$root" "$work/root"
mount -o remount,bind,ro "$work/root"
as_in() {
    unshare --mount -- bash -c 'mount --bind "$1" "$2/var/lib/qili"; shift 2
        exec chroot --userspec=10001:10001 "$ROOT" "$@"' _ "$work/volume" "$work/root" "$@"
}
export ROOT=$work/root QILI_BIND=127.0.0.1:$((20000 + RANDOM % 9000)) QILI_DATABASE=sqlite:/var/lib/qili/qili.db
as_in /usr/bin/qili doctor --lang en
as_in /usr/bin/qili serve 2>"$work/log" &
pid=$!
for _ in $(seq 100); do as_in /usr/bin/qili health >/dev/null 2>&1 && break; sleep 0.1; done
as_in /usr/bin/qili health | grep -q '"judging":true' || { cat "$work/log" >&2; exit 1; }
[[ -s $work/volume/qili.db ]]
if as_in /usr/bin/qili backup /no.backup 2>/dev/null; then
    echo "the root of the image can be written" >&2
    exit 1
fi
ended=$(date +%s)
kill -TERM "$(pgrep -P "$pid" -x qili || echo "$pid")"
wait "$pid" && status=0 || status=$?
pid=
(($(date +%s) - ended < 20 && status == 0)) || { echo "it ends with $status" >&2; cat "$work/log" >&2; exit 1; }
if as_in /usr/bin/qili health >/dev/null 2>&1; then echo "healthy though it has ended" >&2; exit 1; fi
echo "the image: run, healthy, ended"
