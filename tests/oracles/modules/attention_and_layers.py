#!/usr/bin/env python3
"""Writes the expected outputs and gradients of attention, layers and whole models, computed by Python torch 2.13 in double precision.

    python tests/oracles/modules/attention_and_layers.py tests/modules/data

Attention is torch.nn.functional.softmax written out (the heads' widths may differ, which nn.MultiheadAttention does not allow), and is
compared with nn.MultiheadAttention where that can do the same. Layers and stacks are torch.nn.TransformerEncoderLayer,
TransformerDecoderLayer, TransformerEncoder and TransformerDecoder. The loss is sum(output * r) with a fixed random r.
"""
import json
import math
import sys
from pathlib import Path

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
torch.manual_seed(20170612)


def draw(*shape, scale=0.5):
    return torch.round(torch.randn(*shape) * scale * 10000) / 10000


def dump(tensor):
    return {"shape": list(tensor.shape), "data": [float(f"{x:.13g}") for x in tensor.detach().double().flatten().tolist()]}


def dump_all(tensors):
    return {name: dump(tensor) for name, tensor in tensors.items()}


def write(folder, name, content):
    (folder / name).write_text(json.dumps(content, separators=(",", ":")) + "\n")


# ---------------------------------------------------------------------------------------------------------------- attention


def attention_parameters(d, h, d_k, d_v, bias):
    p = {"w_q": draw(h * d_k, d), "w_k": draw(h * d_k, d), "w_v": draw(h * d_v, d), "w_o": draw(d, h * d_v)}
    if bias:
        p |= {"b_q": draw(h * d_k), "b_k": draw(h * d_k), "b_v": draw(h * d_v), "b_o": draw(d)}
    return {name: value.requires_grad_() for name, value in p.items()}


def attention(x, memory, visible, p, h, d_k, d_v):
    def project(y, which, width):
        y = nn.functional.linear(y, p["w_" + which], p.get("b_" + which))
        return y.view(y.shape[0], y.shape[1], h, width).transpose(1, 2)

    q, k, v = project(x, "q", d_k), project(memory, "k", d_k), project(memory, "v", d_v)
    scores = q @ k.transpose(-1, -2) / math.sqrt(d_k)
    weights = scores.masked_fill(~visible, -math.inf).softmax(-1)
    joined = (weights @ v).transpose(1, 2).reshape(x.shape[0], x.shape[1], h * d_v)
    return nn.functional.linear(joined, p["w_o"], p.get("b_o")), weights


def check_against_torch(x, memory, visible, p, h, output):
    d = x.shape[-1]
    theirs = nn.MultiheadAttention(d, h, bias="b_q" in p, batch_first=True)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([p["w_q"], p["w_k"], p["w_v"]]))
        theirs.out_proj.weight.copy_(p["w_o"])
        if "b_q" in p:
            theirs.in_proj_bias.copy_(torch.cat([p["b_q"], p["b_k"], p["b_v"]]))
            theirs.out_proj.bias.copy_(p["b_o"])
    mask = ~visible.expand(x.shape[0], h, x.shape[1], memory.shape[1]).reshape(-1, x.shape[1], memory.shape[1])
    expected, _ = theirs(x, memory, memory, attn_mask=mask)
    assert torch.allclose(expected, output, atol=1e-12)


def attention_case(name, kind, d, h, d_k, d_v, bias, lengths=None):
    batch, queries, keys = 2, 4, 4 if kind != "cross" else 5
    p = attention_parameters(d, h, d_k, d_v, bias)
    x = draw(batch, queries, d, scale=1).requires_grad_()
    memory = draw(batch, keys, d, scale=1).requires_grad_() if kind == "cross" else x
    visible = torch.ones(batch, 1, queries, keys, dtype=torch.bool)
    if lengths is not None:
        visible = visible & (torch.arange(keys) < torch.tensor(lengths)[:, None])[:, None, None, :]
    if kind == "causal":
        visible = visible.tril()
    output, weights = attention(x, memory, visible, p, h, d_k, d_v)
    if d_k == d_v == d // h:
        check_against_torch(x, memory, visible, p, h, output)
    r = draw(*output.shape, scale=1)
    (output * r).sum().backward()
    gradients = {name: value.grad for name, value in p.items()} | {"x": x.grad}
    case = {"name": name, "kind": kind, "d_model": d, "heads": h, "d_k": d_k, "d_v": d_v, "bias": bias, "lengths": lengths,
            "parameters": dump_all(p), "x": dump(x), "r": dump(r), "output": dump(output), "weights": dump(weights)}
    if kind == "cross":
        case["memory"] = dump(memory)
        gradients["memory"] = memory.grad
    return case | {"gradients": dump_all(gradients)}


