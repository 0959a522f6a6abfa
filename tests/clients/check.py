"""The client that openapi-python-client makes: rulings, batches, games, drafts, cases, the log."""

import io
import json
import os
import sys

sys.path.insert(0, "python")

from qili_client import AuthenticatedClient, Client  # noqa: E402
from qili_client.api.drafts import add_draft, drafts  # noqa: E402
from qili_client.api.games import audit, list_games  # noqa: E402
from qili_client.api.log import kept_ruling, kept_rulings  # noqa: E402
from qili_client.api.rules import add_case, case_revisions, cases  # noqa: E402
from qili_client.api.rulings import batch, judge  # noqa: E402
from qili_client.models import CaseToPut, DraftToPut, Request  # noqa: E402
from qili_client.types import File  # noqa: E402

URL = "http://" + os.environ["QILI_ADDRESS"]
CYCLE = {"fen": "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "moves": ["f0e0", "e8f8", "e0f0", "f8e8"]}
AMENDMENT = """
id = "trial"
title = { zh = "试拟", en = "A trial" }
reason = { zh = "试拟", en = "A trial" }
effective = ""
base = "cxa-1999"
[definitions]
kill_is_attack = false
"""
CASE = {
    "id": "club-1", "title": {"zh": "长将", "en": "Perpetual check"}, **CYCLE,
    "source": {"book": "cxa-1999", "figure": "", "clauses": ["26.1"], "official": False, "position": "composed"},
    "expect": {"cxa-1999": {"natures": ["check", "idle", "check", "idle"], "outcome": "loss", "side": "red",
                            "clauses": ["24.1", "26.1"]}},
    "why": {"zh": "单方长将", "en": "One side checks"},
}

client = AuthenticatedClient(base_url=URL, token=os.environ["QILI_KEY"])
with Client(base_url=URL) as stranger:
    assert judge.sync_detailed(client=stranger, body=Request.from_dict(CYCLE)).status_code == 401

ruling = judge.sync(client=client, body=Request.from_dict(CYCLE))
assert ruling.verdict.outcome == "loss" and ruling.verdict.side == "red", ruling
assert [move.nature for move in ruling.moves] == ["check", "idle", "check", "idle"]
bad = judge.sync(client=client, body=Request.from_dict({**CYCLE, "moves": ["a0a9"]}))
assert bad.status == 422 and bad.code and bad.pointer == "/moves/0", bad

lines = "".join(json.dumps({"id": number, **CYCLE}) + "\n" for number in range(3))
answers = batch.sync(client=client, body=File(payload=io.BytesIO(lines.encode()))).payload.read()
assert [json.loads(line)["id"] for line in answers.splitlines()] == [0, 1, 2]

found = audit.sync(client=client, body=Request.from_dict({**CYCLE, "moves": CYCLE["moves"] * 4}))
assert found.pending[0].after_ply == 12 and found.plies == 16, found
games = list_games.sync(client=client, body=File(payload=io.BytesIO("1. 炮二平五 马8进7".encode())))
assert len(games.games) == 1 and len(games.games[0].moves) == 2, games

kept = judge.sync_detailed(client=client, body=Request.from_dict({**CYCLE, "record": True}), idempotency_key="one")
number = kept.headers["Qili-Ruling-Number"]
assert kept_ruling.sync(client=client, number=number).number == number
assert [item.number for item in kept_rulings.sync(client=client, limit=1).items] == [number]

made = add_draft.sync(client=client, body=DraftToPut.from_dict({"amendment": AMENDMENT}))
assert made.id == "trial", made
listed = drafts.sync(client=client, limit=1)
assert [draft.id for draft in listed.drafts] == ["trial"] and listed.next_ is None, listed

own = add_case.sync(client=client, body=CaseToPut.from_dict({"case": CASE}))
assert own.revision == 1, own
first = cases.sync(client=client, limit=2)
assert len(first.cases) == 2 and first.next_, first
second = cases.sync(client=client, limit=2, cursor=first.next_)
assert {one.id for one in first.cases}.isdisjoint(one.id for one in second.cases)
assert [one.revision for one in case_revisions.sync(client=client, id="club-1").revisions] == [1]
print("openapi-python-client: every call answers as described")
