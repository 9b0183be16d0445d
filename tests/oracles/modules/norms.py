#!/usr/bin/env python3
"""Writes the expected outputs and gradients of norms, and of layers in every norm and placement, computed by Python torch 2.13 in double
precision.

    python tests/oracles/modules/norms.py tests/modules/data

Norms are torch.nn.LayerNorm, torch.nn.RMSNorm, torch.nn.functional.normalize and torch.nn.BatchNorm1d on the rows that are no padding.
Layers are the formulas of the papers written out. The loss is sum(output * r) with a fixed random r, which is 0 on padding.
"""
import json
import math
import sys
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)
torch.manual_seed(20220301)

NORMS = ("layer_norm", "rms_norm", "scale_norm", "batch_norm")
PLACEMENTS = ("post", "pre", "sandwich", "deep_norm")
D, HEADS, FF, BATCH, LENGTH, SOURCE = 4, 2, 5, 2, 3, 4
ENCODER_LAYERS, DECODER_LAYERS = 3, 2  # of the model that the layers belong to: DeepNorm's N and M


def draw(*shape, scale=0.5):
    return torch.round(torch.randn(*shape) * scale * 10000) / 10000


def dump(tensor):
    return {"shape": list(tensor.shape), "data": [float(f"{x:.13g}") for x in tensor.detach().double().flatten().tolist()]}


def dump_all(tensors):
    return {name: dump(tensor) for name, tensor in tensors.items()}


def valid_rows(lengths, longest):
    return torch.arange(longest) < torch.tensor(lengths)[:, None]


# ------------------------------------------------------------------------------------------------------------------- norms


def norm_parameters(norm, width):
    gain = (1 + draw(width, scale=0.3)) if norm != "scale_norm" else torch.round(math.sqrt(width) * 1e4 * (1 + 0.3 * torch.rand(1))) / 1e4
    parameters = {"gain": gain.requires_grad_()}
    if norm in ("layer_norm", "batch_norm"):
        parameters["bias"] = draw(width).requires_grad_()
    return parameters


def apply_norm(norm, p, x, valid, epsilon):
    """`norm` in training mode; `p` are its parameters."""
    width = x.shape[-1]
    if norm == "layer_norm":
        return F.layer_norm(x, (width,), p["gain"], p["bias"], epsilon)
    if norm == "rms_norm":
        module = nn.RMSNorm(width, eps=epsilon)
        return torch.func.functional_call(module, {"weight": p["gain"]}, (x,))
    if norm == "scale_norm":
        return p["gain"] * F.normalize(x, dim=-1, eps=epsilon)
    module = nn.BatchNorm1d(width, eps=epsilon)
    rows = torch.func.functional_call(module, {"weight": p["gain"], "bias": p["bias"]}, (x[valid],))
    return torch.zeros_like(x).index_put((valid,), rows)


def norm_case(norm, epsilon, small=False):
    width, lengths = 5, [4, 2]
    valid = valid_rows(lengths, 4)
    p = norm_parameters(norm, width)
    x = draw(2, 4, width, scale=1)
    if small:
        x[0, 1] = x[0, 1] * 1e-2  # shorter than epsilon: the floor of ScaleNorm
    x.requires_grad_()
    r = draw(2, 4, width, scale=1) * valid[:, :, None]
    output = apply_norm(norm, p, x, valid, epsilon)
    (output * r).sum().backward()
    case = {"norm": norm, "epsilon": epsilon, "lengths": lengths, "x": dump(x), "r": dump(r), "parameters": dump_all(p),
            "output": dump(output), "gradients": dump_all({name: value.grad for name, value in p.items()} | {"x": x.grad})}
    return case | (running(p, x, valid, epsilon) if norm == "batch_norm" else {})


def running(p, x, valid, epsilon):
    """The statistics after two batches, and what evaluation mode makes of x then."""
    module = nn.BatchNorm1d(x.shape[-1], eps=epsilon, momentum=0.1)
    with torch.no_grad():
        module.weight.copy_(p["gain"]), module.bias.copy_(p["bias"])
        module(x[valid]), module(2 * x[valid] + 1)
        module.eval()
        evaluated = module(x.reshape(-1, x.shape[-1])).view_as(x)
    return {"running_mean": dump(module.running_mean), "running_var": dump(module.running_var), "evaluated": dump(evaluated)}


def norm_cases():
    cases = [norm_case(norm, epsilon) for norm in NORMS for epsilon in (1e-5, 0.5)]
    return cases + [norm_case("scale_norm", 0.5, small=True)]


# ------------------------------------------------------------------------------------------------------------------ layers


