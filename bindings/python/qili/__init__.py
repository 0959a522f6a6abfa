"""棋例 qili: adjudicates repetition in xiangqi by the clauses of the rule books, with its reasons.

>>> import qili
>>> ruling = qili.judge(fen="2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", moves="车四平五 将5平6 车五平四 将6平5")
>>> ruling.outcome, ruling.side, ruling.clauses
('loss', 'red', ['24.1', '26.1'])

The judge itself works here, without a server; answers are to the byte what the command ``qili`` and its
HTTP service say, and other threads go on while it works.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Union

from . import _qili

__all__ = [
    "Audit", "Board", "Game", "Games", "QiliError", "Ruling", "ask", "ask_many", "audit", "board", "book", "books", "compare",
    "judge", "judge_column", "judge_many", "judge_ndjson", "limit", "read", "verify", "version",
]

__version__ = _qili.VERSION.split("+")[0]

Operation = Literal["judge", "verify", "audit", "next", "classify", "read", "list", "limit", "board", "books", "book", "version"]
Moves = Union[str, Sequence[str]]
Json = dict[str, Any]


class QiliError(ValueError):
    """What is wrong with a question, and where.

    ``code`` is a stable name, ``detail`` and ``detail_zh`` say what is wrong in English and Chinese, ``pointer`` is
    a JSON pointer to the offending value, ``index`` the move at fault (0 for the first), ``id`` that of the request.
    """

    code: str
    detail: str
    detail_zh: str
    pointer: str | None
    index: int | None
    id: Any

    def __init__(self, told: Mapping[str, Any], id: Any = None) -> None:
        super().__init__(told.get("detail", ""))
        self.code = told.get("code", "")
        self.detail = told.get("detail", "")
        self.detail_zh = told.get("detail_zh", "")
        self.pointer = told.get("pointer")
        self.index = told.get("index")
        self.id = id

    def __reduce__(self) -> tuple[Any, ...]:
        told = {key: getattr(self, key) for key in ("code", "detail", "detail_zh", "pointer", "index")}
        return QiliError, (told, self.id)


def _told(error: ValueError) -> QiliError | None:
    try:
        told = json.loads(str(error))
        return QiliError(told["error"], told.get("id"))
    except (ValueError, KeyError, TypeError):
        return None


def ask(operation: Operation, question: str | bytes = "{}") -> str:
    """Asks by name; the text of the answer is to the byte what the command says.

    Raises ``QiliError`` where it cannot be answered.
    """
    try:
        return _qili.answer(operation, question)
    except ValueError as error:
        raise _told(error) or error from None


def ask_many(operation: Operation, questions: Iterable[str | bytes], *, threads: int = 0) -> list[str]:
    """Many questions at once, on one thread a core; what is wrong with one is told in its place:
    ``{"id": …, "error": {…}}``.
    """
    try:
        return _qili.answers(operation, list(questions), threads)
    except ValueError as error:
        raise _told(error) or error from None


class Ruling(dict[str, Any]):
    """A ruling: a ``dict`` in the shape of the contract, with the words most asked for as attributes."""

    @property
    def outcome(self) -> str:
        """``draw``, ``must_change``, ``loss``, ``none`` or ``undetermined``."""
        return str(self["verdict"]["outcome"])

    @property
    def side(self) -> str | None:
        """Who must change or loses."""
        side = self["verdict"]["side"]
        return None if side is None else str(side)

    @property
    def clauses(self) -> list[str]:
        """The clauses that decide."""
        return list(self["verdict"]["clauses"])

    @property
    def natures(self) -> list[str | None]:
        """The nature of each move of one period."""
        return [move.get("nature") for move in self["moves"]]

    @property
    def proof(self) -> Json | None:
        """The certificate, where ``explain`` was ``proof`` and one can be given: ``qili.verify`` checks it."""
        proof = self.get("proof")
        return None if proof is None else dict(proof)

    def reason(self, language: Literal["zh", "en"] = "zh") -> str:
        """Why, in words; empty where ``explain`` was ``none``."""
        return str(self["verdict"].get("reason", {}).get(language, ""))


class Audit(dict[str, Any]):
    """Everything that was due in a game: a ``dict`` in the shape of ``POST /v1/games:audit``."""

    @property
    def rulings(self) -> list[tuple[int, Ruling]]:
        """After how many plies something was due, and the ruling on it."""
        return [(one["after_ply"], Ruling(one["ruling"])) for one in self["pending"]]


class Board(str):
    """A board as SVG, shown by notebooks."""

    def _repr_svg_(self) -> str:
        return str(self)


def _listed(moves: Moves) -> list[str]:
    return moves.replace(",", " ").split() if isinstance(moves, str) else [str(move) for move in moves]


def _request(request: Mapping[str, Any] | None, moves: Moves | None, more: Mapping[str, Any]) -> str:
    asked = dict(request or {})
    asked.update({key: value for key, value in more.items() if value is not None})
    if moves is not None:
        asked["moves"] = _listed(moves)
    return json.dumps(asked, ensure_ascii=False)


def judge(request: Mapping[str, Any] | None = None, /, *, moves: Moves | None = None, fen: str | None = None,
          rules: str | None = None, kind: Literal["cycle", "game"] | None = None, **more: Any) -> Ruling:
    """The ruling on a cycle or a game.

    ``moves`` is a list, or a text with spaces between, in any notation; ``rules`` a book (``cxa-1999`` where
    missing), ``kind`` ``cycle`` (default: exactly one period) or ``game``. Whatever else a request may have
    (``explain``, ``ordered``, ``assertions``, ``budget``, ``claimed``, ``id``) goes by its name; or the whole request is given
    as a mapping. Raises ``QiliError``.
    """
    return Ruling(json.loads(ask("judge", _request(request, moves, {"fen": fen, "rules": rules, "kind": kind, **more}))))


def verify(certificate: Mapping[str, Any] | str | bytes) -> Json:
    """Whether a certificate proves what it claims; it is the ``proof`` of a ruling asked for with ``explain="proof"``.

    ``{"verified": True, "moves": …, "numbers": …}``, or ``{"verified": False, "claim": …, "detail": …}`` with ``ply`` (0 for
    the first) and ``at`` (how far in the proof) where they are known. Raises ``QiliError`` where it is no certificate, or about
    a book that is not built in.

    >>> ruling = judge(fen="2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", moves="f0e0 e8f8 e0f0 f8e8", explain="proof")
    >>> verify(ruling.proof)["verified"]
    True
    """
    asked = certificate if isinstance(certificate, (str, bytes)) else json.dumps(certificate, ensure_ascii=False)
    return dict(json.loads(ask("verify", asked)))


def judge_many(requests: Iterable[Mapping[str, Any] | str | bytes], *, threads: int = 0) -> Iterator[Ruling | QiliError]:
    """Rulings on many requests in their order, on one thread a core. What is wrong with one is given in its
    place as a ``QiliError``, not raised; the others are judged all the same.
    """
    texts = [one if isinstance(one, (str, bytes)) else json.dumps(one, ensure_ascii=False) for one in requests]
    for text in ask_many("judge", texts, threads=threads):
        said = json.loads(text)
        yield QiliError(said["error"], said["id"]) if "error" in said else Ruling(said)


def judge_ndjson(text: str | bytes, *, threads: int = 0) -> bytes:
    """NDJSON in, NDJSON out, as ``qili judge --format ndjson`` does it: the same bytes."""
    return _qili.lines("judge", text, threads)


def judge_column(column: Any, *, threads: int = 0) -> Any:
    """A column of requests (JSON texts) to a column of rulings, in their order; an error stands in its place.

    A pyarrow ``Array`` or ``ChunkedArray`` of strings gives one of large strings: it is read where it lies, and no row becomes
    an object of Python; a pandas ``Series`` gives a ``Series`` with the same index; anything else a list. Missing values stay missing.
    """
    kind = type(column).__module__.split(".")[0]
    if kind == "pyarrow":
        return _arrow(column, threads)
    if kind == "pandas":
        try:
            import pyarrow as pa  # noqa: PLC0415
        except ImportError:
            asked = [text for text in column if isinstance(text, str)]
            said = iter(ask_many("judge", asked, threads=threads))
            return type(column)([next(said) if isinstance(text, str) else None for text in column], index=column.index, dtype=object)
        # What is Arrow's already stays where it is.
        said = _arrow(pa.chunked_array([pa.Array.from_pandas(column, type=pa.large_string())]), threads)
        return type(column)(said.to_pandas().array, index=column.index, name=column.name)
    return ask_many("judge", column, threads=threads)


def _arrow(column: Any, threads: int) -> Any:
    import pyarrow as pa  # noqa: PLC0415

    if isinstance(column, pa.ChunkedArray):
        return pa.chunked_array([_arrow(chunk, threads) for chunk in column.chunks], type=pa.large_string())
    return _qili.column("judge", column, threads)


class Game:
    """A game: where it starts, its moves in any notation, and what its record says of it."""

    #: The start position; ``None`` is the opening.
    fen: str | None
    #: The moves.
    moves: list[str]
    #: The book it is judged by.
    rules: str | None
    #: ``title``, ``red``, ``black``, ``event``, ``date``, ``result``, as far as its record says so.
    tags: dict[str, str]
    #: Where its record breaks off, if it does: the moves before are there.
    fault: QiliError | None

    def __init__(self, moves: Moves = (), *, fen: str | None = None, rules: str | None = None,
                 tags: Mapping[str, str] | None = None, fault: QiliError | None = None) -> None:
        self.moves = _listed(moves)
        self.fen = fen
        self.rules = rules
        self.tags = dict(tags or {})
        self.fault = fault

    def __repr__(self) -> str:
        players = f"{self.tags['red']} – {self.tags['black']}, " if self.tags.get("red") and self.tags.get("black") else ""
        return f"<qili.Game {players}{len(self.moves)} plies>"

    def __len__(self) -> int:
        return len(self.moves)

    def push(self, move: str) -> None:
        """Plays a move, in any notation; raises ``QiliError`` where it cannot be played."""
        longer = Game([*self.moves, move], fen=self.fen, rules=self.rules)
        longer.next(explain="none")
        self.moves.append(move)

    def _asked(self, more: Mapping[str, Any]) -> str:
        return _request(None, self.moves, {"fen": self.fen, "rules": self.rules, "kind": "game", **more})

    def judge(self, **more: Any) -> Ruling:
        """The ruling due after the last move; ``outcome`` is ``none`` where no repetition calls for one."""
        return Ruling(json.loads(ask("judge", self._asked(more))))

    def audit(self, **more: Any) -> Audit:
        """Everything that was due in it, and the natural move limit."""
        return Audit(json.loads(ask("audit", self._asked(more))))

    def next(self, **more: Any) -> list[Json]:
        """What each legal next move would bring."""
        return list(json.loads(ask("next", self._asked(more)))["continuations"])

    def classify(self, **more: Any) -> Json:
        """What the last move is."""
        return dict(json.loads(ask("classify", self._asked(more)))["move"])

    def limit(self, **more: Any) -> Json:
        """The audit of the natural move limit: ``claim="red"``, ``after=…`` and so on."""
        return dict(json.loads(ask("limit", _request(None, self.moves, {"fen": self.fen, "rules": self.rules, **more}))))

    def position(self) -> str:
        """The position after the last move, as FEN."""
        return str(json.loads(ask("next", self._asked({"explain": "none"})))["fen"])

    def board(self, **options: Any) -> Board:
        """The board after the last move: ``lang``, ``theme``, ``coordinates``, ``flipped``, ``caption``, ``arrows``."""
        if self.moves:
            options.setdefault("move", self.classify(explain="none")["iccs"])
        return board(self.position(), **options)

    def _repr_svg_(self) -> str:
        return str(self.board())


def audit(game: Game | Mapping[str, Any], **more: Any) -> Audit:
    """Everything that was due in a game, and the natural move limit."""
    if isinstance(game, Game):
        return game.audit(**more)
    return Audit(json.loads(ask("audit", _request(game, None, more))))


def limit(game: Game | Mapping[str, Any], **more: Any) -> Json:
    """The audit of the natural move limit, as ``qili limit --format json`` tells it."""
    if isinstance(game, Game):
        return game.limit(**more)
    return dict(json.loads(ask("limit", _request(game, None, more))))


class Games(list[Game]):
    """The games of a file, in their order."""

    #: Whether the file has more: 2,000 games are listed, or as many as have 200,000 moves together.
    more: bool = False


def read(file: str | os.PathLike[str] | bytes) -> Games:
    """The games of a file in any form that is read (XQF, CBL, CBR, CBF, 东萍, PGN, moves …), told by its content.

    A path, or the bytes themselves. A game that breaks off is given as far as it goes, with its ``fault``. What is no
    record at all raises ``QiliError``. Of a file with more than 2,000 games, or 200,000 moves, the first ones are given; ``more``
    says so, and a warning does: archives are for the command ``qili archive``.
    """
    content = file if isinstance(file, bytes) else Path(file).read_bytes()
    listed = json.loads(ask("list", content))
    games = Games()
    for row in listed["games"]:
        tags = {key: row[key] for key in ("title", "red", "black", "event", "date", "result") if row[key]}
        fault = row["fault"] and {**row["fault"], "detail": row["fault"]["detail"]["en"], "detail_zh": row["fault"]["detail"]["zh"]}
        games.append(Game(row["moves"], fen=row["fen"] or None, tags=tags, fault=QiliError(fault) if fault else None))
    games.more = listed["more"]
    if games.more:
        warnings.warn(f"only the first {len(games)} games of the file are read", stacklevel=2)
    return games


def compare(base: str, amendment: str | os.PathLike[str] | None = None, *, other: str | None = None, set: Sequence[str] = (),
            games: bytes | str | os.PathLike[str] | None = None, cases: bool = True) -> Json:
    """What changes under another book: an ``amendment`` (its TOML text, or the path of its file), an ``other`` book, or
    parameters at other values (``set=["pawn_upgrade=false"]``), over the published ``cases`` and ``games`` (bytes, or a path).
    """
    text = None
    if isinstance(amendment, os.PathLike) or (isinstance(amendment, str) and "\n" not in amendment):
        text = Path(amendment).read_text(encoding="utf-8")
    elif amendment is not None:
        text = amendment
    content = games if games is None or isinstance(games, bytes) else Path(games).read_bytes()
    if text is None and other is None and not set:
        raise TypeError("`amendment`, `other` or `set` says what is compared")
    try:
        return dict(json.loads(_qili.compare(base, text, other, list(set), content, cases)))
    except ValueError as error:
        raise _told(error) or error from None


def board(fen: str, **options: Any) -> Board:
    """A board: ``move``, ``arrows``, ``lang``, ``theme``, ``coordinates``, ``flipped``, ``caption``. Notebooks show it."""
    return Board(ask("board", json.dumps({"fen": fen, **options}, ensure_ascii=False)))


def books() -> list[Json]:
    """The rule books."""
    return list(json.loads(ask("books"))["rulesets"])


def book(id: str) -> Json:
    """A rule book in full."""
    return dict(json.loads(ask("book", json.dumps({"id": id}))))


def version() -> str:
    """Which build this is, with the commit it was made from."""
    return str(_qili.VERSION)
