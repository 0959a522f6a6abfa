#!/usr/bin/env python3
"""Kills the service in the middle of its work, again and again, and counts what is lost.

usage: crash.py [--kills N] [--url URL] [--port PORT] QILI

Clients ask for rulings to be kept, without a pause; the service is killed (SIGKILL) at a random
moment and started anew. In the end every ruling that was acknowledged must be there, to the byte
under its number, none twice under one Idempotency-Key, and the database sound.
"""

import argparse
import http.client
import json
import os
import random
import signal
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


def start(program, url, port, log):
    process = subprocess.Popen(
        [program, "serve", "--bind", f"127.0.0.1:{port}", "--database", url, "--log", "warn"],
        stderr=log,
    )
    begun = time.monotonic()
    while time.monotonic() - begun < 60:
        if process.poll() is not None:
            sys.exit(f"the service ended by itself: {process.returncode}")
        try:
            ready = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            ready.request("GET", "/readyz")
            if ready.getresponse().status == 200:
                return process
        except OSError:
            pass
        time.sleep(0.02)
    sys.exit("the service was not ready within a minute")


class Client(threading.Thread):
    def __init__(self, index, port, stop):
        super().__init__(daemon=True)
        self.index, self.port, self.stop = index, port, stop
        self.kept, self.unsure, self.refused = [], 0, 0

    def run(self):
        count, connection, pending = 0, None, None
        while not self.stop.is_set():
            if pending is None:
                count += 1
                name = f"{self.index}-{count}"
                body = json.dumps({"id": name, "fen": FEN, "moves": MOVES, "explain": "none", "record": True})
                # Every other one is sent again under the same word until it is acknowledged.
                pending = (name, body, {"Idempotency-Key": name} if count % 2 else {})
            name, body, headers = pending
            try:
                if connection is None:
                    connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
                connection.request("POST", "/v1/rulings", body, headers)
                answer = connection.getresponse()
                text = answer.read()
                if answer.status == 200:
                    self.kept.append((answer.headers["Qili-Ruling-Number"], name, text))
                    pending = None
                else:
                    self.refused += 1
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
    parser.add_argument("--port", type=int, default=18290)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    args = parser.parse_args()
    random.seed(args.seed)
    folder = tempfile.TemporaryDirectory(prefix="qili-crash-")
    url = args.url or f"sqlite:{folder.name}/qili.db"
    log = open(os.path.join(folder.name, "log"), "wb")
    stop = threading.Event()
    clients = [Client(index, args.port, stop) for index in range(CLIENTS)]
    process = start(args.program, url, args.port, log)
    for client in clients:
        client.start()
    for _ in range(args.kills):
        time.sleep(random.uniform(0.02, 0.5))
        process.send_signal(signal.SIGKILL)
        process.wait()
        process = start(args.program, url, args.port, log)
    time.sleep(0.3)
    stop.set()
    for client in clients:
        client.join()
    acknowledged = [kept for client in clients for kept in client.kept]
    found = listed(args.port)
    lost = [number for number, _, _ in acknowledged if number not in found]
    connection = http.client.HTTPConnection("127.0.0.1", args.port, timeout=60)
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
    whole = sound(url)
    kind = "SQLite" if url.startswith("sqlite:") else "PostgreSQL"
    print(
        f"{kind}: {args.kills} kills, {len(acknowledged)} acknowledged, {len(lost)} lost, {altered} altered, "
        f"{twice} twice under one key, {len(found) - len(acknowledged) + len(lost)} kept but not acknowledged, "
        f"{sum(client.unsure for client in clients)} broken off, {sum(client.refused for client in clients)} refused, "
        f"database {'sound' if whole else 'DAMAGED'} (seed {args.seed})"
    )
    ok = acknowledged and not lost and not altered and not twice and whole
    sys.exit(0 if ok else 1)


main()
