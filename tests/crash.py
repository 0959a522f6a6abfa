#!/usr/bin/env python3
"""Kills the service in the middle of its work, again and again, and counts what is lost.

usage: crash.py [--kills N] [--url URL] [--forgetful] QILI

Clients ask for rulings to be kept, without a pause; the service is killed (SIGKILL) at a random
moment and started anew, and every other time PostgreSQL is, where that is the store. In the end
every ruling that was acknowledged must be there, to the byte under its number; the database itself
must have one row of each, and one at most of whatever was not acknowledged, however often it was
sent under its Idempotency-Key; and be sound.

With --forgetful the store is made to forget those keys: then the test must see it, and fails if not.
"""

import argparse
import collections
import http.client
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

FEN = "2b6/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"
MOVES = ["f0e0", "e8f8", "e0f0", "f8e8"]
CLIENTS = 8
# Of the rulings acknowledged under a key, this part is asked for once more.
AGAIN = 0.2
# A machine may be slow: what takes longer than this has failed.
PATIENCE = 180

FORGETS_SQLITE = """
CREATE TRIGGER forgets AFTER INSERT ON rulings BEGIN
    UPDATE rulings SET idempotency_key = NULL WHERE number = NEW.number;
END
"""
FORGETS_POSTGRES = """
CREATE FUNCTION forgets() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN NEW.idempotency_key := NULL; RETURN NEW; END $$;
CREATE TRIGGER forgets BEFORE INSERT ON rulings FOR EACH ROW EXECUTE FUNCTION forgets();
"""


def is_ready(port):
    try:
        ready = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        ready.request("GET", "/readyz")
        return ready.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False


def start(program, url, port, log):
    process = subprocess.Popen(
        [program, "serve", "--bind", f"127.0.0.1:{port}", "--database", url, "--log", "warn"],
        stderr=log,
    )
    begun = time.monotonic()
    while time.monotonic() - begun < PATIENCE:
        if process.poll() is not None:
            sys.exit(f"the service ended by itself: {process.returncode}")
        if is_ready(port):
            return process
        time.sleep(0.02)
    process.kill()
    sys.exit(f"the service was not ready within {PATIENCE} s")


class Client(threading.Thread):
    def __init__(self, index, port, stop):
        super().__init__(daemon=True)
        self.index, self.port, self.stop = index, port, stop
        self.kept, self.unsure, self.refused = [], 0, 0
        self.rng = random.Random(index)
        # What was sent under a key, and what was sent once without.
        self.keyed, self.once = set(), set()

    def run(self):
        count, connection, pending = 0, None, None
        while not self.stop.is_set():
            if pending is None:
                count += 1
                name = f"{self.index}-{count}"
                body = json.dumps({"id": name, "fen": FEN, "moves": MOVES, "explain": "none", "record": True})
                # Every other one is sent again under the same word until it is acknowledged.
                pending = (name, body, {"Idempotency-Key": name} if count % 2 else {})
                (self.keyed if count % 2 else self.once).add(name)
            name, body, headers = pending
            try:
                if connection is None:
                    connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
                connection.request("POST", "/v1/rulings", body, headers)
                answer = connection.getresponse()
                text = answer.read()
                if answer.status == 200:
                    self.kept.append((answer.headers["Qili-Ruling-Number"], name, text))
                    # As one does who has not seen the answer.
                    if not headers or self.rng.random() >= AGAIN:
                        pending = None
                else:
                    self.refused += 1
                    # What was refused while its database died may be in it: only a word makes it
                    # safe to ask again.
                    if not headers:
                        pending = None
                    time.sleep(0.01)
            except (OSError, http.client.HTTPException):
                connection = None
                self.unsure += 1
                if not headers:
                    pending = None
                time.sleep(0.005)


def listed(port):
    """Every ruling there is, by its number: what it says."""
    found, cursor = {}, ""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    while True:
        connection.request("GET", f"/v1/rulings?limit=200{cursor}")
        page = json.loads(connection.getresponse().read())
        for item in page["items"]:
            if item["number"] in found:
                sys.exit(f"{item['number']} is listed twice")
            found[item["number"]] = item
        if page["next"] is None:
            return found
        cursor = "&cursor=" + page["next"]


def psql(url, statement):
    command = [os.path.join(os.environ["QILI_PG_BIN"], "psql"), "-qAt", "-v", "ON_ERROR_STOP=1", url, "-c", statement]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE).stdout


def rows(url):
    """How many rows the database has of each request, by the id its caller gave it."""
    if url.startswith("sqlite:"):
        with sqlite3.connect(url.removeprefix("sqlite:")) as database:
            found = [text for (text,) in database.execute("SELECT request FROM rulings")]
        return collections.Counter(json.loads(text)["id"] for text in found)
    return collections.Counter(psql(url, "SELECT request::json ->> 'id' FROM rulings").split())


def forget_words(url):
    if url.startswith("sqlite:"):
        with sqlite3.connect(url.removeprefix("sqlite:"), timeout=60) as database:
            database.executescript(FORGETS_SQLITE)
    else:
        psql(url, FORGETS_POSTGRES)


