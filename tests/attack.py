#!/usr/bin/env python3
"""Honest callers beside hostile ones: how long single rulings take, and whether any is refused.

usage: attack.py [--seconds N] [--rounds N] [--only NAME] [--old QILI] QILI

Honest callers ask for one ordinary ruling after another, each a little after the one before was
answered; a hostile caller, with a key of its own, does one thing at a time to starve them. Prints, for
each thing, p50 and p99 of the honest rulings, the p99 against that of the round without a hostile
caller beside it, and how many were refused. With --old the same is asked of an older program.
Fails where an honest ruling is refused, or where the p99 is more than five times that without.
"""

import argparse
import hashlib
import http.client
import json
import multiprocessing
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
HONEST, PAUSE = 4, 0.01
# Two free rooks, and much to look into: the costliest kind of cycle that is known.
COSTLY_FEN, COSTLY = "5k3/3c5/9/7n1/9/5n3/1p5N1/2N6/8r/3K5 b", "i1h1 h3f2 h1i1 f2h3".split()


def cycles():
    found = []
    for line in open(os.path.join(HERE, "fixtures/wxf-cycles.tsv"), encoding="utf-8"):
        if not line.startswith("#"):
            _, fen, moves, *_ = line.rstrip("\n").split("\t")
            found.append((fen, moves.split()))
    return found


CYCLES = cycles()


def ordinary(rng):
    fen, moves = rng.choice(CYCLES)
    return json.dumps({"rules": rng.choice(["cxa-1999", "cxa-2011", "wxf"]), "fen": fen, "moves": moves})


def costly(rng, kind="game", times=12):
    # A little different each time, so that nothing is found by its text.
    return json.dumps({
        "id": rng.randrange(1 << 40), "rules": rng.choice(["cxa-1999", "cxa-2020"]), "fen": COSTLY_FEN,
        "moves": COSTLY * (times if kind == "game" else 1), "kind": kind, "budget": rng.randrange(990_000, 1_000_000),
    })


class Worker(threading.Thread):
    def __init__(self, place, key, stop):
        super().__init__(daemon=True)
        self.place, self.stop, self.rng = place, stop, random.Random(id(self))
        self.headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}

    def ask(self, connection, path, body):
        connection.request("POST", path, body, self.headers)
        answer = connection.getresponse()
        answer.read()
        return answer.status


class Honest(Worker):
    def __init__(self, *args):
        super().__init__(*args)
        self.took, self.refused, self.broken = [], 0, 0

    def run(self):
        connection = http.client.HTTPConnection(*self.place, timeout=60)
        while not self.stop.is_set():
            body = ordinary(self.rng)
            begun = time.perf_counter()
            try:
                status = self.ask(connection, "/v1/rulings", body)
                self.took.append(time.perf_counter() - begun)
                self.refused += status == 503
                self.broken += status not in (200, 503)
            except (OSError, http.client.HTTPException):
                self.broken += 1
                connection = http.client.HTTPConnection(*self.place, timeout=60)
            time.sleep(PAUSE)


class Hostile(Worker):
    """Asks for one thing again and again."""

    def __init__(self, place, key, stop, path, body):
        super().__init__(place, key, stop)
        self.path, self.body = path, body

    def run(self):
        while not self.stop.is_set():
            connection = http.client.HTTPConnection(*self.place, timeout=60)
            try:
                while not self.stop.is_set():
                    if self.ask(connection, self.path, self.body(self.rng)) >= 400:
                        time.sleep(0.002)
            except (OSError, http.client.HTTPException):
                time.sleep(0.01)


class Batch(Worker):
    """Sends lines in a stream without an end; reads the answers, or does not."""

    def __init__(self, place, key, stop, line, reads=True, gap=0.0):
        super().__init__(place, key, stop)
        self.line, self.reads, self.gap = line, reads, gap

    def run(self):
        while not self.stop.is_set():
            stream = None
            try:
                stream = socket.create_connection(self.place, timeout=60)
                head = f"POST /v1/rulings:batch HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
                head += "".join(f"{name}: {value}\r\n" for name, value in self.headers.items())
                stream.sendall(head.encode() + b"\r\n")
                if self.reads:
                    threading.Thread(target=self.drain, args=(stream,), daemon=True).start()
                while not self.stop.is_set():
                    text = self.line(self.rng).encode()
                    stream.sendall(b"%x\r\n%s\r\n" % (len(text), text))
                    if self.gap:
                        self.stop.wait(self.gap)
            except OSError:
                time.sleep(0.05)
            finally:
                if stream:
                    stream.close()

    def drain(self, stream):
        try:
            while stream.recv(1 << 16):
                pass
        except OSError:
            pass


class Idle(Worker):
    """Holds many connections and says nothing."""

    def __init__(self, place, key, stop, count):
        super().__init__(place, key, stop)
        self.count = count

    def run(self):
        held = []
        while not self.stop.is_set():
            try:
                while len(held) < self.count and not self.stop.is_set():
                    held.append(socket.create_connection(self.place, timeout=5))
            except OSError:
                pass
            self.stop.wait(1)
        for stream in held:
            stream.close()


