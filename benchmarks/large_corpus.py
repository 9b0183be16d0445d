#!/usr/bin/env python3
"""Times the start of a training on a large corpus, to its first step: once with an empty cache, and again from it.

usage: large_corpus.py --data DIR [--times 100] [--gzip] [--program build/release/app/attnlab] [--spec specs/multi30k-tiny.json] [--rounds 3]

DIR has the files that the spec names (Multi30k), plain or .gz. Its training text is written so many times one after the other into a temporary
folder (Multi30k a hundred times: 2.9 million pairs, 390 MB), and read from the system's file cache. Needs /proc and room for text and cache.
RssAnon is memory of the process's own; RssFile are pages of mapped files, which belong to the system's cache and are shared.
"""
import argparse
import gzip
import json
import pathlib
import shutil
import subprocess
import tempfile
import time


def read_bytes(folder, name):
    plain = folder / name
    return plain.read_bytes() if plain.exists() else gzip.decompress((folder / (name + ".gz")).read_bytes())


def make_corpus(source, folder, data, times, packed):
    """The spec's data, with the training text so many times; gives the number of its pairs."""
    folder.mkdir()
    for stem, count in ((data["train"], times), (data["valid"], 1), (data["test"], 1)):
        for language in (data["source"], data["target"]):
            text = read_bytes(source, f"{stem}.{language}")
            if not text.endswith(b"\n"):
                text += b"\n"
            # A gzip file may have several members, one after the other.
            piece = gzip.compress(text) if packed else text
            with open(folder / (f"{stem}.{language}" + (".gz" if packed else "")), "wb") as file:
                for _ in range(count):
                    file.write(piece)
            if stem == data["train"]:
                pairs = text.count(b"\n") * times
    return pairs


def memory_of(process):
    """Kilobytes of RssAnon and RssFile; nothing when the process has ended."""
    try:
        lines = pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return None
    fields = dict(line.split(":", 1) for line in lines)
    return tuple(int(fields[name].split()[0]) for name in ("RssAnon", "RssFile")) if "RssAnon" in fields else None


def start_training(arguments, config, cache, out):
    """Seconds to the first training step, and the largest RssAnon and RssFile until then in MB."""
    command = [arguments.program, "train", config, "--out", out, "--cache", cache, "--quiet"]
    start, peak = time.monotonic(), (0, 0)
    process = subprocess.Popen(command)
    log = pathlib.Path(out) / "metrics.jsonl"
    while not (log.exists() and log.stat().st_size > 0):
        if process.poll() is not None:
            raise SystemExit(f"{' '.join(command)} ended with {process.returncode} before its first step")
        now = memory_of(process)
        peak = tuple(map(max, peak, now)) if now else peak
        time.sleep(0.01)
    seconds = time.monotonic() - start
    process.kill()
    process.wait()
    return seconds, peak[0] / 1024, peak[1] / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--gzip", action="store_true")
    parser.add_argument("--program", default="build/release/app/attnlab")
    parser.add_argument("--spec", default="specs/multi30k-tiny.json")
    parser.add_argument("--rounds", type=int, default=3, help="starts from the cache")
    arguments = parser.parse_args()
    config = json.loads(pathlib.Path(arguments.spec).read_text())["base"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        pairs = make_corpus(arguments.data, folder / "text", config["data"], arguments.times, arguments.gzip)
        config["data"]["dir"] = str(folder / "text")
        (folder / "config.json").write_text(json.dumps(config))
        print(f"{pairs} pairs, {'gzip' if arguments.gzip else 'plain'}", flush=True)
        for i in range(1 + arguments.rounds):
            out = folder / f"run{i}"
            seconds, anon, mapped = start_training(arguments, str(folder / "config.json"), str(folder / "cache"), str(out))
            shutil.rmtree(out)
            print(f"{'from the cache' if i else 'the first time'}  {seconds:6.2f} s to the first step, RssAnon {anon:5.0f} MiB, RssFile {mapped:5.0f} MiB", flush=True)
        print(f"cache {sum(file.stat().st_size for file in (folder / 'cache').iterdir()) / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
