"""Judges an archive on Spark by the wheel, in a pandas UDF: no other program on the workers.

    spark-submit udf.py games.ndjson rulings

Every worker's Python needs the wheel `qili` (bindings/python/run build), pandas and pyarrow. The input has a request a line; the output
has its ruling, what is wrong with it told in its place: of one file, `cat rulings/part-*` has the bytes that
`qili judge --format ndjson games.ndjson` writes on one machine. Rows come and go as Arrow columns, a batch at a time.
"""

import time

import pandas as pd
from pyspark.sql import functions as F
from pyspark.sql.types import StringType

from session import arguments, exactly, session


@F.pandas_udf(StringType())
def ruling(requests: pd.Series) -> pd.Series:
    import qili

    # Spark has a task for every core.
    return qili.judge_column(requests, threads=1)


def main():
    args = arguments("Judges an archive on Spark by the wheel, in a pandas UDF.").parse_args()
    spark = session("qili udf", args.master)
    if args.partitions:
        spark.conf.set("spark.sql.files.minPartitionNum", str(args.partitions))
        # Else small files are put together.
        spark.conf.set("spark.sql.files.openCostInBytes", "0")
    begun = time.monotonic()
    games = spark.read.text(args.input).where(F.trim("value") != "")
    games.select(ruling("value")).write.text(args.output)
    took = time.monotonic() - begun
    exactly("games", games.count(), spark.read.text(args.output).count())
    print(f"judged in {took:.1f} s", flush=True)
    spark.stop()


if __name__ == "__main__":
    main()