def attention(p, prefix, x, memory, visible):
    def project(y, which):
        return (y @ p[f"{prefix}.w_{which}"].T).view(BATCH, y.shape[1], HEADS, D // HEADS).transpose(1, 2)

    scores = project(x, "q") @ project(memory, "k").transpose(-1, -2) / math.sqrt(D // HEADS)
    weights = scores.masked_fill(~visible, -math.inf).softmax(-1)
    return (weights @ project(memory, "v")).transpose(1, 2).reshape(x.shape) @ p[prefix + ".w_o"].T


def feed_forward(p, x):
    inner = torch.relu(x @ p["feed_forward.w_1"].T + p["feed_forward.b_1"])
    return inner @ p["feed_forward.w_2"].T + p["feed_forward.b_2"]


def deep_norm_alpha(stack):
    n, m = ENCODER_LAYERS, DECODER_LAYERS
    return 0.81 * (n**4 * m) ** (1 / 16) if stack == "encoder" else (3 * m) ** 0.25


def layer_parameters(stack, norm, placement):
    blocks = ["self_attention"] + (["cross_attention"] if stack == "decoder" else [])
    p = {f"{block}.w_{which}": draw(D, D).requires_grad_() for block in blocks for which in "qkvo"}
    p |= {"feed_forward.w_1": draw(FF, D).requires_grad_(), "feed_forward.b_1": draw(FF).requires_grad_(),
          "feed_forward.w_2": draw(D, FF).requires_grad_(), "feed_forward.b_2": draw(D).requires_grad_()}
    for block in blocks + ["feed_forward"]:
        for name in ("norm_1", "norm_2") if placement == "sandwich" else ("norm",):
            p |= {f"{block}_add_norm.{name}.{part}": value for part, value in norm_parameters(norm, D).items()}
    return p


def layer_case(stack, norm, placement, residual_scale=0.0):
    p = layer_parameters(stack, norm, placement)
    x, memory = draw(BATCH, LENGTH, D, scale=1).requires_grad_(), draw(BATCH, SOURCE, D, scale=1).requires_grad_()
    lengths, source_lengths = [3, 2], [4, 2]
    valid = valid_rows(lengths, LENGTH)
    alpha = residual_scale or (deep_norm_alpha(stack) if placement == "deep_norm" else 1.0)

    def add_norm(block, y, sublayer):
        def normalise(name, z):
            prefix = f"{block}_add_norm.{name}."
            return apply_norm(norm, {key[len(prefix):]: value for key, value in p.items() if key.startswith(prefix)}, z, valid, 1e-5)

        if placement == "pre":
            return alpha * y + sublayer(normalise("norm", y))
        if placement == "sandwich":
            return alpha * y + normalise("norm_2", sublayer(normalise("norm_1", y)))
        return normalise("norm", alpha * y + sublayer(y))

    own = valid[:, None, None, :] if stack == "encoder" else torch.ones(LENGTH, LENGTH, dtype=torch.bool).tril()
    y = add_norm("self_attention", x, lambda z: attention(p, "self_attention", z, z, own))
    if stack == "decoder":
        seen = valid_rows(source_lengths, SOURCE)[:, None, None, :]
        y = add_norm("cross_attention", y, lambda z: attention(p, "cross_attention", z, memory, seen))
    output = add_norm("feed_forward", y, lambda z: feed_forward(p, z))
    r = draw(*output.shape, scale=1) * valid[:, :, None]
    (output * r).sum().backward()
    case = {"stack": stack, "norm": norm, "placement": placement, "residual_scale": residual_scale, "d_model": D, "heads": HEADS,
            "d_ff": FF, "encoder_layers": ENCODER_LAYERS, "decoder_layers": DECODER_LAYERS, "lengths": lengths, "x": dump(x),
            "parameters": dump_all(p), "r": dump(r), "output": dump(output)}
    gradients = {name: value.grad for name, value in p.items()} | {"x": x.grad}
    if stack == "decoder":
        case |= {"source_lengths": source_lengths, "memory": dump(memory)}
        gradients["memory"] = memory.grad
    return case | {"gradients": dump_all(gradients)}


def layer_cases():
    every = [layer_case("encoder", norm, placement) for norm in NORMS for placement in PLACEMENTS]
    scaled = [layer_case("encoder", "rms_norm", placement, 0.7) for placement in PLACEMENTS]
    return every + scaled + [layer_case("decoder", norm, placement) for norm, placement in zip(NORMS, reversed(PLACEMENTS))]


def main():
    text = json.dumps({"norms": norm_cases(), "layers": layer_cases()}, separators=(",", ":"))
    (Path(sys.argv[1]) / "norms.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
