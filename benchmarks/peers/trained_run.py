"""A trained attnlab run as numpy arrays, for peers that decode with its weights; and the measurement that they have in common."""
import argparse
import json
import os
import struct
import time

import numpy as np
import sentencepiece

from protocol import serve


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


def arguments_of(description, threads, **more):
    """What every worker that decodes is told on its command line; more: name -> default of further options."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", required=True)
    parser.add_argument("--input", required=True)
    parser.add_argument("--beam", type=int, default=1)
    parser.add_argument("--threads", type=int, default=threads)
    parser.add_argument("--batch", type=int, help="sentences decoded together (default: as the run itself)")
    parser.add_argument("--write", help="file for the translations")
    for name, default in more.items():
        parser.add_argument("--" + name, type=type(default), default=default)
    return parser.parse_args()


def serve_translation(arguments, translate, sentences):
    """Translates once to warm up, then answers `run N`; translate() gives texts and how many tokens they have, end marks included."""
    texts, _ = translate()
    if arguments.write:
        with open(arguments.write, "w", encoding="utf-8") as file:
            file.write("".join(text + "\n" for text in texts))

    def measure(times):
        start = time.perf_counter()
        tokens = sum(translate()[1] for _ in range(times))
        seconds = time.perf_counter() - start
        return {"tok_s": tokens / seconds, "sentences_s": times * sentences / seconds, "tokens": tokens // times, "s": seconds}

    serve({"sentences": sentences, "beam": arguments.beam}, measure)
