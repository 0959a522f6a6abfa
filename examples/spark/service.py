"""Judges an archive on Spark by way of the HTTP service, several instances behind a balancer.

    ./serve.sh 2 &
    spark-submit service.py games.ndjson rulings --url http://127.0.0.1:18490

Each line of the input is a request, with the rule book it wants; each of the output the ruling due
after its last move: the bytes that `qili judge --format ndjson games.ndjson` writes. Batches are
sent again where the service is full or an instance has gone; a ruling is the same whoever gives it.

With --record every ruling is kept in the store that the instances share, under a number of its
own. A line is then a request by itself, with an `Idempotency-Key`: however often a task or a
connection is lost and the line sent again, its ruling is there once.
"""

import hashlib
import http.client
import json
import time
import urllib.parse

from session import arguments, exactly, session

# A batch stays below the service's --max-body: it is then taken in whole before it is answered, as
# a proxy needs it that does not carry both ways at once.
LINES = 500
BYTES = 1 << 19
TRIES = 60
# The body was cut short on its way, too much was asked at once, or there was no instance.
AGAIN = (408, 429, 502, 503, 504)


class Service:
    """The service, asked again and again until it answers."""

    def __init__(self, url):
        self.at = urllib.parse.urlsplit(url)
        self.connection = None

    def once(self, path, body, headers):
        """Status, headers and text of one answer, over a connection that is kept."""
        if self.connection is None:
            self.connection = http.client.HTTPConnection(self.at.hostname, self.at.port, timeout=60)
        try:
            self.connection.request("POST", path, body, headers)
            answer = self.connection.getresponse()
            return answer.status, answer.headers, answer.read().decode()
        except (OSError, http.client.HTTPException):
            self.connection.close()
            self.connection = None
            raise

    def ask(self, path, body, headers, whole):
        """The text of the first answer that is whole."""
        for attempt in range(TRIES):
            wait = 0.2
            try:
                status, told, text = self.once(path, body, headers)
                if status == 200 and whole(text):
                    return text
                if status != 200 and status not in AGAIN:
                    raise RuntimeError(f"{status}: {text[:300]}")
                wait = float(told.get("Retry-After") or wait)
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(min(wait, 5.0) * (1 + attempt / 10))
        raise RuntimeError(f"no answer from {self.at.geturl()}")


def batched(url):
    """Sends the lines of a partition in batches, one after the other."""

    def partition(lines):
        service = Service(url)

        def rulings(batch):
            body = "".join(f"{line}\n" for line in batch).encode()
            # A batch that was cut short has fewer lines: it is sent again as a whole.
            whole = lambda text: text.count("\n") == len(batch)
            headers = {"content-type": "application/x-ndjson"}
            return service.ask("/v1/rulings:batch", body, headers, whole).split("\n")[:-1]

        batch, size = [], 0
        for line in lines:
            length = len(line.encode()) + 1
            if batch and (len(batch) == LINES or size + length > BYTES):
                yield from rulings(batch)
                batch, size = [], 0
            batch.append(line)
            size += length
        if batch:
            yield from rulings(batch)

    return partition


def recorded(url):
    """Sends the lines of a partition one by one, each ruling to be kept."""

    def partition(lines):
        service = Service(url)
        for line in lines:
            body = json.dumps({**json.loads(line), "record": True}).encode()
            headers = {
                "content-type": "application/json",
                "idempotency-key": hashlib.sha256(body).hexdigest(),
            }
            yield service.ask("/v1/rulings", body, headers, bool)

    return partition


def main():
    parser = arguments("Judges an archive on Spark by way of the HTTP service.")
    parser.add_argument("--url", default="http://127.0.0.1:18490", help="the balancer")
    parser.add_argument("--record", action="store_true", help="keep every ruling in the store")
    args = parser.parse_args()
    spark = session("qili http", args.master)
    context = spark.sparkContext
    begun = time.monotonic()
    least = args.partitions or context.defaultParallelism
    games = context.textFile(args.input, least).filter(lambda line: line.strip())
    way = recorded if args.record else batched
    games.mapPartitions(way(args.url)).saveAsTextFile(args.output)
    took = time.monotonic() - begun
    exactly("requests", games.count(), context.textFile(args.output).count())
    print(f"answered in {took:.1f} s", flush=True)
    spark.stop()


if __name__ == "__main__":
    main()
