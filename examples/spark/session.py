"""A Spark session for the scripts beside this file: small, offline, on whatever master is named."""

import argparse

from pyspark.sql import SparkSession


def arguments(what):
    """The arguments all scripts share."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("input", help="the games: a file, a folder or a pattern Spark can read")
    parser.add_argument("output", help="a folder that does not exist yet")
    parser.add_argument("--master", default="local[*]", help="as for spark-submit")
    parser.add_argument("--partitions", type=int, default=0, help="tasks [default: Spark's own]")
    return parser


def session(name, master):
    return (
        SparkSession.builder.appName(name)
        .master(master)
        # Nothing listens but on this machine; on a cluster set the driver's real address.
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        # A worker that is lost takes its tasks with it: they are run again elsewhere.
        .config("spark.task.maxFailures", "8")
        .config("spark.hadoop.mapreduce.fileoutputcommitter.algorithm.version", "1")
        .getOrCreate()
    )


def exactly(what, came, went):
    """Ends the job where a line was lost or doubled."""
    print(f"{what}: {came} in, {went} out", flush=True)
    if came != went:
        raise SystemExit(f"{what}: {came} lines went in and {went} came out")
