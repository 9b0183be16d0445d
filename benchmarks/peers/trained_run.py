"""A trained attnlab run as numpy arrays, for peers that decode with its weights; and the measurement that they have in common."""
import json
import os
import struct
import time

import numpy as np
import sentencepiece


class TrainedRun:
    """config: config.json; weights: name -> array; source, target: SentencePiece. Refuses what no peer has."""

    def __init__(self, folder):
        self.config = json.load(open(os.path.join(folder, "config.json")))
        self.model = self.config["model"]
        if self.model["norm"]["placement"] != "post" or self.model["norm"]["type"] != "layer_norm":
            raise SystemExit("only post-LN with LayerNorm is converted")
        self.weights = read_safetensors(os.path.join(folder, "checkpoints", self.config["training"]["evaluate"] + ".safetensors"))
        self.source, self.target = (sentencepiece.SentencePieceProcessor(model_file=os.path.join(folder, side + ".model")) for side in ("source", "target"))

    def layers(self, stack):
        return 1 + max(int(name.split(".")[2]) for name in self.weights if name.startswith(stack + ".layers."))


def read_safetensors(path):
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = file.read()
    header.pop("__metadata__", None)
    return {name: np.frombuffer(data[slice(*entry["data_offsets"])], np.float32).reshape(entry["shape"]).copy() for name, entry in header.items()}


def read_lines(path):
    return open(path, encoding="utf-8").read().split("\n")[:-1]


def measured(translate, sentences):
    """What answers `run N`; translate() gives texts and how many tokens they have, end marks included."""

    def measure(times):
        start = time.perf_counter()
        tokens = sum(translate()[1] for _ in range(times))
        seconds = time.perf_counter() - start
        return {"tok_s": tokens / seconds, "sentences_s": times * sentences / seconds, "tokens": tokens // times, "s": seconds}

    return measure


def write_lines(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(line + "\n" for line in lines))
