"""The wheel as it is installed, beside the command: same questions, same bytes."""

import json
import os
import pickle
import resource
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import qili

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "bindings"))
from case_requests import requests  # noqa: E402

QILI = os.environ["QILI"]
CHECKS = "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"
ROUND = ["f0e0", "e8f8", "e0f0", "f8e8"]
LINES = [json.dumps(one, ensure_ascii=False) for one in requests()]
BAD = [
    '{"id": "a"}', '{"id": 7, "moves": ["h2e2"], "fen": "rnbakabnr/9 w"}', "{", '{"moves": ["e0e5"]}',
    '{"moves": ["h2e2"], "rules": "cxa-1998"}', '{"moves": ["h2e2", "h9g7"]}', '{"moves": [], "mvoes": 1}', '{"id": {}, "moves": []}',
]


def command(*args, text=None):
    done = subprocess.run([QILI, *args], input=text, capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr.decode()
    return done.stdout


def test_every_published_case_under_every_book_to_the_byte():
    text = ("\n".join(LINES) + "\n").encode()
    said = command("judge", "--format", "ndjson", text=text)
    assert qili.judge_ndjson(text) == said
    assert qili.judge_ndjson(text, threads=1) == said
    assert len(said.splitlines()) == len(LINES)


def test_what_is_wrong_is_told_as_by_the_command():
    text = ("\n".join(BAD) + "\n").encode()
    said = command("judge", "--format", "ndjson", text=text)
    assert qili.judge_ndjson(text) == said
    assert all("error" in json.loads(line) for line in said.splitlines())


def test_a_certificate_is_made_and_verified_as_by_the_command():
    # 1999, figure 2, which takes numbers to prove.
    asked = {"fen": "2ba1k3/4a4/4b4/9/1n5R1/9/9/4B4/4A4/2BAK4 w", "moves": ["h5h9", "f9f8", "h9h5", "f8f9"], "explain": "proof"}
    said = command("judge", "--format", "ndjson", text=(json.dumps(asked) + "\n").encode())
    assert qili.ask("judge", json.dumps(asked)) == said.decode().rstrip("\n")
    proof = qili.judge(asked).proof
    assert proof == json.loads(said)["proof"]
    verified = qili.verify(proof)
    assert (verified["verified"], verified["moves"]) == (True, 4) and verified["numbers"] > 10
    assert qili.verify(json.dumps(proof)) == verified
    proof["claims"]["natures"][1] = "chase"
    refused = qili.verify(proof)
    assert (refused["verified"], refused["claim"], refused["ply"]) == (False, "claims.natures", 1)
    proof["rules"]["id"] = "cxa-1998"
    with pytest.raises(qili.QiliError) as unknown:
        qili.verify(proof)
    assert (unknown.value.code, unknown.value.pointer) == ("unknown_rules", "/rules")
    assert qili.judge(fen=CHECKS, moves=ROUND).proof is None


def test_a_ruling():
    ruling = qili.judge(fen=CHECKS, moves="车四平五 将5平6 车五平四 将6平5", id=7)
    assert (ruling.outcome, ruling.side, ruling.clauses) == ("loss", "red", ["24.1", "26.1"])
    assert ruling.natures == ["check", "idle", "check", "idle"]
    assert ruling["id"] == 7
    assert "24.1" in ruling["verdict"]["clauses"] and ruling.reason("zh") != ruling.reason("en") != ""
    assert qili.judge({"fen": CHECKS, "moves": ROUND}, rules="wxf").outcome == "must_change"


def test_an_error_has_its_code_its_place_and_both_languages():
    with pytest.raises(qili.QiliError) as caught:
        qili.judge(moves=["h2e2", "a0a5"], kind="game", id="n")
    error = caught.value
    assert (error.pointer, error.index, error.id) == ("/moves/1", 1, "n")
    assert error.code.isidentifier() and str(error) == error.detail
    assert any("\u4e00" <= c <= "\u9fff" for c in error.detail_zh)
    again = pickle.loads(pickle.dumps(error))
    assert (again.code, again.pointer, again.id) == (error.code, "/moves/1", "n")
    for asked, code in [
        (lambda: qili.judge(moves=[], rules="nobody"), "unknown_rules"),
        (lambda: qili.judge(moves=[], record=True), "record_not_here"),
        (lambda: qili.ask("adjourn"), "unknown_operation"),
        (lambda: qili.read(b"GIF89a\x00\x01\x02"), None),
        (lambda: qili.compare("cxa-1999", "base = \n"), "amendment_faulty"),
        (lambda: qili.compare("cxa-1999", set=["nothing=1"]), "bad_setting"),
        (lambda: qili.book("nobody"), "unknown_rules"),
        (lambda: qili.limit({"moves": [], "rules": "threefold"}), "no_limit"),
    ]:
        with pytest.raises(qili.QiliError) as caught:
            asked()
        assert code in (None, caught.value.code)
    with pytest.raises(TypeError):
        qili.compare("cxa-1999")
    with pytest.raises(TypeError):
        qili.ask("judge", 7)


def test_a_game():
    game = qili.Game("b0c2 b9c7 c2b0 c7b9 " * 3, rules="cxa-2020")
    assert [(after, ruling.outcome) for after, ruling in qili.audit(game).rulings] == [(12, "draw")]
    assert game.judge().outcome == "draw"
    last = game.moves.pop()
    ruled = [one for one in game.next(explain="none") if one["outcome"] != "none"]
    assert [(one["iccs"], one["occurrences"]) for one in ruled] == [("c7b9", 4)]
    assert last == "c7b9"
    game.push("马3退2")
    assert len(game) == 12 and game.judge().outcome == "draw"
    with pytest.raises(qili.QiliError):
        game.push("a0a9")
    assert len(game) == 12
    assert game.classify()["iccs"] == "c7b9"
    assert game.position().split()[:2] == ["rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR", "w"]


def test_the_natural_limit_as_by_the_command():
    moves = ["h2e2", "h9g7", "h0g2", "i9h9"]
    said = command("limit", "--format", "json", "--claim", "red", "--after", "3", *moves)
    assert qili.ask("limit", json.dumps({"moves": moves, "claim": "red", "after": 3})) == said.decode().strip()
    assert qili.Game(moves).limit(claim="red", after=3) == json.loads(said)


def test_boards_are_shown():
    game = qili.Game(["h2e2"])
    svg = game._repr_svg_()
    assert svg.startswith("<svg ") and svg.rstrip().endswith("</svg>")
    assert qili.board(CHECKS, lang="en")._repr_svg_().startswith("<svg ")


def test_records_are_read(tmp_path):
    file = tmp_path / "game.pgn"
    file.write_bytes('[Red "甲"]\n[Black "乙"]\n\n1. 炮二平五 马8进7 2. H2+3 *\n\n[Red "丙"]\n\n1. 炮二平五 车9进9 *\n'.encode("gb18030"))
    one, two = qili.read(file)
    assert one.moves == ["h2e2", "h9g7", "h0g2"] and one.tags["red"] == "甲" and one.fault is None
    assert two.moves == ["h2e2"] and two.fault is not None and two.fault.index == 1
    assert repr(one) == "<qili.Game 甲 – 乙, 3 plies>"


@pytest.mark.filterwarnings("error")
def test_a_file_of_many_games_is_read_so_far_and_that_is_said():
    one = b"1. C2=5 H8+7 *\n\n"
    games = qili.read(one * 2000)
    assert (len(games), games.more) == (2000, False)
    with pytest.warns(UserWarning, match="only the first 2000 games"):
        games = qili.read(one * 2001)
    assert (len(games), games.more) == (2000, True)
    assert games[-1].moves == ["h2e2", "h9g7"]
    # As many moves as are listed, and the game that goes beyond.
    with pytest.warns(UserWarning, match="only the first 500 games"):
        games = qili.read((b"1. " + b"C2=5 C8=5 C5=2 C5=8 " * 100 + b"*\n\n") * 600)
    assert (len(games), games.more) == (500, True)


@pytest.mark.skipif("QILI_RECORDS" not in os.environ, reason="no folder of real records is named")
def test_real_records_are_read_as_by_the_command():
    files = [file for kind in ("cbl", "cbr", "pgn", "xqf") for file in sorted(Path(os.environ["QILI_RECORDS"], kind).iterdir())]
    assert files
    for file in files:
        rows = [json.loads(row)["moves"] for row in command("convert", "--to", "ndjson", str(file)).splitlines()]
        assert [game.moves for game in qili.read(file) if game.fen] == rows, file


def test_a_comparison_is_the_commands():
    amendment = ROOT / "src/rules/amendments/pawn-upgrade-struck.toml"
    said = json.loads(command("compare", "--base", "cxa-2020", "--with", "cxa-1999", "--format", "json"))
    assert qili.compare("cxa-2020", other="cxa-1999") == said
    said = json.loads(command("compare", "--base", "cxa-1999", "--amendment", str(amendment), "--format", "json"))
    assert qili.compare("cxa-1999", amendment) == said
    assert qili.compare("cxa-1999", amendment.read_text(encoding="utf-8"))["counts"] == said["counts"]
    games = "\n".join(LINES[:30]).encode()
    assert qili.compare("cxa-1999", other="wxf", games=games, cases=False) != qili.compare("cxa-1999", other="wxf", cases=False)


def test_many_requests_keep_their_order_and_their_errors():
    asked = [{"id": n, "fen": CHECKS, "moves": ROUND, "explain": "none"} if n % 7 else {"id": n} for n in range(1000)]
    said = list(qili.judge_many(asked))
    assert len(said) == 1000
    for n, one in enumerate(said):
        if n % 7:
            assert one["id"] == n and one.outcome == "loss"
        else:
            assert isinstance(one, qili.QiliError) and one.id == n


def test_columns_of_arrow_and_pandas():
    pa = pytest.importorskip("pyarrow")
    pd = pytest.importorskip("pandas")
    asked = [*LINES[:100], BAD[0]]
    said = qili.ask_many("judge", asked)
    column = pa.array(asked)
    assert qili.judge_column(column).to_pylist() == said
    assert qili.judge_column(column.slice(3, 5)).to_pylist() == said[3:8]
    assert qili.judge_column(pa.array(asked, type=pa.large_string())).to_pylist() == said
    assert qili.judge_column(pa.array([], type=pa.string())).to_pylist() == []
    assert qili.judge_column(pa.array(asked, type=pa.string_view())).to_pylist() == said
    holed = pa.chunked_array([[asked[0], None], [asked[1]]])
    assert qili.judge_column(holed).to_pylist() == [said[0], None, said[1]]
    assert qili.judge_column(pa.array([None, asked[0], None]).slice(1)).to_pylist() == [said[0], None]
    assert qili.judge_column(pa.nulls(2)).to_pylist() == [None, None]
    assert qili.judge_column(pa.chunked_array([], type=pa.string())).to_pylist() == []
    for answers in (qili.judge_column(column), qili.judge_column(holed)):
        answers.validate(full=True)
        assert answers.type == pa.large_string()
    with pytest.raises(TypeError, match="Int64 has no texts"):
        qili.judge_column(pa.array([1]))
    ends, data = pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"\xff\xff")
    with pytest.raises(pa.ArrowException, match="Invalid UTF8"):
        qili.judge_column(pa.Array.from_buffers(pa.string(), 1, [None, ends, data]))
    series = pd.Series(asked, index=range(5, 5 + len(asked)), name="ruling")
    told = qili.judge_column(series)
    assert list(told) == said and list(told.index) == list(series.index)
    assert qili.judge_column(asked) == said


