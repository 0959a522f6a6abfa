#!/usr/bin/env bash
# The rules for Prometheus and the queries of the dashboard, as Prometheus itself reads them: checked by promtool, tried
# against made-up counts, and asked of a Prometheus that watches a real service.
#
#   QILI=target/release/qili tests/monitoring.sh
set -euo pipefail
cd "$(dirname "$0")/.."
qili=$(realpath "${QILI:-target/release/qili}")
command -v promtool >/dev/null || {
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends prometheus >/dev/null
}
work=$(mktemp -d)
pids=()
finish() {
    ((${#pids[@]} == 0)) || kill "${pids[@]}" 2>/dev/null || true
    wait
    rm -rf "$work"
}
trap finish EXIT
rules=$PWD/examples/monitoring/rules.yml
promtool check rules "$rules"
cat >"$work/test.yml" <<EOF
rule_files: [$rules]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - {series: 'up{job="qili",instance="a"}', values: "1 1 0 0 0 0"}
      - {series: 'qili_store_up{job="qili",instance="a"}', values: "1 1 0 0 0 0"}
      - {series: 'qili_store_failed_total{job="qili",instance="a"}', values: "0 0 5 9 9 9"}
      - {series: 'qili_http_requests_total{job="qili",instance="a",status="5xx",route="/"}', values: "0+60x20"}
      - {series: 'qili_http_requests_total{job="qili",instance="a",status="2xx",route="/"}', values: "0+600x20"}
      - {series: 'process_open_fds{job="qili",instance="a"}', values: "900x20"}
      - {series: 'process_max_fds{job="qili",instance="a"}', values: "1024x20"}
      - {series: 'qili_refused_total{job="qili",instance="a",reason="queue_full"}', values: "0+60x30"}
      - {series: 'qili_refused_total{job="qili",instance="a",reason="deadline"}', values: "0x30"}
    alert_rule_test:
      - {eval_time: 1m, alertname: QiliDown, exp_alerts: []}
      - eval_time: 4m
        alertname: QiliDown
        exp_alerts:
          - exp_labels: {severity: page, job: qili, instance: a}
            exp_annotations:
              summary: a does not answer
              description: "\`systemctl status qili\`, and the last lines of its log; docs/operating.md, The service is down."
      - eval_time: 4m
        alertname: QiliStoreDown
        exp_alerts:
          - exp_labels: {severity: page, job: qili, instance: a}
            exp_annotations:
              summary: a cannot use its store
              description: "Rulings are given, but what is to be kept gets 503; docs/operating.md, The store is down."
      - eval_time: 12m
        alertname: QiliFilesShort
        exp_alerts:
          - exp_labels: {severity: ticket, job: qili, instance: a}
            exp_annotations:
              summary: a has 87.89% of its files open
              description: "Idle connections are closed beyond --connections; raise LimitNOFILE, or lower it."
      - eval_time: 20m
        alertname: QiliTurnsAway
        exp_alerts:
          - exp_labels: {severity: ticket, instance: a, reason: queue_full}
            exp_annotations:
              summary: "a turns callers away: queue_full"
              description: "docs/operating.md, The queue is long."
EOF
promtool test rules "$work/test.yml"

# A Prometheus that watches a service.
port=$((20000 + RANDOM % 4500 * 2))
"$qili" serve --bind "127.0.0.1:$port" --database "sqlite:$work/qili.db" 2>"$work/log" &
pids+=($!)
for _ in $(seq 100); do "$qili" health --bind "127.0.0.1:$port" >/dev/null 2>&1 && break; sleep 0.1; done
cat >"$work/prometheus.yml" <<EOF
global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [$rules]
scrape_configs:
  - job_name: qili
    static_configs: [{targets: ["127.0.0.1:$port"]}]
EOF
prometheus --config.file "$work/prometheus.yml" --storage.tsdb.path "$work/data" \
    --web.listen-address "127.0.0.1:$((port + 1))" >"$work/prometheus.log" 2>&1 &
pids+=($!)
python3 - "$port" "$((port + 1))" examples/monitoring/dashboard.json <<'P'
import json, sys, time, urllib.error, urllib.parse, urllib.request

port, prometheus, dashboard = sys.argv[1:]
body = json.dumps({"fen": "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "moves": ["f0e0", "e8f8", "e0f0", "f8e8"], "record": True}).encode()

def rule():
    request = urllib.request.Request(f"http://127.0.0.1:{port}/v1/rulings", body, {"Content-Type": "application/json"})
    urllib.request.urlopen(request, timeout=10).read()

def ask(path, **query):
    url = f"http://127.0.0.1:{prometheus}/api/v1/{path}?" + urllib.parse.urlencode(query)
    answer = json.load(urllib.request.urlopen(url, timeout=10))
    assert answer["status"] == "success", answer
    return answer["data"]

for _ in range(60):
    rule()
    time.sleep(0.25)
panels = json.load(open(dashboard))["panels"]
empty = []
for panel in panels:
    for target in panel["targets"]:
        query = target["expr"].replace("$__rate_interval", "10s").replace("$instance", ".*")
        if not ask("query", query=query)["result"]:
            empty.append((panel["title"], query))
assert not empty, empty
rules = [rule for group in ask("rules")["groups"] for rule in group["rules"]]
assert rules and all(rule["health"] == "ok" for rule in rules), rules
firing = [rule["name"] for rule in rules if rule["state"] == "firing"]
assert not firing, firing
print(f"{len(rules)} rules and {sum(len(panel['targets']) for panel in panels)} queries answered by Prometheus")
P
