"""Compares two made-up systems with sacreBLEU 2.6.0's paired tests:
python paired_case.py > ../../experiments/evaluation/data/paired_case.json"""
import json
import random

import numpy
import sacrebleu
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest, estimate_ci

assert sacrebleu.__version__ == "2.6.0"
LINES, SEED = 40, 12345
WORDS = "der die das ein eine Hund Katze Mann Frau Haus läuft schläft sieht rot groß und im Park am See nicht weil müde".split()
generator = random.Random(7)


def noisy(line, changes):
    words = line.split()
    for _ in range(changes):
        words[generator.randrange(len(words))] = generator.choice(WORDS)
    return " ".join(words)


references = [" ".join(generator.choices(WORDS, k=generator.randint(4, 14))) + "." for _ in range(LINES)]
first = [noisy(line, generator.randint(1, 4)) for line in references]
second = [noisy(line, generator.randint(0, 3)) for line in references]


def difference(metric, samples):
    """Score and interval of second minus first, the interval over the resamples that the paired bootstrap draws."""
    options = {"case_sensitive": True} if isinstance(metric, TER) else {}
    scored = type(metric)(**options)
    metric = type(metric)(references=[references], **options)
    stats = [numpy.array(metric._extract_corpus_statistics(lines, None), dtype="float32") for lines in (first, second)]
    rows = numpy.random.default_rng(SEED).choice(LINES, size=(samples, LINES), replace=True)
    scores = [numpy.array([float(metric._compute_score_from_stats(s[row].sum(0)).score) for row in rows]) for s in stats]
    mean, half_width = estimate_ci(scores[1] - scores[0])
    exact = [scored.corpus_score(lines, [references]).score for lines in (first, second)]
    return {"score": exact[1] - exact[0], "mean": float(mean), "half_width": float(half_width)}


def case(name, metric, method, samples):
    bootstrap = method == "bootstrap"
    test = PairedTest([("first", first), ("second", second)], {name: metric}, [references], test_type="bs" if bootstrap else "ar",
                      n_samples=samples, n_ar_confidence=-1 if bootstrap else 1000)
    signatures, table = test()
    results = table[next(key for key in table if key != "System")]
    scores = [{"score": r.score, "mean": float(r.mean), "half_width": float(r.ci)} for r in results]
    return {"metric": name, "method": method, "samples": samples, "first": scores[0], "second": scores[1],
            "difference": difference(metric, samples if bootstrap else 1000), "p_value": float(results[1].p_value),
            "signature": signatures[next(iter(signatures))].format()}


cases = [case(name, metric, method, samples) for name, metric in (("bleu", BLEU()), ("chrf", CHRF()), ("ter", TER(case_sensitive=True)))
         for method, samples in (("bootstrap", 500), ("randomisation", 800))]
print(json.dumps({"references": references, "first": first, "second": second, "cases": cases}, ensure_ascii=False, indent=1))
