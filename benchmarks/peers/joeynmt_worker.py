#!/usr/bin/env python3
"""Translates a file with JoeyNMT and the weights of a trained attnlab run, timed in turn with `attnlab bench decode --run`.

usage: joeynmt_worker.py --run DIR --input FILE [--beam 1] [--threads 2] [--batch N] [--write FILE]

Builds JoeyNMT's own model from the run (post-LN, LayerNorm, sinusoids, three-way tying) and searches with JoeyNMT's own `search`.
Then one JSON line when ready, and for each line `run N` on stdin one JSON line like attnlab's. At most 60 tokens.
Needs: joeynmt, torch, sentencepiece, numpy.
"""
from types import SimpleNamespace

import torch
from joeynmt.batch import Batch
from joeynmt.decoders import TransformerDecoder
from joeynmt.embeddings import Embeddings
from joeynmt.encoders import TransformerEncoder
from joeynmt.model import Model
from joeynmt.search import search
from joeynmt.vocabulary import Vocabulary
from torch import nn

from trained_run import TrainedRun, arguments_of, read_lines, serve_translation


def linear(layer, weights, name, bias=None):
    layer.weight = nn.Parameter(torch.from_numpy(weights[name]))
    if layer.bias is not None:
        layer.bias = nn.Parameter(torch.from_numpy(weights[bias]) if bias in weights else torch.zeros(len(layer.weight)))


def norm(layer, weights, name, epsilon):
    layer.weight, layer.bias = (nn.Parameter(torch.from_numpy(weights[f"{name}.norm.{part}"])) for part in ("gain", "bias"))
    layer.eps = epsilon


def attention(layer, weights, name):
    for ours, theirs in zip("qkvo", (layer.q_layer, layer.k_layer, layer.v_layer, layer.output_layer)):
        linear(theirs, weights, f"{name}.w_{ours}", f"{name}.b_{ours}")


def fill(layer, weights, name, attentions, epsilon):
    """attentions: our name, JoeyNMT's attention, the norm behind it."""
    for ours, theirs, norm_of in attentions:
        attention(theirs, weights, f"{name}.{ours}")
        norm(norm_of, weights, f"{name}.{ours}_add_norm", epsilon)
    linear(layer.feed_forward.pwff_layer[0], weights, name + ".feed_forward.w_1", name + ".feed_forward.b_1")
    linear(layer.feed_forward.pwff_layer[3], weights, name + ".feed_forward.w_2", name + ".feed_forward.b_2")
    norm(layer.feed_forward.layer_norm, weights, name + ".feed_forward_add_norm", epsilon)


def model_of(run):
    weights, pieces, width = run.weights, run.target, run.model["d_model"]
    if "target_embedding" in weights or any(name.endswith("method.table") for name in weights):
        raise SystemExit("only three-way tying and sinusoids are converted")
    specials = {}
    for number, special in enumerate(("unk", "pad", "bos", "eos")):  # JoeyNMT's own order
        specials.update({special + "_id": number, special + "_token": pieces.id_to_piece(getattr(pieces, special + "_id")())})
    every = [pieces.id_to_piece(i) for i in range(pieces.get_piece_size())]
    vocabulary = Vocabulary(every, SimpleNamespace(sep_id=None, sep_token=None, lang_tags=[], **specials))
    ours = sorted(range(len(every)), key=lambda number: vocabulary.lookup(every[number]))
    shape = {"hidden_size": width, "ff_size": run.model["d_ff"], "num_heads": run.model["heads"], "layer_norm": "post", "dropout": 0.0, "emb_dropout": 0.0}
    embedding = Embeddings(width, scale=True, vocab_size=len(vocabulary), padding_idx=vocabulary.pad_index)
    encoder = TransformerEncoder(num_layers=run.layers("encoder"), **shape)
    decoder = TransformerDecoder(num_layers=run.layers("decoder"), vocab_size=len(vocabulary), **shape)
    embedding.lut.weight = decoder.output_layer.weight = nn.Parameter(torch.from_numpy(weights["source_embedding"][ours]))
    epsilon = run.model["norm"]["epsilon"]
    for i, layer in enumerate(encoder.layers):
        fill(layer, weights, f"encoder.layers.{i}", [("self_attention", layer.src_src_att, layer.layer_norm)], epsilon)
    for i, layer in enumerate(decoder.layers):
        parts = [("self_attention", layer.trg_trg_att, layer.x_layer_norm), ("cross_attention", layer.src_trg_att, layer.dec_layer_norm)]
        fill(layer, weights, f"decoder.layers.{i}", parts, epsilon)
    return Model(encoder, decoder, embedding, embedding, vocabulary, vocabulary).eval(), ours


def batches(run, model, ours, lines, size):
    """Longest first, in JoeyNMT's numbers; ours: its number -> SentencePiece's."""
    theirs = {number: i for i, number in enumerate(ours)}
    pad, end = model.pad_index, model.eos_index
    sources = [[theirs[number] for number in run.source.encode(line)] + [end] for line in lines]
    order = sorted(range(len(lines)), key=lambda i: -len(sources[i]))
    for begin in range(0, len(order), size):
        rows = order[begin : begin + size]
        width = len(sources[rows[0]])
        ids = torch.tensor([sources[row] + [pad] * (width - len(sources[row])) for row in rows])
        lengths = torch.tensor([len(sources[row]) for row in rows])
        yield rows, Batch(ids, lengths, None, None, None, torch.tensor(rows), torch.device("cpu"), pad, end, is_train=False)


def main():
    arguments = arguments_of(__doc__, threads=2)
    torch.set_num_threads(arguments.threads)
    run, lines = TrainedRun(arguments.run), read_lines(arguments.input)
    model, ours = model_of(run)

    def translate():
        best = [None] * len(lines)
        for rows, batch in batches(run, model, ours, lines, arguments.batch or run.config["decoding"]["batch_sentences"]):
            found, _, _ = search(model, batch, max_output_length=60, beam_size=arguments.beam, beam_alpha=1.0 if arguments.beam > 1 else -1)
            for row, ids in zip(rows, found.tolist()):
                ids = ids[: ids.index(model.eos_index)] if model.eos_index in ids else ids
                best[row] = [ours[number] for number in ids]
        return run.target.decode(best), sum(min(len(ids) + 1, 60) for ids in best)

    serve_translation(arguments, translate, len(lines))


main()
