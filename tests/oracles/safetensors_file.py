"""Writes tests/experiments/checkpoint/data/python.safetensors with Python's safetensors: what our reader must understand."""
import pathlib

import torch
from safetensors.torch import save_file

out = pathlib.Path(__file__).parent.parent / "experiments" / "checkpoint" / "data"
out.mkdir(parents=True, exist_ok=True)
save_file(
    {
        "matrix": torch.tensor([[0.5, -1.0, 2.0], [3.25, 1e-30, -0.0]]),
        "half": torch.tensor([1.5, -2.0], dtype=torch.float16),
        "brain": torch.tensor([1.0, 3.0], dtype=torch.bfloat16),
        "double": torch.tensor(0.1, dtype=torch.float64),
        "long": torch.tensor([2**62, -1], dtype=torch.int64),
        "flag": torch.tensor([True, False, True]),
        "empty": torch.zeros(0, 4),
    },
    out / "python.safetensors",
    metadata={"note": "Äpfel \"quoted\""},
)
