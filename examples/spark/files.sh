#!/usr/bin/env bash
# Judges files of game records with GNU parallel: a folder with XQF, CBL, PGN and all else in it.
#
#   ./files.sh leagues > rulings.ndjson
#
# The files are handed out in the order in which qili goes through a folder (-k keeps it): the bytes of
# `qili archive judge --rows game leagues`. The status is that of the worst job.
set -euo pipefail
folder=${1:?which folder}
# Names are ordered part by part, so that what ends a part comes before every character.
find "${folder%/}" -mindepth 1 -name '.*' -prune -o -type f -print0 | LC_ALL=C tr '/' '\001' |
    LC_ALL=C sort -z | LC_ALL=C tr '\001' '/' |
    parallel --will-cite -0 -k -n "${QILI_FILES:-64}" --halt now,fail=1 \
        "${QILI:-qili}" archive judge --rows game --found --accept-rejected --threads 1 --rules "${QILI_RULES:-cxa-1999}"
