"""Judges files of game records on Spark: XQF, CBL, PGN and all else, in folders and ZIP archives.

    spark-submit files.py leagues rulings --qili /usr/local/bin/qili

The files are spread over the tasks by their names; folder and qili must be at the same paths on every
worker. The output has a line for each game, in the order of the files: `cat rulings/part-*` has the
bytes that `qili archive judge --rows game leagues` writes on one machine.
"""

import os
import shlex
import time

from session import arguments, session


def files(folder):
    """Every file below a folder, in the order in which qili goes through it."""
    for name in sorted(os.listdir(folder), key=os.fsencode):
        path = os.path.join(folder, name)
        if name.startswith("."):
            continue
        if os.path.isdir(path):
            yield from files(path)
        else:
            yield path


def main():
    parser = arguments("Judges files of game records on Spark.")
    parser.add_argument("--rules", default="cxa-1999", help="the rule book")
    parser.add_argument("--qili", default="qili", help="the command on the workers")
    args = parser.parse_args()
    spark = session("qili files", args.master)
    context = spark.sparkContext
    begun = time.monotonic()
    names = list(files(args.input))
    least = args.partitions or context.defaultParallelism
    filter_ = ["xargs", "-r", "-d", "\\n", args.qili, "archive", "judge", "--rows", "game", "--found"]
    filter_ += ["--accept-rejected", "--rules", args.rules, "--threads", "1"]
    # Without checkCode a filter that fails would pass for one with nothing to say.
    rulings = context.parallelize(names, least).pipe(shlex.join(filter_), checkCode=True)
    rulings.saveAsTextFile(args.output)
    print(f"{len(names)} files judged in {time.monotonic() - begun:.1f} s", flush=True)
    spark.stop()


if __name__ == "__main__":
    main()
