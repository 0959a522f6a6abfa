"""Judges an archive on Spark by way of the HTTP service, several instances behind a balancer.

    ./serve.sh 2 &
    spark-submit service.py games.ndjson rulings --url http://127.0.0.1:18490

Each line of the input is a request, with the rule book it wants; each of the output the ruling due
after its last move: the bytes that `qili judge --format ndjson games.ndjson` writes. Batches are
sent again where the service is full or an instance has gone; a ruling is the same whoever gives it.
"""

import http.client
import time
import urllib.parse

from session import arguments, exactly, session

LINES = 500
TRIES = 60


def rulings(url):
    """Sends the lines of a partition in batches, one after the other."""
    at = urllib.parse.urlsplit(url)

    def ask(lines):
        body = "\n".join(lines).encode()
        for attempt in range(TRIES):
            try:
                connection = http.client.HTTPConnection(at.hostname, at.port, timeout=120)
                headers = {"content-type": "application/x-ndjson"}
                connection.request("POST", "/v1/rulings:batch", body, headers)
                answer = connection.getresponse()
                text = answer.read().decode()
                connection.close()
                if answer.status == 200:
                    told = text.split("\n")[:-1]
                    # A batch that was cut short has fewer lines: it is sent again as a whole.
                    if len(told) == len(lines):
                        return told
                elif answer.status not in (429, 502, 503, 504):
                    raise RuntimeError(f"{answer.status}: {text[:300]}")
                wait = float(answer.headers.get("Retry-After") or 0.2)
            except (OSError, http.client.HTTPException):
                wait = 0.2
            time.sleep(min(wait, 5.0) * (1 + attempt / 10))
        raise RuntimeError(f"no answer from {url}")

    def partition(lines):
        waiting = []
        for line in lines:
            waiting.append(line)
            if len(waiting) == LINES:
                yield from ask(waiting)
                waiting = []
        if waiting:
            yield from ask(waiting)

    return partition


def main():
    parser = arguments("Judges an archive on Spark by way of the HTTP service.")
    parser.add_argument("--url", default="http://127.0.0.1:18490", help="the balancer")
    args = parser.parse_args()
    spark = session("qili http", args.master)
    context = spark.sparkContext
    begun = time.monotonic()
    least = args.partitions or context.defaultParallelism
    games = context.textFile(args.input, least).filter(lambda line: line.strip())
    games.mapPartitions(rulings(args.url)).saveAsTextFile(args.output)
    took = time.monotonic() - begun
    exactly("requests", games.count(), context.textFile(args.output).count())
    print(f"answered in {took:.1f} s", flush=True)
    spark.stop()


if __name__ == "__main__":
    main()
