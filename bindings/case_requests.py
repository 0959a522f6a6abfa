"""Every published case under every book, told in full, in part and not at all: one request a line."""

import json
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BOOKS = ["cxa-1999", "cxa-2007", "cxa-2011", "cxa-2020", "wxf", "threefold"]


def requests():
    files = sorted((ROOT / "cases").glob("*/*.toml"))
    assert len(files) > 100, f"only {len(files)} cases were found"
    for file in files:
        case = tomllib.loads(file.read_text(encoding="utf-8"))
        asked = {key: case[key] for key in ("kind", "ordered", "assertions") if key in case}
        for book in BOOKS:
            for explain in ("none", "notes", "full"):
                yield {"id": f"{case['id']}/{book}/{explain}", "rules": book, "fen": case["fen"],
                       "moves": case["moves"], "explain": explain, **asked}


if __name__ == "__main__":
    for request in requests():
        sys.stdout.write(json.dumps(request, ensure_ascii=False) + "\n")
