#!/usr/bin/env bash
# Judges an archive with GNU parallel, on this machine or others: no cluster needed.
#
#   ./parallel.sh games.ndjson > rulings.ndjson
#   QILI_HOSTS=host1,host2,: ./parallel.sh games.ndjson > rulings.ndjson
#
# A line out for each line in, in the same order (-k): the bytes of `qili archive judge --rows game`.
# The status is that of the worst job, so that a job that failed is never taken for an empty one.
set -euo pipefail
input=${1:?which file}
hosts=()
if [[ -n ${QILI_HOSTS:-} ]]; then
    hosts=(--sshlogin "$QILI_HOSTS")
fi
parallel --will-cite --pipepart -a "$input" --block "${QILI_BLOCK:-32M}" -k --halt now,fail=1 "${hosts[@]}" \
    "${QILI:-qili}" archive judge --rows game --accept-rejected --threads 1 --rules "${QILI_RULES:-cxa-1999}"
