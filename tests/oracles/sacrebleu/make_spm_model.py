"""Trains the tiny SentencePiece model of tests/sacrebleu/data/spm and prints the pieces that the test expects.

Usage: python make_spm_model.py ../../sacrebleu/data/spm/models
"""
import pathlib
import random
import sys

import sentencepiece

SUBJECTS = ["the cat", "a dog", "the old man", "my friend", "the bird"]
VERBS = ["sat on", "looked at", "jumped over", "slept under", "walked to"]
PLACES = ["the mat", "the tree", "a wall", "the river", "my house"]


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    generator = random.Random(1)
    sentences = [" ".join(generator.choice(part) for part in (SUBJECTS, VERBS, PLACES)) for _ in range(300)]
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences), model_prefix=str(folder / "tiny"), vocab_size=40, model_type="unigram",
        normalization_rule_name="identity", minloglevel=2)
    model = folder / "flores200sacrebleuspm"
    (folder / "tiny.model").rename(model)
    (folder / "tiny.vocab").unlink()
    processor = sentencepiece.SentencePieceProcessor(model_file=str(model))
    print(" ".join(processor.EncodeAsPieces("the cat sat on the mat")))


if __name__ == "__main__":
    main()
