#!/usr/bin/env python3
"""Writes the expected numbers of the position methods, computed in double precision straight from the papers' formulas.

    pip install torch==2.13.0 transformers==5.24.0
    python tests/oracles/modules/positions.py tests/modules/data

The formulas are written element by element, with a vector for every pair of query and key, as no efficient program has them. They are held
to Hugging Face transformers where that has the same thing: the buckets of T5, the slopes of BLOOM (ALiBi), the rotations of Llama (halves)
and GPT-J (interleaved), and the sinusoids of M2M100 (fairseq's). The loss is sum(output * r) with a fixed random r.
"""
import json
import math
import sys
from pathlib import Path

import torch
from torch import nn
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.gptj.modeling_gptj import apply_rotary_pos_emb as turn_gptj
from transformers.models.llama.modeling_llama import apply_rotary_pos_emb as turn_llama
from transformers.models.m2m_100.modeling_m2m_100 import M2M100SinusoidalPositionalEmbedding
from transformers.models.t5.modeling_t5 import T5Attention

torch.set_default_dtype(torch.float64)
torch.manual_seed(20180306)


def draw(*shape, scale=0.5):
    return torch.round(torch.randn(*shape) * scale * 10000) / 10000


def dump(tensor):
    return {"shape": list(tensor.shape), "data": [float(f"{x:.13g}") for x in tensor.detach().double().flatten().tolist()]}


def dump_all(tensors):
    return {name: dump(tensor) for name, tensor in tensors.items()}


# ---------------------------------------------------------------------------------------------------------------- sinusoids