def batch_of(line, count):
    """Lines made before they are sent: making them is not what is measured."""
    rng = random.Random(7)
    made = ["".join(line(rng) + "\n" for _ in range(count)) for _ in range(40)]
    return lambda rng: rng.choice(made)


def amendment(_):
    return json.dumps({"amendment": {
        "id": "trial", "base": "cxa-2020", "title": {"zh": "试", "en": "Trial"}, "reason": {"zh": "试", "en": "Trial"},
        "effective": "", "definitions": {"kill_is_attack": False},
    }})


def hostile(name, place, key, stop):
    def many(count, path, body):
        return [Hostile(place, key, stop, path, body) for _ in range(count)]

    def streams(count, *args):
        return [Batch(place, key, stop, *args) for _ in range(count)]

    return {
        "nobody": lambda: [],
        "audits of a costly cycle": lambda: many(8, "/v1/games:audit", costly),
        "costly single rulings": lambda: many(64, "/v1/rulings", lambda rng: costly(rng, "cycle")),
        "one batch of costly lines": lambda: streams(1, batch_of(costly, 2)),
        "batches of costly lines": lambda: streams(16, batch_of(costly, 2)),
        "one ordinary batch": lambda: streams(1, batch_of(ordinary, 200)),
        "a flood of ordinary rulings": lambda: many(64, "/v1/rulings", ordinary),
        "comparisons": lambda: many(8, "/v1/amendments:compare", amendment),
        "batches nobody reads": lambda: streams(40, batch_of(ordinary, 200), False),
        "blank lines": lambda: streams(40, lambda rng: "\n", True, 1.0),
        "10,000 idle connections": lambda: [Idle(place, key, stop, 10_000)],
    }[name]()


ALL = [
    "nobody", "audits of a costly cycle", "costly single rulings", "one batch of costly lines",
    "batches of costly lines", "one ordinary batch", "a flood of ordinary rulings", "comparisons",
    "batches nobody reads", "blank lines", "10,000 idle connections",
]


def serve(program, folder, flags):
    keys = os.path.join(folder, "keys")
    with open(keys, "w", encoding="utf-8") as file:
        for name in ("honest", "hostile"):
            file.write(f"{hashlib.sha256(name.encode()).hexdigest()} judge,admin {name}\n")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = open(os.path.join(folder, "log"), "ab")
    command = [program, "serve", "--bind", f"127.0.0.1:{port}", "--database", "none", "--cache", "0", "--keys", keys]
    process = subprocess.Popen(command + flags, stderr=log)
    for _ in range(400):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/healthz")
            if connection.getresponse().status == 200:
                return process, ("127.0.0.1", port)
        except OSError:
            time.sleep(0.02)
    sys.exit("the service does not start")


def quantile(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else float("nan")


def attack(name, place, who):
    os.nice(10)
    stop = threading.Event()
    for one in hostile(name, place, who, stop):
        one.start()
    time.sleep(3600)


def measure(program, name, seconds, who, flags):
    """Honest callers for so long; with a new service, so that no round bears on another."""
    with tempfile.TemporaryDirectory(prefix="qili-attack-") as folder:
        process, place = serve(program, folder, flags)
        try:
            stop = threading.Event()
            # On a machine of its own, as it were: it takes no processor from those it is to starve.
            attacker = multiprocessing.Process(target=attack, args=(name, place, who), daemon=True)
            attacker.start()
            time.sleep(2)
            callers = [Honest(place, "honest", stop) for _ in range(HONEST)]
            for caller in callers:
                caller.start()
            time.sleep(seconds)
            stop.set()
            for caller in callers:
                caller.join(timeout=60)
            attacker.kill()
            attacker.join()
            if process.poll() is not None:
                sys.exit(f"the service has died: {process.returncode}")
            return callers
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--old")
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--only", action="append")
    parser.add_argument("--as-honest", action="store_true", help="the hostile caller has the honest ones' key")
    parser.add_argument("flags", nargs="*", default=[])
    args = parser.parse_args()
    who = "honest" if args.as_honest else "hostile"
    programs = [("", args.program)] + ([("old: ", args.old)] if args.old else [])
    print("| beside | honest rulings | p50 ms | p99 ms | p99 / without | 503 | broken |\n|---|---|---|---|---|---|---|")
    bad = []
    for told, program in programs:
        base = []
        for name in [name for name in ALL if name == "nobody" or not args.only or name in args.only]:
            took, refused, broken = [], 0, 0
            for _ in range(args.rounds):
                callers = measure(program, name, args.seconds, who, args.flags)
                took += [one for caller in callers for one in caller.took]
                refused += sum(caller.refused for caller in callers)
                broken += sum(caller.broken for caller in callers)
            p50, p99 = quantile(took, 0.5) * 1e3, quantile(took, 0.99) * 1e3
            base = base or [p99]
            ratio = p99 / base[0]
            print(f"| {told}{name} | {len(took)} | {p50:.2f} | {p99:.2f} | {ratio:.1f} | {refused} | {broken} |", flush=True)
            if not told and (ratio > 5 or refused or broken or not took):
                bad.append(name)
    if bad:
        sys.exit("too much beside: " + ", ".join(bad))


main()
