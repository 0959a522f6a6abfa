"""Cycles judged under the Asian rules by qili and by Fairy-Stockfish, and where they differ."""

import collections
import json
import resource
import subprocess
import sys
import time

import pyffish

# The position has stood as often as both want it to.
ROUNDS = 3


def named(move):
    """A move as the peer writes it, ranks from 1."""
    return f"{move[0]}{int(move[1]) + 1}{move[2]}{int(move[3]) + 1}"


def whole(fen):
    return fen if len(fen.split()) > 2 else f"{fen} - - 0 1"


def by_qili(program, lines):
    """Who must give way, and the seconds of processor it took."""
    asked = (
        {"rules": "wxf", "kind": "cycle", "explain": "none", "fen": line["fen"], "moves": line["moves"]}
        for line in lines
    )
    text = "".join(json.dumps(one) + "\n" for one in asked)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = subprocess.run(
        [program, "judge", "--format", "ndjson"], input=text, capture_output=True, text=True, check=False
    ).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    verdicts = (json.loads(line).get("verdict", {}) for line in told.splitlines())
    return [verdict.get("side") or verdict.get("outcome", "refused") for verdict in verdicts], seconds


def by_peer(lines):
    """The same of the peer, without what it takes to set a position up, which is most of it."""
    found = []
    spent = 0.0
    for line in lines:
        fen, moves = whole(line["fen"]), [named(move) for move in line["moves"]] * ROUNDS
        begun = time.process_time()
        over, value = pyffish.is_optional_game_end("xiangqi", fen, moves)
        judged = time.process_time()
        pyffish.gives_check("xiangqi", fen, [])
        spent += 2 * judged - begun - time.process_time()
        mover, other = ("red", "black") if fen.split()[1] in "wr" else ("black", "red")
        found.append("none" if not over else "draw" if value == 0 else mover if value < 0 else other)
    return found, spent


def main(file, program, differences):
    with open(file, encoding="utf-8") as text:
        lines = [json.loads(line) for line in text if line.strip()]
    ours, seconds = by_qili(program, lines)
    theirs, spent = by_peer(lines)
    if len(ours) != len(lines):
        sys.exit(f"{len(ours)} rulings on {len(lines)} cycles")
    pairs = collections.Counter(zip(ours, theirs))
    same = sum(count for (one, other), count in pairs.items() if one == other)
    print(f"{same} of {len(lines)} alike; microseconds a cycle: qili, FEN and JSON included, {seconds / len(lines) * 1e6:.1f}, "
          f"the peer, beyond setting up, {spent / len(lines) * 1e6:.1f}")
    for (one, other), count in sorted(pairs.items()):
        if one != other:
            print(f"  qili {one}, the peer {other}: {count}")
    with open(differences, "w", encoding="utf-8") as text:
        for line, one, other in zip(lines, ours, theirs):
            if one != other:
                text.write(json.dumps({**line, "qili": one, "peer": other}) + "\n")
    print(f"  {differences}")


if __name__ == "__main__":
    main(*sys.argv[1:])