def sinusoid(position, width, layout="interleaved", base=10000.0):
    row = [0.0] * width
    for i in range(width // 2):
        exponent = i / max(width // 2 - 1, 1) if layout == "tensor2tensor" else 2 * i / width
        angle = position / base**exponent
        sine, cosine = (2 * i, 2 * i + 1) if layout == "interleaved" else (i, width // 2 + i)
        row[sine], row[cosine] = math.sin(angle), math.cos(angle)
    return torch.tensor(row)


def sinusoids(positions, width, layout="interleaved", base=10000.0):
    return torch.stack([sinusoid(p, width, layout, base) for p in positions])


def sinusoid_cases():
    theirs = M2M100SinusoidalPositionalEmbedding.get_embedding(9, 12)
    assert torch.allclose(theirs.double(), sinusoids(range(9), 12, "tensor2tensor"), atol=1e-6)
    cases = []
    for layout in ("interleaved", "halves", "tensor2tensor"):
        for width, base, first in ((8, 10000.0, 0), (8, 10000.0, -5), (6, 50.0, 90), (2, 10000.0, 3)):
            table = sinusoids(range(first, first + 7), width, layout, base)
            cases.append({"layout": layout, "width": width, "base": base, "first": first, "table": dump(table)})
    return cases


# ---------------------------------------------------------------------------------------------- learned, hybrid: rows added


def stretched(table, position, length):
    """Row `position` of a table that is stretched over `length` tokens if it has fewer rows."""
    last = table.shape[0] - 1
    place = position if length <= last + 1 else position * last / (length - 1)
    below = min(math.floor(place), last)
    above = min(below + 1, last)
    return table[below] * (1 - (place - below)) + table[above] * (place - below)


def embed_case(name, method, d, rows, width, beyond, lengths, options):
    table = draw(rows, d - width).requires_grad_()
    longest = max(lengths)
    output = torch.zeros(len(lengths), longest, d)
    r = draw(len(lengths), longest, d, scale=1)
    for b, length in enumerate(lengths):
        for p in range(length):
            learned = stretched(table, p, length) if beyond == "interpolate" else table[min(p, rows - 1)]
            fixed = [sinusoid(p, width, options.get("layout", "interleaved"), options.get("base", 10000.0))] if width else []
            output[b, p] = torch.cat([*fixed, learned])
        r[b, length:] = 0
    (output * r).sum().backward()
    return {"name": name, "type": method, "d_model": d, "max_length": rows, "beyond": beyond, "lengths": lengths, "options": options,
            "parameters": {"method.table": dump(table)}, "output": dump(output), "r": dump(r),
            "gradients": {"method.table": dump(table.grad)}}


def embed_cases():
    return [
        embed_case("learned, clamped", "learned", 4, 5, 0, "clamp", [8, 3], {}),
        embed_case("learned, stretched", "learned", 4, 5, 0, "interpolate", [9, 3, 6, 5], {}),
        embed_case("learned, stretched, one row", "learned", 4, 1, 0, "interpolate", [3, 1], {}),
        embed_case("hybrid, half", "hybrid", 8, 6, 4, "error", [6, 2], {}),
        embed_case("hybrid, D/2 made even", "hybrid", 10, 6, 4, "clamp", [8, 2], {}),
        embed_case("hybrid, width 2, stretched", "hybrid", 5, 4, 2, "interpolate", [7, 4, 6],
                   {"sinusoidal_width": 2, "layout": "halves", "base": 100.0}),
        embed_case("hybrid, width 6, Tensor2Tensor's", "hybrid", 8, 5, 6, "error", [5],
                   {"sinusoidal_width": 6, "layout": "tensor2tensor"}),
    ]


# -------------------------------------------------------------------------------------------------------- relative, rotary


def bucket(distance, bidirectional, buckets, max_distance):
    return T5Attention._relative_position_bucket(torch.tensor(distance), bidirectional, buckets, max_distance).tolist()


def bucket_cases():
    cases = []
    for bidirectional, buckets, max_distance in ((True, 32, 128), (False, 32, 128), (True, 8, 20), (False, 7, 11), (False, 2, 9),
                                                 (True, 4, 64), (True, 64, 1000), (False, 16, 256)):
        distances = list(range(-1200, 1201))
        values = bucket(distances, bidirectional, buckets, max_distance)
        starts = [[d, new] for d, old, new in zip(distances, [None, *values], values) if old != new]
        cases.append({"bidirectional": bidirectional, "buckets": buckets, "max_distance": max_distance, "end": 1201, "starts": starts})
    return cases


def slopes(heads):
    """Press et al.: a geometric series for a power of two, otherwise filled up from the next power."""
    power = 2 ** math.floor(math.log2(heads))
    of_power = [2 ** (-8 / power * (h + 1)) for h in range(power)]
    of_next = [2 ** (-8 / (2 * power) * (h + 1)) for h in range(2 * power)]
    return of_power + of_next[0::2][: heads - power]


def slope_cases():
    cases = {}
    for heads in (1, 2, 3, 6, 8, 12, 20):
        theirs = build_alibi_tensor(torch.ones(1, 2), heads, torch.float64).view(heads, 2)[:, 1]
        assert torch.allclose(theirs.double(), torch.tensor(slopes(heads)), atol=1e-6)
        cases[str(heads)] = slopes(heads)
    return cases


def turned(x, layout, base):
    """x [B, H, T, d_k], pair by pair."""
    d_k = x.shape[-1]
    columns = [None] * d_k
    for i in range(d_k // 2):
        a, b = (2 * i, 2 * i + 1) if layout == "interleaved" else (i, d_k // 2 + i)
        angle = torch.arange(x.shape[2]) * base ** (-2 * i / d_k)
        columns[a] = x[..., a] * angle.cos() - x[..., b] * angle.sin()
        columns[b] = x[..., a] * angle.sin() + x[..., b] * angle.cos()
    return torch.stack(columns, -1)


def check_turned():
    x = draw(2, 3, 5, 8)
    angle = torch.arange(5.0)[:, None] * 10000 ** (-torch.arange(0, 8, 2) / 8)
    cosine, sine = angle.cos().repeat(1, 2)[None], angle.sin().repeat(1, 2)[None]
    assert torch.allclose(turn_llama(x, x, cosine, sine)[0], turned(x, "halves", 10000.0), atol=1e-12)
    theirs = turn_gptj(x.transpose(1, 2), angle.sin()[None], angle.cos()[None]).transpose(1, 2)
    assert torch.allclose(theirs, turned(x, "interleaved", 10000.0), atol=1e-12)


class Method:
    """Scores and outputs of one layer's self-attention, from q, k, v [B, H, T, width]."""

    def __init__(self, d, h, d_k, d_v, layers, kind, options):
        self.d, self.h, self.d_k, self.d_v, self.layers, self.kind, self.options = d, h, d_k, d_v, layers, kind, options
        self.parameters = {}

    def scores(self, q, k, layer):
        return torch.einsum("bhic,bhjc->bhij", q, k) / math.sqrt(self.d_k)

    def output(self, weights, v, layer):
        return weights @ v

    @staticmethod
    def distances(length):
        return torch.arange(length)[None, :] - torch.arange(length)[:, None]  # j - i


class Shaw(Method):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        rows = 2 * self.options.get("max_distance", 16) + 1
        for layer in range(self.layers):
            self.parameters[f"method.keys.{layer}"] = draw(rows, self.d_k)
            self.parameters[f"method.values.{layer}"] = draw(rows, self.d_v)

    def rows(self, which, layer, length):
        k = self.options.get("max_distance", 16)
        return self.parameters[f"method.{which}.{layer}"][self.distances(length).clamp(-k, k) + k]  # [T, T, width]

    def scores(self, q, k, layer):
        a = self.rows("keys", layer, q.shape[2])
        return torch.einsum("bhic,bhijc->bhij", q, k[:, :, None] + a) / math.sqrt(self.d_k)

    def output(self, weights, v, layer):
        return torch.einsum("bhij,bhijc->bhic", weights, v[:, :, None] + self.rows("values", layer, v.shape[2]))


class TransformerXl(Method):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        for layer in range(self.layers):
            self.parameters[f"method.w_r.{layer}"] = draw(self.h * self.d_k, self.d)
        self.parameters |= {"method.u": draw(self.h, self.d_k), "method.v": draw(self.h, self.d_k)}

    def scores(self, q, k, layer):
        p, length = self.parameters, q.shape[2]
        layout, base = self.options.get("layout", "interleaved"), self.options.get("base", 10000.0)
        r = torch.stack([sinusoids(range(i, i - length, -1), self.d, layout, base) for i in range(length)])  # [i, j] = R(i - j)
        r = (r @ p[f"method.w_r.{layer}"].T).view(length, length, self.h, self.d_k)
        content = torch.einsum("bhic,bhjc->bhij", q + p["method.u"][None, :, None], k)
        position = torch.einsum("bhic,ijhc->bhij", q + p["method.v"][None, :, None], r)
        return (content + position) / math.sqrt(self.d_k)


class T5(Method):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.parameters["method.table"] = draw(self.options.get("buckets", 32), self.h)

    def scores(self, q, k, layer):
        buckets, longest = self.options.get("buckets", 32), self.options.get("max_distance", 128)
        index = torch.tensor(bucket(self.distances(q.shape[2]).tolist(), self.kind == "self", buckets, longest))
        return super().scores(q, k, layer) + self.parameters["method.table"][index].permute(2, 0, 1)


class Alibi(Method):
    def scores(self, q, k, layer):
        slope = torch.tensor(slopes(self.h))[:, None, None]
        return super().scores(q, k, layer) - slope * self.distances(q.shape[2]).abs()


class Rotary(Method):
    def scores(self, q, k, layer):
        layout, base = self.options.get("layout", "interleaved"), self.options.get("base", 10000.0)
        return super().scores(turned(q, layout, base), turned(k, layout, base), layer)


METHODS = {"shaw": Shaw, "transformer_xl": TransformerXl, "t5": T5, "alibi": Alibi, "rotary": Rotary}


def attention_case(name, method, kind, d, h, d_k, d_v, length, lengths, options):
    layers, layer, batch = 2, 1, 2
    p = {"w_q": draw(h * d_k, d), "w_k": draw(h * d_k, d), "w_v": draw(h * d_v, d), "w_o": draw(d, h * d_v)}
    how = METHODS[method](d, h, d_k, d_v, layers, kind, options)
    x = draw(batch, length, d, scale=1)
    for value in [*p.values(), *how.parameters.values(), x]:
        value.requires_grad_()

    def project(which, width):
        return nn.functional.linear(x, p["w_" + which]).view(batch, length, h, width).transpose(1, 2)

    visible = (torch.arange(length) < torch.tensor(lengths)[:, None])[:, None, None, :].expand(batch, 1, length, length)
    if kind == "causal":
        visible = torch.ones(length, length, dtype=torch.bool).tril()
    scores = how.scores(project("q", d_k), project("k", d_k), layer)
    weights = scores.masked_fill(~visible, -math.inf).softmax(-1)
    joined = how.output(weights, project("v", d_v), layer).transpose(1, 2).reshape(batch, length, h * d_v)
    output = nn.functional.linear(joined, p["w_o"])
    r = draw(*output.shape, scale=1)
    (output * r).sum().backward()

    def gradient(value):
        return torch.zeros_like(value) if value.grad is None else value.grad

    return {"name": name, "type": method, "kind": kind, "d_model": d, "heads": h, "d_k": d_k, "d_v": d_v, "layers": layers, "layer": layer,
            "lengths": lengths, "options": options, "parameters": dump_all(p), "positions": dump_all(how.parameters), "x": dump(x),
            "r": dump(r), "output": dump(output), "weights": dump(weights),
            "gradients": dump_all({name: gradient(value) for name, value in (p | {"x": x}).items()}),
            "position_gradients": dump_all({name: gradient(value) for name, value in how.parameters.items()})}


def attention_cases():
    return [
        attention_case("shaw, padding", "shaw", "self", 6, 2, 3, 3, 7, [7, 4], {"max_distance": 2}),
        attention_case("shaw, far reach, d_v 2", "shaw", "self", 6, 2, 3, 2, 4, [4, 3], {}),
        attention_case("shaw, causal", "shaw", "causal", 6, 2, 3, 3, 7, [7, 7], {"max_distance": 3}),
        attention_case("transformer_xl, padding", "transformer_xl", "self", 6, 2, 3, 3, 5, [5, 3], {}),
        attention_case("transformer_xl, causal, halves", "transformer_xl", "causal", 6, 3, 4, 2, 5, [5, 5],
                       {"layout": "halves", "base": 30.0}),
        attention_case("t5, padding", "t5", "self", 6, 2, 3, 3, 9, [9, 5], {"buckets": 8, "max_distance": 6}),
        attention_case("t5, causal", "t5", "causal", 6, 2, 3, 3, 9, [9, 9], {"buckets": 6, "max_distance": 8}),
        attention_case("alibi, three heads, padding", "alibi", "self", 6, 3, 2, 2, 5, [5, 2], {}),
        attention_case("alibi, causal", "alibi", "causal", 6, 2, 3, 3, 5, [5, 5], {}),
        attention_case("rotary, padding", "rotary", "self", 8, 2, 4, 4, 5, [5, 3], {}),
        attention_case("rotary, causal, halves", "rotary", "causal", 8, 2, 6, 3, 5, [5, 5], {"layout": "halves", "base": 20.0}),
    ]


def main():
    check_turned()
    content = {"sinusoids": sinusoid_cases(), "embed": embed_cases(), "buckets": bucket_cases(), "slopes": slope_cases(),
               "attention": attention_cases()}
    (Path(sys.argv[1]) / "positions.json").write_text(json.dumps(content, separators=(",", ":")) + "\n")


main()
