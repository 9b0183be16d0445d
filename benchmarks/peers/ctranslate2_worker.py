#!/usr/bin/env python3
"""Translates a file with CTranslate2 and the weights of a trained attnlab run, timed in turn with `attnlab bench decode --run`.

usage: ctranslate2_worker.py --run DIR --input FILE [--beam 1] [--workers 2] [--threads 1] [--batch N] [--compute float32]

Converts the run (post-LN, LayerNorm, sinusoids or learned positions, no attention biases) into a temporary folder. Then one JSON
line when ready, and for each line `run N` on stdin one JSON line like attnlab's. At most 60 tokens; beams by average score.
Needs: ctranslate2, sentencepiece, numpy.
"""
import tempfile

import ctranslate2
import numpy as np
from ctranslate2.specs import common_spec, transformer_spec

from trained_run import TrainedRun, arguments_of, read_lines, serve_translation


def sinusoids(length, width):
    place = np.arange(length)[:, None] / 10000.0 ** (np.arange(0, width, 2) / width)
    table = np.zeros((length, width), np.float32)
    table[:, 0::2], table[:, 1::2] = np.sin(place), np.cos(place)
    return table


def linear(spec, weight, bias=None):
    spec.weight = np.ascontiguousarray(weight)
    spec.bias = np.zeros(weight.shape[0], np.float32) if bias is None else bias


def norm(spec, weights, name):
    spec.gamma, spec.beta = weights[name + ".gain"], weights[name + ".bias"]


def attention(spec, weights, layer, name, cross):
    w = {key: weights[f"{layer}.{name}.w_{key}"] for key in "qkvo"}
    if cross:
        linear(spec.linear[0], w["q"])
        linear(spec.linear[1], np.concatenate([w["k"], w["v"]]))
        linear(spec.linear[2], w["o"])
    else:
        linear(spec.linear[0], np.concatenate([w["q"], w["k"], w["v"]]))
        linear(spec.linear[1], w["o"])
    norm(spec.layer_norm, weights, f"{layer}.{name}_add_norm.norm")


def feed_forward(spec, weights, layer):
    linear(spec.linear_0, weights[layer + ".feed_forward.w_1"], weights[layer + ".feed_forward.b_1"])
    linear(spec.linear_1, weights[layer + ".feed_forward.w_2"], weights[layer + ".feed_forward.b_2"])
    norm(spec.layer_norm, weights, layer + ".feed_forward_add_norm.norm")


def convert(run, folder):
    model, weights, layers = run.model, run.weights, [run.layers("encoder"), run.layers("decoder")]
    spec = transformer_spec.TransformerSpec.from_config(tuple(layers), model["heads"], pre_norm=False, activation=common_spec.Activation.RELU)
    source = weights["source_embedding"]
    target = weights.get("target_embedding", source)
    spec.encoder.embeddings[0].weight, spec.decoder.embeddings.weight = source, target
    spec.decoder.projection.weight = weights.get("output", target)
    for stack, part in (("encoder", spec.encoder), ("decoder", spec.decoder)):
        learned = weights.get(f"{stack}_positions.method.table")
        part.position_encodings.encodings = sinusoids(512, source.shape[1]) if learned is None else learned
        part.scale_embeddings = True
    for i in range(layers[0]):
        layer = f"encoder.layers.{i}"
        attention(spec.encoder.layer[i].self_attention, weights, layer, "self_attention", False)
        feed_forward(spec.encoder.layer[i].ffn, weights, layer)
    for i in range(layers[1]):
        layer = f"decoder.layers.{i}"
        attention(spec.decoder.layer[i].self_attention, weights, layer, "self_attention", False)
        attention(spec.decoder.layer[i].attention, weights, layer, "cross_attention", True)
        feed_forward(spec.decoder.layer[i].ffn, weights, layer)
    for side, pieces in (("source", run.source), ("target", run.target)):
        vocabulary = [pieces.id_to_piece(i) for i in range(pieces.get_piece_size())]
        getattr(spec, f"register_{side}_vocabulary")(vocabulary)
    spec.config.add_source_eos = True
    spec.config.bos_token, spec.config.eos_token = pieces.id_to_piece(pieces.bos_id()), pieces.id_to_piece(pieces.eos_id())
    spec.config.unk_token = pieces.id_to_piece(pieces.unk_id())
    spec.config.decoder_start_token = spec.config.bos_token
    spec.validate()
    spec.save(folder)


def main():
    arguments = arguments_of(__doc__, threads=1, workers=2, compute="float32")
    run, lines = TrainedRun(arguments.run), read_lines(arguments.input)
    folder = tempfile.TemporaryDirectory()
    convert(run, folder.name)
    translator = ctranslate2.Translator(folder.name, device="cpu", inter_threads=arguments.workers, intra_threads=arguments.threads, compute_type=arguments.compute)

    def translate():
        results = translator.translate_batch(run.source.encode(lines, out_type=str), beam_size=arguments.beam, max_batch_size=arguments.batch or run.config["decoding"]["batch_sentences"], batch_type="examples",
                                             length_penalty=1.0 if arguments.beam > 1 else 0.0, max_decoding_length=60)
        best = [result.hypotheses[0] for result in results]
        return run.target.decode(best), sum(min(len(pieces) + 1, 60) for pieces in best)

    serve_translation(arguments, translate, len(lines))


main()
