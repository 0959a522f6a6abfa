"""How long rulings take, beside the command on the same lines in one run; one thread each."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import qili

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from case_requests import requests  # noqa: E402

lines = [json.dumps(one, ensure_ascii=False) for one in requests() if one["explain"] == "notes"]
text = ("\n".join(lines * 5) + "\n").encode()
count = len(lines) * 5
best = {}
for _ in range(3):
    for name, work in {
        "command": lambda: subprocess.run([os.environ["QILI"], "judge", "--format", "ndjson"], input=text, capture_output=True, check=False).stdout,
        "wheel": lambda: qili.judge_ndjson(text, threads=1),
        "wheel, a call each": lambda: [qili.judge(json.loads(line)) for line in lines * 5],
    }.items():
        begun = time.perf_counter()
        work()
        best[name] = min(time.perf_counter() - begun, best.get(name, 1e9))
for name, seconds in best.items():
    print(f"{name}: {seconds / count * 1e6:.0f} µs a ruling with notes, {best['command'] / seconds:.2f} of the command's speed")
