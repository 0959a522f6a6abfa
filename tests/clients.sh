#!/usr/bin/env bash
# Clients made of the committed description: generated, checked by their languages' own checkers, and
# run against the service, which asks for keys. openapi-python-client, hey-api, openapi-typescript.
#
#   cargo build && tests/clients.sh
#
# The generators come from PyPI and npm into folders of their own below target/.
set -euo pipefail
cd "$(dirname "$0")/.."
qili=$(realpath "${QILI:-target/debug/qili}")
folder=$PWD/target/clients
rm -rf "$folder/made"
mkdir -p "$folder/made"

if [[ ! -x $folder/venv/bin/openapi-python-client ]]; then
    python3 -m venv "$folder/venv"
    timeout 600 "$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
        'openapi-python-client==0.29.*' 'mypy==2.*' 'ruff'
fi
cp tests/clients/package.json "$folder/"
[[ -d $folder/node_modules ]] || (cd "$folder" && timeout 600 npm install --silent --no-fund --no-audit)

cp openapi/openapi.yaml tests/clients/check.py tests/clients/check.ts tests/clients/tsconfig.json "$folder/made/"
cd "$folder/made"
export PATH=$folder/venv/bin:$folder/node_modules/.bin:$PATH

openapi-python-client generate --path openapi.yaml --config "$OLDPWD/tests/clients/python.yml" \
    --output-path python 2>&1 | tee python.log
# Whatever it cannot make it leaves out, and says so.
if grep -qi 'warning\|unable\|unsupported' python.log; then exit 1; fi
mypy --no-error-summary python/qili_client
openapi-ts -i openapi.yaml -o hey -c @hey-api/client-fetch
openapi-typescript openapi.yaml -o schema.d.ts
ln -sfn "$folder/node_modules" node_modules
tsc --project tsconfig.json
esbuild check.ts --bundle --platform=node --format=esm --outfile=out/check.js --log-level=warning

export QILI_DATABASE="sqlite:$folder/made/qili.db"
"$qili" serve --bind 127.0.0.1:0 2>log &
service=$!
trap 'kill $service 2>/dev/null || true; wait $service 2>/dev/null || true' EXIT
for _ in $(seq 600); do
    grep -q '"address"' log && break
    kill -0 $service || { cat log >&2; exit 1; }
    sleep 0.1
done
QILI_ADDRESS=$(sed -n 's/.*"address":"\([^"]*\)".*/\1/p' log | head -1)
QILI_KEY=$("$qili" keys add clients --scopes judge,write,admin)
export QILI_ADDRESS QILI_KEY
# It asks for keys from now on.
for _ in $(seq 600); do
    [[ $(curl -s -o /dev/null -w '%{http_code}' "http://$QILI_ADDRESS/v1/rulings") == 401 ]] && break
    sleep 0.1
done
timeout 300 python3 check.py
timeout 300 node out/check.js
echo "every client runs"
