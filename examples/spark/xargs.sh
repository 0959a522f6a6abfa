#!/usr/bin/env bash
# Judges an archive with split and xargs alone.
#
#   ./xargs.sh games.ndjson JOBS > rulings.ndjson
#
# The archive is cut at line ends into pieces, which are judged side by side and put together in
# their order: the bytes of `qili archive judge --rows game`. xargs ends with 123 if a job failed.
set -euo pipefail
input=${1:?which file}
jobs=${2:-$(nproc)}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
split --number="l/$((jobs * 4))" --suffix-length=4 "$input" "$folder/in."
export QILI=${QILI:-qili} QILI_RULES=${QILI_RULES:-cxa-1999}
# shellcheck disable=SC2016
find "$folder" -name 'in.*' -print0 | sort -z | xargs -0 -P "$jobs" -n 1 bash -c '
    "$QILI" archive judge --rows game --accept-rejected --threads 1 --rules "$QILI_RULES" \
        --out "${0/in./out.}" "$0" 2>/dev/null'
came=$(find "$folder" -name 'in.*' -exec cat {} + | grep -c .)
went=$(find "$folder" -name 'out.*' -exec cat {} + | wc -l)
if ((came != went)); then
    echo "$came lines went in and $went came out" >&2
    exit 1
fi
cat "$folder"/out.*