def attention_cases():
    return [
        attention_case("self", "self", 6, 2, 3, 3, False),
        attention_case("self, padding, biases", "self", 6, 2, 3, 3, True, [4, 2]),
        attention_case("self, d_k 2, d_v 5, padding", "self", 6, 3, 2, 5, False, [3, 4]),
        attention_case("causal", "causal", 6, 2, 3, 3, False),
        attention_case("causal, d_k 4, d_v 1, biases", "causal", 6, 2, 4, 1, True),
        attention_case("cross, padding", "cross", 6, 2, 3, 3, False, [5, 1]),
        attention_case("cross, d_k 1, d_v 4, biases, padding", "cross", 6, 2, 1, 4, True, [2, 5]),
        attention_case("one head", "self", 5, 1, 5, 5, True, [4, 3]),
    ]


# ------------------------------------------------------------------------------------------------------------------- layers


def randomise(module):
    with torch.no_grad():
        for name, value in module.named_parameters():
            norm_gain = "norm" in name and name.endswith("weight")
            value.copy_(draw(*value.shape, scale=0.3) + (1 if norm_gain else 0))


def drop_attention_biases(module):
    with torch.no_grad():
        for part in module.modules():
            if isinstance(part, nn.MultiheadAttention):
                part.in_proj_bias.zero_()
                part.out_proj.bias.zero_()


def attention_names(prefix, theirs, bias, gradient):
    def get(parameter):
        return parameter.grad if gradient else parameter

    names = dict(zip("qkv", get(theirs.in_proj_weight).chunk(3)))
    result = {f"{prefix}.w_{key}": value for key, value in names.items()} | {f"{prefix}.w_o": get(theirs.out_proj.weight)}
    if bias:
        names = dict(zip("qkv", get(theirs.in_proj_bias).chunk(3)))
        result |= {f"{prefix}.b_{key}": value for key, value in names.items()} | {f"{prefix}.b_o": get(theirs.out_proj.bias)}
    return result


def layer_names(prefix, layer, bias, gradient):
    """Our names for the parameters (or their gradients) of one of torch's layers."""
    def get(parameter):
        return parameter.grad if gradient else parameter

    decoder = hasattr(layer, "multihead_attn")
    result = attention_names(prefix + "self_attention", layer.self_attn, bias, gradient)
    norms = ["self_attention", "feed_forward"]
    if decoder:
        result |= attention_names(prefix + "cross_attention", layer.multihead_attn, bias, gradient)
        norms.insert(1, "cross_attention")
    result |= {prefix + "feed_forward.w_1": get(layer.linear1.weight), prefix + "feed_forward.b_1": get(layer.linear1.bias),
               prefix + "feed_forward.w_2": get(layer.linear2.weight), prefix + "feed_forward.b_2": get(layer.linear2.bias)}
    for number, which in enumerate(norms, 1):
        norm = getattr(layer, f"norm{number}")
        result |= {f"{prefix}{which}_add_norm.norm.gain": get(norm.weight), f"{prefix}{which}_add_norm.norm.bias": get(norm.bias)}
    return result


def padding(lengths, longest):
    return torch.arange(longest) >= torch.tensor(lengths)[:, None]


def layer_case(stack, placement, bias, activation):
    d, h, ff, batch, length, source_length = 6, 2, 7, 2, 4, 5
    kind = nn.TransformerEncoderLayer if stack == "encoder" else nn.TransformerDecoderLayer
    layer = kind(d, h, ff, dropout=0.0, activation=activation, batch_first=True, norm_first=placement == "pre")
    randomise(layer)
    if not bias:
        drop_attention_biases(layer)
    x = draw(batch, length, d, scale=1).requires_grad_()
    case = {"name": f"{stack}, {placement}-LN, {activation}" + (", biases" if bias else ""), "stack": stack, "placement": placement,
            "bias": bias, "activation": activation, "d_model": d, "heads": h, "d_ff": ff, "x": dump(x),
            "parameters": dump_all(layer_names("", layer, bias, gradient=False))}
    if stack == "encoder":
        lengths = [4, 2]
        output = layer(x, src_key_padding_mask=padding(lengths, length))
        # torch's rows of padding differ in nothing that matters, but are not zeroed here either: r looks at valid rows only
        r = draw(*output.shape, scale=1) * ~padding(lengths, length)[:, :, None]
    else:
        lengths = [5, 3]
        memory = draw(batch, source_length, d, scale=1).requires_grad_()
        causal = torch.ones(length, length).triu(1).bool()
        output = layer(x, memory, tgt_mask=causal, memory_key_padding_mask=padding(lengths, source_length))
        r = draw(*output.shape, scale=1)
        case["memory"] = dump(memory)
    (output * r).sum().backward()
    gradients = layer_names("", layer, bias, gradient=True) | {"x": x.grad}
    if stack == "decoder":
        gradients["memory"] = memory.grad
    return case | {"lengths": lengths, "r": dump(r), "output": dump(output), "gradients": dump_all(gradients)}


