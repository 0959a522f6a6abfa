#!/usr/bin/env bash
# Hostile callers beside honest ones: what becomes of honest single rulings.
#
#   cargo build --release && tests/attack.sh [SECONDS] [OLD-PROGRAM]
set -euo pipefail
cd "$(dirname "$0")/.."
command -v python3 >/dev/null || { echo "python3 is missing" >&2; exit 1; }
# The idle connections are as many files on this side.
ulimit -n "$(ulimit -Hn)"
qili=${QILI:-target/release/qili}
exec tests/attack.py --seconds "${1:-8}" ${2:+--old "$2"} "$qili"