def test_a_column_is_read_where_it_lies():
    pa = pytest.importorskip("pyarrow")
    # Rows that are told at once, of 4 MB each: a copy of them would be seen.
    column = pa.array(["x" * (4 << 20)] * 16)
    before = pa.total_allocated_bytes()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    said = qili.judge_column(column, threads=1)
    assert len(said) == 16 and all("error" in json.loads(row) for row in said.to_pylist())
    assert pa.total_allocated_bytes() == before
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak < 32 << 10


def test_other_threads_go_on_and_all_get_their_answers():
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    ticking = threading.Thread(target=tick)
    ticking.start()
    text = "\n".join(LINES * 2).encode()
    begun = time.monotonic()
    whole = qili.judge_ndjson(text, threads=1)
    ended = time.monotonic()
    stop.set()
    ticking.join()
    # One call of some length, and the other thread was not held up by it.
    assert sum(begun < at < ended for at in ticks) > 3
    found = {}
    work = [threading.Thread(target=lambda n=n: found.update({n: qili.judge_ndjson(text, threads=2)})) for n in range(4)]
    for one in work:
        one.start()
    for one in work:
        one.join()
    assert all(found[n] == whole for n in range(4))


def test_the_version_is_the_commands():
    assert command("--version").decode().split()[1].split("+")[0] == qili.__version__
    assert qili.version().startswith(qili.__version__ + "+")


def test_every_name_is_documented():
    for name in qili.__all__:
        assert getattr(qili, name).__doc__, name