def kill_postgres():
    """As a machine does that loses its power, but for the disk: and starts it anew."""
    data, folder = os.environ["QILI_PG_DATA"], os.environ["QILI_PG_BIN"]
    with open(os.path.join(data, "postmaster.pid"), encoding="utf-8") as file:
        os.kill(int(file.readline()), signal.SIGKILL)
    as_its_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.getuid() == 0 else []
    start = as_its_user + [os.path.join(folder, "pg_ctl"), "-D", data, "-w", "-t", str(PATIENCE), "-l", data + "/../log"]
    start += ["-o", os.environ["QILI_PG_OPTIONS"], "start"]
    begun = time.monotonic()
    # Not before those it has started have noticed that it is gone.
    while subprocess.run(start, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
        if time.monotonic() - begun > PATIENCE:
            sys.exit("PostgreSQL does not come back")
        time.sleep(0.1)


def free_port():
    """Below those the system gives to callers: none of them may have it while the service is down."""
    while True:
        port = random.randrange(10_000, 32_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def sound(url):
    """Whether the database itself says that it is whole."""
    if url.startswith("sqlite:"):
        with sqlite3.connect(url.removeprefix("sqlite:")) as database:
            (answer,) = database.execute("PRAGMA integrity_check").fetchone()
            broken = database.execute("PRAGMA foreign_key_check").fetchall()
            return answer == "ok" and not broken
    folder = os.environ.get("QILI_PG_BIN")
    if not folder:
        return True
    parts = urllib.parse.urlsplit(url)
    check = [os.path.join(folder, "pg_amcheck"), "--install-missing", "-h", parts.hostname, "-p", str(parts.port)]
    check += ["-U", parts.username, "-d", parts.path.lstrip("/"), "--heapallindexed"]
    done = subprocess.run(check, capture_output=True, text=True)
    # Where the server has no amcheck extension, dumping every table reads all of it.
    if "amcheck" in done.stderr and "not available" in done.stderr:
        dump = [os.path.join(folder, "pg_dump"), url, "-f", os.devnull]
        return subprocess.run(dump).returncode == 0
    print(done.stdout + done.stderr, end="", file=sys.stderr)
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--url")
    parser.add_argument("--forgetful", action="store_true")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    args = parser.parse_args()
    random.seed(args.seed)
    port = free_port()
    folder = tempfile.TemporaryDirectory(prefix="qili-crash-")
    url = args.url or f"sqlite:{folder.name}/qili.db"
    log = open(os.path.join(folder.name, "log"), "wb")
    stop = threading.Event()
    clients = [Client(index, port, stop) for index in range(CLIENTS)]
    process = start(args.program, url, port, log)
    if args.forgetful:
        forget_words(url)
    for client in clients:
        client.start()
    on_postgres, databases = not url.startswith("sqlite:"), 0
    for kill in range(args.kills):
        time.sleep(random.uniform(0.02, 0.5))
        if on_postgres and kill % 2:
            kill_postgres()
            databases += 1
            continue
        process.send_signal(signal.SIGKILL)
        process.wait()
        process = start(args.program, url, port, log)
    # However slow the machine: until there is something to count.
    begun = time.monotonic()
    while sum(len(client.kept) for client in clients) < 200 and time.monotonic() - begun < PATIENCE:
        time.sleep(0.1)
    time.sleep(0.3)
    stop.set()
    for client in clients:
        client.join()
    acknowledged = [kept for client in clients for kept in client.kept]
    # The last kill may have been the database's.
    begun = time.monotonic()
    while time.monotonic() - begun < PATIENCE and not is_ready(port):
        time.sleep(0.1)
    found = listed(port)
    lost = [number for number, _, _ in acknowledged if number not in found]
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    altered, words = 0, {}
    for number, name, text in acknowledged:
        if number in found:
            connection.request("GET", f"/v1/rulings/{number}")
            if b'"ruling":' + text not in connection.getresponse().read():
                altered += 1
        words.setdefault(name, set()).add(number)
    twice = sum(len(numbers) > 1 for numbers in words.values())
    process.terminate()
    process.wait()
    counts = rows(url)
    sent = set().union(*(client.keyed | client.once for client in clients))
    missing = sum(counts[name] == 0 for name in words)
    doubled = sum(count > 1 for count in counts.values())
    strange = sum(name not in sent for name in counts)
    whole = sound(url)
    kind = "SQLite" if url.startswith("sqlite:") else "PostgreSQL"
    print(
        f"{kind}: {args.kills} kills, {len(acknowledged)} acknowledged, {len(lost)} lost, {altered} altered, "
        f"{twice} with two numbers, {doubled} in two rows, {missing} without a row, {strange} nobody asked for, "
        f"{len(counts.keys() - words.keys())} kept but not acknowledged, {databases} of the kills PostgreSQL, "
        f"{sum(client.unsure for client in clients)} broken off, {sum(client.refused for client in clients)} refused, "
        f"database {'sound' if whole else 'DAMAGED'} (seed {args.seed})"
    )
    if args.forgetful:
        print("a store that forgets its keys is " + ("seen" if twice and doubled else "NOT SEEN"))
        sys.exit(0 if twice and doubled else 1)
    ok = acknowledged and not (lost or altered or twice or doubled or missing or strange) and whole
    sys.exit(0 if ok else 1)


main()
