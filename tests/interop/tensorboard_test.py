#!/usr/bin/env python3
"""TensorBoard reads exported event files: tensorboard_test.py RESULTS_SAMPLES

Builds a virtual environment in .deps/tensorboard the first time. Exit code 77: skipped, with the reason.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

VENV = pathlib.Path(__file__).resolve().parents[2] / ".deps" / "tensorboard"


def skip(reason):
    print("skipped:", reason)
    sys.exit(77)


def enter_environment():
    """Runs this script again inside the environment."""
    python = VENV / "bin" / "python"
    if not (VENV / "ready").exists():
        if subprocess.run([sys.executable, "-m", "venv", "--clear", VENV]).returncode != 0:
            skip("python3 -m venv failed: install python3-venv")
        # pkg_resources, which TensorBoard imports, left setuptools with version 81.
        if subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "tensorboard", "setuptools<81"]).returncode != 0:
            skip("pip could not install tensorboard")
        (VENV / "ready").touch()
    os.execv(python, [str(python), *sys.argv])


def test_run(folder):
    """Tags, steps, values (float32) and times of a completed run are those of its log and record."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    runs = sorted(path.parent for path in (folder / "tensorboard").rglob("events.out.tfevents.*"))
    assert len(runs) == 34, len(runs)  # 33 completed, one diverged
    run = next(path for path in runs if path.name == "seed=1")
    source = folder / "runs" / run.relative_to(folder / "tensorboard")
    events = EventAccumulator(str(run), size_guidance={"scalars": 0})
    events.Reload()
    tags = set(events.Tags()["scalars"])
    assert {"loss/train", "loss/valid", "perplexity/valid", "learning_rate", "tokens_per_second", "test/bleu"} <= tags, tags
    log = [json.loads(line) for line in (source / "metrics.jsonl").read_text().splitlines()]
    for tag, key in (("loss/train", "loss"), ("loss/valid", "valid_loss")):
        expected = [(entry["step"], entry[key]) for entry in log if key in entry]
        found = [(event.step, event.value) for event in events.Scalars(tag)]
        assert [s for s, _ in found] == [s for s, _ in expected]
        assert all(abs(a - b) < 1e-6 * max(1, abs(b)) for (_, a), (_, b) in zip(found, expected))
    record = json.loads((source / "run.json").read_text())
    score = events.Scalars("test/bleu")[0]
    assert score.step == 400 and abs(score.value - record["metrics"]["test.bleu"]) < 1e-4
    assert abs(events.FirstEventTimestamp() - 1767323045) < 1e-6, events.FirstEventTimestamp()  # 2026-01-02T03:04:05Z
    assert abs(score.wall_time - (1767323045 + 400 * 900 / 30000)) < 1e-3, score.wall_time


def count_records(path):
    from tensorboard.compat.tensorflow_stub import errors
    from tensorboard.compat.tensorflow_stub.pywrap_tensorflow import PyRecordReader_New

    reader, count = PyRecordReader_New(str(path)), 0
    while True:
        try:
            reader.GetNext()
        except errors.OutOfRangeError:
            return count
        count += 1


def test_checksums(folder):
    """The reader, which checks every CRC, takes the whole file, and notices one changed byte."""
    from tensorboard.compat.tensorflow_stub import errors

    file = next(path for path in (folder / "tensorboard").rglob("events.out.tfevents.*") if path.parent.name == "seed=1")
    assert count_records(file) == 1 + 400 * 3 + 8 * 2 + 3, count_records(file)
    data = bytearray(file.read_bytes())
    data[100] ^= 1
    broken = folder / "broken"
    broken.write_bytes(data)
    try:
        count_records(broken)
    except errors.DataLossError:
        return
    raise AssertionError("a changed byte was not noticed")


def main():
    if pathlib.Path(sys.prefix).resolve() != VENV.resolve():
        enter_environment()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([sys.argv[1], name], check=True)
        for test in (test_run, test_checksums):
            test(folder / "ordinary")
            print("ok", test.__name__)


if __name__ == "__main__":
    main()
