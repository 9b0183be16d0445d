#!/usr/bin/env python3
"""The same batches for every program: a joint BPE of 10,000 pieces and batches of 4,096 target tokens, from parallel text.

usage: prepare.py --data FOLDER --out FOLDER [--source en] [--target de] [--train train] [--test test_2016_flickr]

FOLDER holds train.en, train.de, test_2016_flickr.en, ... plain or with .gz. Writes out/batches.npz (what `attnlab bench train
--batches` reads), out/pieces.model and out/test.source. Needs: numpy, sentencepiece.
"""
import argparse
import gzip
import os
import random

import numpy as np
import sentencepiece

UNK, PAD, BOS, EOS, BUDGET = 0, 1, 2, 3, 4096


def lines_of(stem):
    path = stem if os.path.exists(stem) else stem + ".gz"
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
        return file.read().rstrip("\n").split("\n")


def batches_of(source, target):
    batches, batch = [], []
    for row in sorted(range(len(source)), key=lambda i: (len(target[i]), len(source[i]))):
        if batch and (len(target[row]) - 1) * (len(batch) + 1) > BUDGET:
            batches.append(batch)
            batch = []
        batch.append(row)
    random.Random(1).shuffle(batches)
    return [*batches, batch]


def flat(lists, kind):
    return np.array([x for one in lists for x in one], kind), np.cumsum([0] + [len(one) for one in lists], dtype=np.int64)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--source", default="en")
    parser.add_argument("--target", default="de")
    parser.add_argument("--train", default="train")
    parser.add_argument("--test", default="test_2016_flickr")
    a = parser.parse_args()
    os.makedirs(a.out, exist_ok=True)
    text = [lines_of(os.path.join(a.data, f"{a.train}.{language}")) for language in (a.source, a.target)]
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(text[0] + text[1]), model_prefix=os.path.join(a.out, "pieces"), vocab_size=10_000, model_type="bpe",
                                             character_coverage=1.0, unk_id=UNK, pad_id=PAD, bos_id=BOS, eos_id=EOS, minloglevel=1)
    pieces = sentencepiece.SentencePieceProcessor(model_file=os.path.join(a.out, "pieces.model"))
    source = [ids + [EOS] for ids in pieces.encode(text[0])]
    target = [[BOS] + ids + [EOS] for ids in pieces.encode(text[1])]
    arrays = {}
    for name, lists, kind in (("src", source, np.int32), ("trg", target, np.int32), ("batch", batches_of(source, target), np.int64)):
        arrays[name], arrays[name + "_off"] = flat(lists, kind)
    np.savez(os.path.join(a.out, "batches.npz"), pad=PAD, bos=BOS, eos=EOS, unk=UNK, **arrays)
    with open(os.path.join(a.out, "test.source"), "w", encoding="utf-8") as file:
        file.write("".join(line + "\n" for line in lines_of(os.path.join(a.data, f"{a.test}.{a.source}"))))
    print(f"{len(arrays['batch_off']) - 1} batches, {sum(len(one) - 1 for one in target)} target tokens")


main()
