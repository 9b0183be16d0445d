"""Models and expected ids for tests/tokenizer, made with the Python package sentencepiece (0.2).

usage: sentencepiece_models.py OUT_FOLDER

byte_fallback.model  bpe with byte pieces; pad 3, unk 0, bos 1, eos 2 (other numbers than attnlab's own models)
no_pad.model         the package's default: no pad symbol
expected.tsv         sentence, ids by byte_fallback.model, decoded text
"""
import io
import os
import sys

import sentencepiece as spm

out = sys.argv[1]
text = ["The animal didn't cross the street because it was too tired.",
        "Das Tier überquerte die Straße nicht, weil es zu müde war.",
        "A man in an orange hat starring at something."] * 20


def train(name, **settings):
    model = io.BytesIO()
    spm.SentencePieceTrainer.train(sentence_iterator=iter(text), model_writer=model, model_type="bpe",
                                   normalization_rule_name="identity", minloglevel=2, **settings)
    with open(os.path.join(out, name), "wb") as file:
        file.write(model.getvalue())


train("byte_fallback.model", vocab_size=340, byte_fallback=True, unk_id=0, bos_id=1, eos_id=2, pad_id=3)
train("no_pad.model", vocab_size=60)
processor = spm.SentencePieceProcessor(model_file=os.path.join(out, "byte_fallback.model"))
sentences = ["The street was too wide.", "Die Straße war zu müde", "  two  blanks ", "quiz \u20ac \U0001F600", "</s> <pad>"]
with open(os.path.join(out, "expected.tsv"), "w", encoding="utf-8") as file:
    for sentence in sentences:
        ids = processor.encode(sentence)
        file.write("\t".join([sentence, " ".join(map(str, ids)), processor.decode(ids)]) + "\n")
