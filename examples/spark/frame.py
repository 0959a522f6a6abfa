"""Judges an archive on Spark, Parquet in and Parquet out.

    spark-submit frame.py games.parquet pending --qili /usr/local/bin/qili

The input has the columns `id`, `fen` (null: the opening) and `moves` (a text with blanks between
the moves); the output a row for each pending position, with the columns of
`qili archive judge --format parquet`. Rejected games have `error_code`. The order is that of the
input, file by file and row by row; with --partitions the games are dealt out first, for input in a
few large files, and the order is lost.
"""

import shlex
import time

from pyspark.sql import functions as F

from session import arguments, exactly, session

SIDE = "struct<pattern:string,standing:string>"
ROW = f"""struct<
    ply:int, cycle:struct<start_ply:int,period:int,rounds:int,occurrences:int>, fen:string,
    moves:array<string>, natures:array<string>, sides:struct<red:{SIDE},black:{SIDE}>,
    verdict:struct<outcome:string,side:string,clauses:array<string>>,
    rules:struct<id:string,version:string,digest:string>, spent:bigint>"""
GAME = f"id string, plies int, pending array<{ROW}>, error struct<code:string,detail:string>"


def requests(frame):
    """Each game as a request on one line."""
    fields = [
        F.col("id"),
        F.lit("game").alias("kind"),
        F.split(F.trim("moves"), r"\s+").alias("moves"),
    ]
    if "fen" in frame.columns:
        fields.append(F.col("fen"))
    # A null is left out, which is what the request means by it.
    return frame.select(F.to_json(F.struct(*fields)).alias("line")).rdd.map(lambda row: row.line)


def flat(games):
    """A row for each pending position, and one for each rejected game."""
    row = F.explode_outer("pending").alias("row")
    kept = games.where("error is not null or size(pending) > 0").select("id", "error", row)
    return kept.select(
        "id",
        "row.ply",
        *[f"row.cycle.{name}" for name in ("start_ply", "period", "rounds", "occurrences")],
        "row.fen",
        "row.moves",
        "row.natures",
        *[
            F.col(f"row.sides.{side}.{what}").alias(f"{side}_{what}")
            for side in ("red", "black")
            for what in ("pattern", "standing")
        ],
        "row.verdict.outcome",
        "row.verdict.side",
        "row.verdict.clauses",
        F.col("row.rules.id").alias("rules"),
        "row.rules.version",
        "row.rules.digest",
        "row.spent",
        F.col("error.code").alias("error_code"),
        F.col("error.detail").alias("error_detail"),
    )


def main():
    parser = arguments("Judges an archive on Spark, Parquet in and Parquet out.")
    parser.add_argument("--rules", default="cxa-1999", help="the rule book")
    parser.add_argument("--qili", default="qili", help="the command on the workers")
    args = parser.parse_args()
    spark = session("qili frame", args.master)
    begun = time.monotonic()
    frame = spark.read.parquet(args.input)
    if args.partitions:
        frame = frame.repartition(args.partitions)
    filter_ = [args.qili, "archive", "judge", "--rows", "game", "--accept-rejected"]
    filter_ += ["--rules", args.rules, "--threads", "1"]
    lines = requests(frame).pipe(shlex.join(filter_), checkCode=True)
    # Judged once, written, and only then looked at again.
    held = args.output.rstrip("/") + ".lines"
    lines.saveAsTextFile(held, "org.apache.hadoop.io.compress.GzipCodec")
    text = spark.read.text(held)
    games = text.select(F.from_json("value", GAME).alias("game")).select("game.*")
    flat(games).write.parquet(args.output)
    exactly("games", frame.count(), text.count())
    pending = games.agg(F.sum(F.size("pending")).alias("n")).first().n or 0
    written = spark.read.parquet(args.output)
    exactly("pending positions", pending, written.where("error_code is null").count())
    exactly(
        "rejected games",
        games.where("error is not null").count(),
        written.where("error_code is not null").count(),
    )
    print(f"judged in {time.monotonic() - begun:.1f} s", flush=True)
    spark.stop()


if __name__ == "__main__":
    main()
