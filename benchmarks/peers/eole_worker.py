#!/usr/bin/env python3
"""EOLE's training on prepared batches, timed in turn with `attnlab bench train --serve`; the answers tell its peak memory.

usage: eole_worker.py --batches FILE.npz [--size tiny|small|base] [--bf16] [--threads 2]

EOLE's own model, loss, optimizer and trainer, one batch after another: pre-LN layers (it has no others), sinusoids, one shared
embedding, AdamW, label smoothing 0.1, dropout 0.1. Protocol: see torch_worker.py. Needs: torch, eole==0.6.4, numpy.
"""
import argparse
import logging
import os
import resource
import tempfile
import time

import torch

from protocol import serve
from torch_worker import DROPOUT, SIZES, SMOOTHING, VOCABULARY, read_batches


def configuration(size, bf16, words):
    from eole.config.run import TrainConfig

    layers, width, inner, heads = SIZES[size]
    return TrainConfig(
        data={}, src_vocab=words, tgt_vocab=words, share_vocab=True, src_vocab_size=VOCABULARY, tgt_vocab_size=VOCABULARY, vocab_size_multiple=1,
        pad_token="<pad>", unk_token="<unk>", bos_token="<s>", eos_token="</s>", seed=1,
        model={
            "architecture": "transformer", "layers": layers, "hidden_size": width, "transformer_ff": inner, "heads": heads,
            "share_embeddings": True, "share_decoder_embeddings": True, "generator_bias": False, "add_qkvbias": True, "add_final_linear_bias": True, "add_ffnbias": True,
            "embeddings": {"position_encoding_type": "SinusoidalInterleaved", "word_vec_size": width},
        },
        training={
            "optim": "adamw", "learning_rate": 1e-4, "adam_beta2": 0.98, "decay_method": "none", "max_grad_norm": 0.0, "label_smoothing": SMOOTHING,
            "dropout": [DROPOUT], "attention_dropout": [DROPOUT], "dropout_steps": [0], "param_init_method": "xavier_uniform", "normalization": "tokens",
            "batch_type": "tokens", "batch_size": 4096, "world_size": 1, "gpu_ranks": [], "compute_dtype": "bf16" if bf16 else "fp32", "use_amp": bf16,
        },
    )


def vocabulary_file():
    """One word a line; only the special ones, in prepare.py's order, matter."""
    special = ["<unk>", "<pad>", "<s>", "</s>"]
    file = tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False)
    with file:
        file.writelines(f"{word}\n" for word in special + [f"piece{i}" for i in range(len(special), VOCABULARY)])
    return file.name


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batches", required=True)
    parser.add_argument("--size", choices=SIZES, default="tiny")
    parser.add_argument("--bf16", action="store_true")
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    logging.disable(logging.INFO)
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(1)
    from eole.inputters.inputter import build_vocab
    from eole.models.model import get_model_class
    from eole.trainer import build_trainer
    from eole.utils import Statistics
    from eole.utils.optimizers import Optimizer

    batches, pad = read_batches(arguments.batches)
    words = vocabulary_file()
    config = configuration(arguments.size, arguments.bf16, words)
    vocabularies = build_vocab(config, {"src": [], "tgt": []})
    os.remove(words)
    model = get_model_class(config.model).for_training(config.model, vocabularies, config.training, metadata=None, device_id=-1).train()
    trainer = build_trainer(config, -1, model, vocabularies, Optimizer.from_config(model, config, metadata=None))
    if vocabularies["tgt"]["<pad>"] != pad:
        raise SystemExit("the padding of these batches is not prepare.py's")

    def step(number):
        source, target = batches[number % len(batches)]
        tokens, seen = int((target[:, 1:] != pad).sum()), Statistics()
        rows = range(source.size(0))
        batch = {"src": source, "tgt": target, "srclen": (source != pad).sum(1), "images": None, "prefix_len": None, "cid": ["data"] * len(rows), "cid_line_number": list(rows)}
        trainer._train_step([batch], tokens, seen, Statistics())
        return tokens, seen.loss / tokens

    done = 0

    def measure(steps):
        nonlocal done
        start, tokens = time.perf_counter(), 0
        for _ in range(steps):
            count, loss = step(done)
            tokens, done = tokens + count, done + 1
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        return {"tok_s": tokens / (time.perf_counter() - start), "loss": round(float(loss), 3), "peak_mib": peak}

    measure(1)  # warm-up
    serve({"params": sum(p.numel() for p in set(model.parameters()))}, measure)


if __name__ == "__main__":
    main()
