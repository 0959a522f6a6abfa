"""Judges an archive on Spark by piping its lines through qili.

    spark-submit pipe.py games.ndjson rulings --qili /usr/local/bin/qili

The output has a line for each game, in the order of the input: `cat rulings/part-*` has the bytes
that `qili archive judge --rows game games.ndjson` writes on one machine. There is no shuffle: each
task reads its stretch of the input, and writes one part. qili must be at the same path on every
worker.
"""

import shlex
import time

from session import arguments, exactly, session


def main():
    parser = arguments("Judges an archive on Spark by piping its lines through qili.")
    parser.add_argument("--rules", default="cxa-1999", help="the rule book")
    parser.add_argument("--qili", default="qili", help="the command on the workers")
    args = parser.parse_args()
    spark = session("qili pipe", args.master)
    context = spark.sparkContext
    begun = time.monotonic()
    least = args.partitions or context.defaultParallelism
    games = context.textFile(args.input, least).filter(lambda line: line.strip())
    filter_ = [args.qili, "archive", "judge", "--rows", "game", "--accept-rejected"]
    filter_ += ["--rules", args.rules, "--threads", "1"]
    # Without checkCode a filter that fails would pass for one with nothing to say.
    rulings = games.pipe(shlex.join(filter_), checkCode=True)
    rulings.saveAsTextFile(args.output)
    took = time.monotonic() - begun
    exactly("games", games.count(), context.textFile(args.output).count())
    print(f"piped in {took:.1f} s", flush=True)
    spark.stop()


if __name__ == "__main__":
    main()
