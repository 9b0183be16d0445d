"""Times sacreBLEU in C++ against the Python original on the same texts, in processor seconds of one thread, and checks that both give the
same number.

Usage: python compare.py BUILD_FOLDER [FOLDER_OF_WMT17] [WORK...]
BUILD_FOLDER holds benchmarks/sacrebleu/sacrebleu_bench and sacrebleu/sacrebleu-cpp. FOLDER_OF_WMT17 has ref.txt, sys00.txt and sys12.txt;
without it, sentences are made up.
"""
import logging
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time

from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest

#        work            pairs    target  Python repeats  C++ repeats
WORKS = [("bleu", 3004, 15, 2, 5), ("bleu", 100000, 15, 1, 2), ("chrf", 100000, 15, 1, 2), ("chrf++", 100000, 15, 1, 2), ("ter", 3004, 20, 1, 3),
         ("bootstrap", 3004, 10, 1, 3), ("randomisation", 3004, 10, 1, 3), ("command", 3004, 15, 3, 5)]


def made_up(generator, lines):
    vocabulary = ["".join(generator.choices("abcdefghijklmnopqrstuvwxyz", k=generator.randint(1, 9))) for _ in range(4000)]
    weights = [1 / (rank + 1) for rank in range(len(vocabulary))]
    return [" ".join(generator.choices(vocabulary, weights, k=generator.randint(5, 35))) + "." for _ in range(lines)]


def noisy(generator, lines):
    def change(line):
        words = line.split(" ")
        for _ in range(len(words) // 4):
            words[generator.randrange(len(words))] = generator.choice(words)
        return " ".join(words)
    return [change(line) for line in lines]


def texts(folder):
    generator = random.Random(1)
    if folder:
        reference, first, second = ((folder / name).read_text(encoding="utf-8").split("\n")[:-1] for name in ("ref.txt", "sys00.txt", "sys12.txt"))
    else:
        reference = made_up(generator, 3004)
        first, second = noisy(generator, reference), noisy(generator, reference)
    return reference, [first, second, noisy(generator, first), noisy(generator, second)]


def larger(lines, pairs):
    """As many lines as wanted, all different, so that caches of the original do not help it more than real text would."""
    copies = -(-pairs // len(lines))
    return [line if i < len(lines) else f"{i} {line}" for i, line in enumerate(lines * copies)][:pairs]


def python_work(work, reference, systems):
    if work == "bleu":
        return BLEU().corpus_score(systems[0], [reference]).score
    if work in ("chrf", "chrf++"):
        return CHRF(word_order=2 if work == "chrf++" else 0).corpus_score(systems[0], [reference]).score
    if work == "ter":
        return TER().corpus_score(systems[0], [reference]).score
    named = [(f"system {i}", lines) for i, lines in enumerate(systems)]
    test = PairedTest(named, {"BLEU": BLEU()}, [reference], test_type="bs" if work == "bootstrap" else "ar")
    return test()[1]["BLEU"][-1].p_value


def measure(call, repeats):
    best, result = float("inf"), None
    for _ in range(repeats):
        start = time.process_time()
        result = call()
        best = min(best, time.process_time() - start)
    return best, result


def run_command(words, repeats):
    best = float("inf")
    for _ in range(repeats):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        output = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best, output


def compare(build, folder, wanted):
    reference, systems = texts(folder)
    print(f"{'work':<14} {'pairs':>7} {'Python s':>9} {'C++ s':>9} {'ratio':>7} {'target':>7}")
    good = True
    for work, pairs, target, python_repeats, cpp_repeats in WORKS:
        if wanted and work not in wanted:
            continue
        with tempfile.TemporaryDirectory() as place:
            many = [larger(lines, pairs) for lines in (reference, *(systems if work in ("bootstrap", "randomisation") else systems[:1]))]
            files = []
            for i, lines in enumerate(many):
                files.append(str(pathlib.Path(place) / str(i)))
                pathlib.Path(files[-1]).write_text("\n".join(lines) + "\n", encoding="utf-8")
            if work == "command":
                python_time, python_result = run_command([sys.executable, "-m", "sacrebleu", files[0], "-i", files[1]], python_repeats)
                cpp_time, cpp_result = run_command([build / "sacrebleu/sacrebleu-cpp", files[0], "-i", files[1]], cpp_repeats)
                same = python_result == cpp_result
            else:
                output = subprocess.run([build / "benchmarks/sacrebleu/sacrebleu_bench", work, str(cpp_repeats), *files], capture_output=True, text=True,
                                        check=True).stdout.split()
                cpp_time, cpp_result = float(output[0]), float(output[1])
                python_time, python_result = measure(lambda: python_work(work, many[0], many[1:]), python_repeats)
                same = abs(python_result - cpp_result) <= 1e-9 * abs(python_result)
        ratio = python_time / cpp_time
        good = good and same and ratio >= target
        print(f"{work:<14} {pairs:>7} {python_time:>9.3f} {cpp_time:>9.4f} {ratio:>6.1f}x {target:>6}x{'' if same else '  DIFFERENT RESULTS'}", flush=True)
    return good


def main():
    logging.disable(logging.CRITICAL)
    build = pathlib.Path(sys.argv[1]).resolve()
    words = sys.argv[2:]
    folder = pathlib.Path(words.pop(0)) if words and "/" in words[0] else None
    sys.exit(0 if compare(build, folder, words) else 1)


if __name__ == "__main__":
    main()
