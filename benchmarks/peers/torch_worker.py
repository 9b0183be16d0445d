#!/usr/bin/env python3
"""torch.nn.Transformer training on prepared batches, timed in turn with `attnlab bench train --serve`.

usage: torch_worker.py --batches FILE.npz [--size tiny|small|base] [--compile] [--bf16] [--threads 2]

The same model, batches, loss and optimizer as ours, in the way a careful user writes them: post-LN layers, sinusoids, one shared
embedding, fused AdamW, cross-entropy with label smoothing 0.1, dropout 0.1. --compile compiles every layer, and projection with
loss, for all lengths. Protocol: one JSON line when ready, then for each line `run N` one JSON line with tok_s and loss.
Needs: torch, numpy.
"""
import argparse
import math
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from protocol import serve

SIZES = {"tiny": (4, 128, 256, 4), "small": (3, 256, 1024, 4), "base": (6, 512, 2048, 8)}
VOCABULARY, SMOOTHING, DROPOUT = 10_000, 0.1, 0.1


class Translator(nn.Module):
    def __init__(self, layers, width, inner, heads, pad):
        super().__init__()
        self.width, self.pad = width, pad
        self.embedding = nn.Embedding(VOCABULARY, width)
        nn.init.normal_(self.embedding.weight, std=width**-0.5)
        self.body = nn.Transformer(width, heads, layers, layers, inner, DROPOUT, batch_first=True)
        place = torch.arange(512)[:, None] / 10000 ** (torch.arange(0, width, 2) / width)
        self.register_buffer("positions", torch.stack([place.sin(), place.cos()], -1).flatten(1))
        self.dropout = nn.Dropout(DROPOUT)

    def embed(self, ids):
        return self.dropout(self.embedding(ids) * math.sqrt(self.width) + self.positions[: ids.size(1)])

    def forward(self, source, target):
        padding = source == self.pad
        future = torch.triu(torch.ones(target.size(1), target.size(1), dtype=torch.bool), 1)
        return self.body(self.embed(source), self.embed(target), tgt_mask=future, src_key_padding_mask=padding, memory_key_padding_mask=padding, tgt_is_causal=True)


def read_batches(path):
    data = np.load(path)
    pad = int(data["pad"])

    def padded(name, rows):
        ids = [data[name][data[name + "_off"][row] : data[name + "_off"][row + 1]] for row in rows]
        width = max(map(len, ids))
        return torch.tensor(np.stack([np.pad(one, (0, width - len(one)), constant_values=pad) for one in ids]).astype(np.int64))

    bounds = data["batch_off"]
    lists = [data["batch"][bounds[i] : bounds[i + 1]] for i in range(min(16, len(bounds) - 1))]
    return [(padded("src", rows), padded("trg", rows)) for rows in lists], pad


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batches", required=True)
    parser.add_argument("--size", choices=SIZES, default="tiny")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--bf16", action="store_true")
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(1)
    batches, pad = read_batches(arguments.batches)
    model = Translator(*SIZES[arguments.size], pad).train()
    optimizer = torch.optim.AdamW(model.parameters(), 1e-4, (0.9, 0.98), 1e-9, weight_decay=0.0, fused=True)

    def loss_of(states, weight, labels):
        logits = F.linear(states, weight).flatten(0, 1).float()
        return F.cross_entropy(logits, labels.flatten(), ignore_index=pad, label_smoothing=SMOOTHING)

    if arguments.compile:
        for layer in [*model.body.encoder.layers, *model.body.decoder.layers]:
            layer.compile(dynamic=True)
        loss_of = torch.compile(loss_of, dynamic=True)

    def step(source, target):
        with torch.autocast("cpu", torch.bfloat16, enabled=arguments.bf16):
            loss = loss_of(model(source, target[:, :-1].contiguous()), model.embedding.weight, target[:, 1:].contiguous())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        return loss.item()

    for source, target in batches[-2:]:
        step(source, target)

    def measure(count):
        chosen = [batches[i % len(batches)] for i in range(count)]
        start = time.perf_counter()
        for source, target in chosen:
            loss = step(source, target)
        seconds = time.perf_counter() - start
        tokens = sum(int((target[:, 1:] != pad).sum()) for _, target in chosen)
        return {"tok_s": round(tokens / seconds, 1), "s": round(seconds, 3), "loss": round(loss, 3)}

    serve({"params": sum(p.numel() for p in model.parameters())}, measure)


if __name__ == "__main__":
    main()
