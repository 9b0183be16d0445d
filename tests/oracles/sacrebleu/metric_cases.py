"""Random corpora with the scores of sacreBLEU 2.6.0, for sacrebleu_cases.

Usage: python metric_cases.py SEED COUNT > cases.json
"""
import json
import logging
import random as random_module
import sys

from sacrebleu.metrics import BLEU, CHRF, TER

import corpora

CLASSES = {"bleu": BLEU, "chrf": CHRF, "ter": TER}


def some(random, **choices):
    return {key: random.choice(values) for key, values in choices.items() if random.random() < 0.4}


def random_options(random, metric):
    if metric == "bleu":
        options = some(random, lowercase=[True], tokenize=["none", "zh", "13a", "intl", "char"], smooth_method=["none", "floor", "add-k", "exp"],
                       max_ngram_order=[1, 2, 3, 4, 5, 8, 12], effective_order=[True])
        if random.random() < 0.3:
            options["smooth_value"] = random.choice([0, 0.01, 0.5, 1, 1.7, 3, 1e-9, 1e6])
        return options
    if metric == "chrf":
        return some(random, char_order=[0, 1, 2, 6, 10], word_order=[0, 1, 2, 4], beta=[0, 1, 2, 3, 10], lowercase=[True], whitespace=[True],
                    eps_smoothing=[True])
    return some(random, normalized=[True], no_punct=[True], asian_support=[True], case_sensitive=[True])


def sentence_score(metric, options, hypothesis, references):
    if metric == "bleu":
        options = {**options, "effective_order": True}
    try:
        return CLASSES[metric](**options).sentence_score(hypothesis, references).score
    except Exception as error:
        return type(error).__name__


def details(metric, score, instance, hypotheses, references):
    signature = instance.get_signature()
    extra = {"signature": signature.format(), "signature_short": signature.format(True),
             "text_w2": score.format(signature=signature.format()),
             "json_w1": score.format(width=1, signature=signature.format(), is_json=True)}
    if metric == "bleu":
        for name in ("counts", "totals", "precisions", "bp", "sys_len", "ref_len", "ratio"):
            extra[name] = getattr(score, name)
    if metric == "ter":
        extra.update(num_edits=score.num_edits, ref_length=score.ref_length)
    if metric == "chrf":
        extra["name"] = score.name
    if metric != "bleu":
        extra["segment_stats"] = instance._extract_corpus_statistics(hypotheses, references)
    extra["pre_hyps"] = [instance._preprocess_segment(line) for line in hypotheses]
    extra["pre_refs"] = [[None if line is None else instance._preprocess_segment(line) for line in stream] for stream in references]
    return extra


def make_case(random, name):
    metric = random.choice(["bleu", "bleu", "chrf", "ter"])
    options = random_options(random, metric)
    streams = random.choice([1, 1, 1, 2, 3])
    longest = random.choice([3, 8, 14, 30] if metric != "ter" else [3, 8, 14])
    hypotheses, references = corpora.random_corpus(random, random.choice([1, 2, 3, 8]), streams, longest, random.choice([0, 0, 0.3]))
    case = {"name": name, "metric": metric, "options": options, "hyps": hypotheses, "refs": references, "level": "corpus", "note": ""}
    instance = CLASSES[metric](**options)
    try:
        score = instance.corpus_score(hypotheses, references)
        instance._cache_references(references)
        case["score"] = score.score
        case["extra"] = details(metric, score, instance, hypotheses, references)
    except Exception as error:
        case["score"] = None
        case["extra"] = {"error": type(error).__name__, "message": str(error)}
    lines = [[line for line in (stream[i] for stream in references) if line is not None] for i in range(len(hypotheses))]
    case["extra"]["sentence_scores"] = [sentence_score(metric, options, h, r) for h, r in zip(hypotheses, lines)]
    return case


def main():
    logging.disable(logging.CRITICAL)
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    cases = [make_case(random_module.Random(f"{seed}-{i}"), f"seed {seed}, case {i}") for i in range(count)]
    json.dump(cases, sys.stdout)


if __name__ == "__main__":
    main()
