"""Single pairs for the search of TER, with the edits that sacreBLEU 2.6.0 finds: long lines, few different words, shuffled blocks, and
lengths so different that the band matters.

Usage: python ter_cases.py SEED COUNT > cases.json
"""
import json
import random as random_module
import sys

from sacrebleu.metrics import TER


def words(random, length, vocabulary):
    return [f"w{random.randrange(vocabulary)}" for _ in range(length)]


def shuffle_blocks(random, line):
    line = list(line)
    for _ in range(random.randint(1, 8)):
        if not line:
            break
        start = random.randrange(len(line))
        block = line[start:start + random.randint(1, 12)]
        del line[start:start + len(block)]
        at = random.randint(0, len(line))
        line[at:at] = block
        if random.random() < 0.3 and line:
            line[random.randrange(len(line))] = "new"
    return line


def make_case(random, name):
    kind = random.random()
    vocabulary = random.choice([2, 5, 20, 100, 400])
    reference = words(random, random.choice([1, 5, 20, 25, 26, 27, 40, 64, 65, 80, 120]), vocabulary)
    if kind < 0.6:
        hypothesis = shuffle_blocks(random, reference)
    elif kind < 0.9:
        hypothesis = words(random, random.choice([0, 1, 2, 7, 20, 30, 60, 100]), vocabulary)
    else:
        reference = words(random, random.randint(55, 300), vocabulary)
        hypothesis = shuffle_blocks(random, reference[:random.randint(1, 7)])
    hypothesis, reference = " ".join(hypothesis), " ".join(reference)
    score = TER().sentence_score(hypothesis, [reference])
    return {"name": name, "hyp": hypothesis, "ref": reference, "num_edits": score.num_edits, "ref_length": score.ref_length}


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    json.dump([make_case(random_module.Random(f"{seed}-{i}"), f"seed {seed}, pair {i}") for i in range(count)], sys.stdout)


if __name__ == "__main__":
    main()
