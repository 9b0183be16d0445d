"""Intervals and paired tests of sacreBLEU 2.6.0 on random corpora, under the rules of the NumPy that runs this script.

Usage: python significance_cases.py SEED COUNT > cases.json
"""
import json
import logging
import os
import random as random_module
import sys

import numpy

from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest, _bootstrap_resample

import corpora

CLASSES = {"bleu": BLEU, "chrf": CHRF, "ter": TER}
RULES = "numpy2" if numpy.lib.NumpyVersion(numpy.__version__) >= "2.0.0" else "numpy1"
OPTIONS = {
    "bleu": [{}, {"smooth_method": "add-k"}, {"smooth_method": "add-k", "smooth_value": 0.5}, {"smooth_method": "floor"}, {"smooth_method": "none"},
             {"max_ngram_order": 2}, {"effective_order": True}],
    "chrf": [{}, {"word_order": 2}, {"eps_smoothing": True, "word_order": 1}, {"char_order": 2, "beta": 1}],
    "ter": [{}, {"normalized": True}],
}


def number(value):
    return None if value is None else float(value)


def paired(systems, references, metric, **arguments):
    named = [(f"s{i}", lines) for i, lines in enumerate(systems)]
    signatures, scores = PairedTest(named, {"M": metric}, references, **arguments)()
    name = list(signatures)[0]
    results = [{"score": number(r.score), "p_value": number(r.p_value), "mean": number(r.mean), "ci": number(r.ci)} for r in scores[name]]
    return {"signature": signatures[name].format(), "results": results}


def make_test(random, systems, references):
    name = random.choice(list(CLASSES))
    options = random.choice(OPTIONS[name])
    seed = random.choice(["12345", "1", "7", "4294967301", "18446744073709551619"])
    samples, trials = random.choice([10, 39, 100, 200, 1000]), random.choice([10, 33, 500])
    os.environ["SACREBLEU_SEED"] = seed
    metric = CLASSES[name](**options)
    score = metric.corpus_score(systems[0], references, n_bootstrap=samples)
    expected = {"ci_mean": number(score._mean), "ci": number(score._ci), "ci_signature": metric.get_signature().format()}
    statistics = metric._extract_corpus_statistics(systems[0], references)
    expected["bs_scores_head"] = [number(s.score) for s in _bootstrap_resample(statistics, metric, 10)[1]]
    metric = CLASSES[name](**options)
    expected["bs"] = paired(systems, references, metric, test_type="bs", n_samples=samples)
    expected["ar"] = paired(systems, references, metric, test_type="ar", n_samples=trials)
    confidence = random.choice([20, 50])
    expected[f"ar_with_ci{confidence}"] = paired(systems, references, metric, test_type="ar", n_samples=trials, n_ar_confidence=confidence)
    return {"seed": seed, "metric": name, "options": options, "bs_n": samples, "ar_n": trials, "expected": {RULES: expected}}


def make_corpus(random):
    lines, streams = random.choice([1, 2, 5, 31, 32, 33, 100]), random.choice([1, 1, 2, 3])
    hypotheses, references = corpora.random_corpus(random, lines, streams, longest=10)
    systems = [hypotheses] + [[corpora.vary(random, line) for line in hypotheses] for _ in range(2)]
    generator = numpy.random.default_rng(12345)
    indices = generator.choice(lines, size=(10, lines), replace=True).ravel()[:40]
    coins = numpy.random.default_rng(12345).integers(2, size=(64, 1), dtype=bool).ravel()
    return {"n": lines, "nrefs": streams, "systems": systems, "refs": references,
            "tests": [make_test(random, systems, references) for _ in range(3)],
            "bs_indices_head_seed12345": [int(i) for i in indices], "ar_pos_sel_head_seed12345": [int(c) for c in coins]}


def main():
    logging.disable(logging.CRITICAL)
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    json.dump([make_corpus(random_module.Random(f"{seed}-{i}")) for i in range(count)], sys.stdout)


if __name__ == "__main__":
    main()