def layer_cases():
    return [layer_case(stack, placement, bias, activation) for stack in ("encoder", "decoder")
            for placement, bias, activation in (("post", False, "relu"), ("pre", False, "relu"), ("pre", True, "gelu"))]


# ------------------------------------------------------------------------------------------------------------- whole models


def sinusoids(length, d):
    """The paper's formula, element by element."""
    return torch.tensor([[math.sin(pos / 10000 ** (i / d)) if i % 2 == 0 else math.cos(pos / 10000 ** ((i - 1) / d)) for i in range(d)]
                         for pos in range(length)])


def model_case(placement, tying, positions, scaled):
    d, h, ff, n, vocab = 6, 2, 8, 2, 9
    pre = placement == "pre"
    encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(d, h, ff, 0.0, batch_first=True, norm_first=pre), n,
                                    nn.LayerNorm(d) if pre else None, enable_nested_tensor=False)
    decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(d, h, ff, 0.0, batch_first=True, norm_first=pre), n,
                                    nn.LayerNorm(d) if pre else None)
    randomise(encoder), randomise(decoder)
    drop_attention_biases(encoder), drop_attention_biases(decoder)
    tables = {"source_embedding": draw(vocab, d).requires_grad_()}
    if tying != "three_way":
        tables["target_embedding"] = draw(vocab, d).requires_grad_()
    if tying == "none":
        tables["output"] = draw(vocab, d).requires_grad_()
    target_table = tables.get("target_embedding", tables["source_embedding"])
    output_matrix = tables.get("output", target_table)
    if positions == "learned":
        tables["encoder_positions.method.table"] = draw(7, d).requires_grad_()
        tables["decoder_positions.method.table"] = draw(7, d).requires_grad_()

    source, source_lengths = torch.tensor([[3, 4, 5, 6, 2], [7, 8, 2, 0, 0], [4, 2, 0, 0, 0]]), [5, 3, 2]
    target, target_lengths = torch.tensor([[1, 5, 6, 7], [1, 8, 0, 0], [1, 3, 4, 0]]), [4, 2, 3]

    def embed(table, ids, which):
        x = table[ids] * (math.sqrt(d) if scaled else 1.0)
        length = ids.shape[1]
        return x + (sinusoids(length, d) if positions == "sinusoidal" else tables[f"{which}_positions.method.table"][:length])

    source_pad, target_pad = padding(source_lengths, 5), padding(target_lengths, 4)
    memory = encoder(embed(tables["source_embedding"], source, "encoder"), src_key_padding_mask=source_pad)
    states = decoder(embed(target_table, target, "decoder"), memory, tgt_mask=torch.ones(4, 4).triu(1).bool(),
                     tgt_key_padding_mask=target_pad, memory_key_padding_mask=source_pad)
    logits = states @ output_matrix.T
    r = draw(*logits.shape, scale=1) * ~target_pad[:, :, None]
    (logits * r).sum().backward()

    def names(gradient):
        result = {name: table.grad if gradient else table for name, table in tables.items()}
        for which, stack in (("encoder", encoder), ("decoder", decoder)):
            for number, layer in enumerate(stack.layers):
                result |= layer_names(f"{which}.layers.{number}.", layer, False, gradient)
            if pre:
                for ours, theirs in (("gain", stack.norm.weight), ("bias", stack.norm.bias)):
                    result[f"{which}.final_norm.{ours}"] = theirs.grad if gradient else theirs
        return result

    return {"name": f"{placement}-LN, {tying}, {positions}" + ("" if scaled else ", unscaled"), "placement": placement, "tying": tying,
            "positions": positions, "scaled": scaled, "d_model": d, "heads": h, "d_ff": ff, "layers": n, "vocab": vocab,
            "source": source.tolist(), "source_lengths": source_lengths, "target": target.tolist(), "target_lengths": target_lengths,
            "parameters": dump_all(names(False)), "r": dump(r), "logits": dump(logits * ~target_pad[:, :, None]),
            "gradients": dump_all(names(True))}


def model_cases():
    return [model_case("post", "three_way", "sinusoidal", True), model_case("pre", "two_way", "learned", False),
            model_case("pre", "none", "sinusoidal", True)]


def main():
    folder = Path(sys.argv[1])
    write(folder, "attention.json", attention_cases())
    write(folder, "layers.json", layer_cases())
    write(folder, "models.json", model_cases())
    write(folder, "sinusoids.json", {"d_model": 6, "table": dump(sinusoids(5, 6))})


if __name__ == "__main__":
    main()
