#!/usr/bin/env python3
"""Times a sweep with one process for each core (A) and one run after another with all threads (B), in turn, and what the runner itself takes.

usage: sweep.py [--program build/release/app/attnlab] [--spec specs/demo.json] [--rounds 3] [--set KEY=VALUE ...]

Needs /proc. The runner's share is its own processor time, without its runs', of all that the cores could give while it ran.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile
import time


def own_seconds(process):
    """Processor time of the process itself so far; None when it has ended."""
    try:
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (FileNotFoundError, ProcessLookupError):
        return None


def timed(arguments, jobs, cores):
    """Seconds of the whole sweep, and the runner's share."""
    with tempfile.TemporaryDirectory() as folder:
        command = [arguments.program, "run", arguments.spec, "--out", folder + "/sweep", "-j", str(jobs), "-q"]
        if arguments.set:
            command += ["--set", *arguments.set]
        start, own = time.monotonic(), 0.0
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while process.poll() is None:
            own = own_seconds(process) or own
            time.sleep(0.02)
        seconds = time.monotonic() - start
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return seconds, own / (seconds * cores)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/app/attnlab")
    parser.add_argument("--spec", default="specs/demo.json")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--set", nargs="*", default=[])
    arguments = parser.parse_args()
    cores = len(os.sched_getaffinity(0))
    ratios = []
    for _ in range(arguments.rounds):
        (a, share_a), (b, share_b) = timed(arguments, cores, cores), timed(arguments, 1, cores)
        ratios.append(b / a)
        print(f"A -j {cores} {a:6.1f} s, runner {share_a:.2%}   B -j 1 {b:6.1f} s, runner {share_b:.2%}   B/A {b / a:.2f}", flush=True)
    print(f"B/A  min {min(ratios):.2f}  median {statistics.median(ratios):.2f}  max {max(ratios):.2f}")


if __name__ == "__main__":
    main()
