"""Expected numbers of tests/experiments/training, from PyTorch: label-smoothed cross-entropy with gradient, and Adam/AdamW updates."""
import pathlib

import torch
import torch.nn.functional as F
from safetensors.torch import save_file

out = pathlib.Path(__file__).parent.parent / "experiments" / "training" / "data"
out.mkdir(parents=True, exist_ok=True)
torch.manual_seed(1)

N, V, PAD, EPS = 7, 75, 0, 0.1
logits = (torch.randn(N, V) * 4).double()
labels = torch.randint(1, V, (N,))
tensors = {"logits": logits.float(), "labels": labels}
exact = logits.float().double()


def with_gradient(name, loss_of):
    z = exact.clone().requires_grad_()
    loss = loss_of(z)
    loss.backward()
    tensors[f"loss.{name}"], tensors[f"gradient.{name}"] = loss.detach(), z.grad


def spread(z, count, leave_pad_out):
    """Mass EPS over `count` pieces that are not the target (nor pad)."""
    q = torch.full((N, V), EPS / count, dtype=torch.float64)
    if leave_pad_out:
        q[:, PAD] = 0
    q.scatter_(1, labels[:, None], 1 - EPS)
    assert torch.allclose(q.sum(1), torch.ones(N, dtype=torch.float64))
    return -(q * F.log_softmax(z, 1)).sum()


with_gradient("none", lambda z: F.cross_entropy(z, labels, reduction="sum"))
with_gradient("vocab", lambda z: F.cross_entropy(z, labels, reduction="sum", label_smoothing=EPS))
with_gradient("others", lambda z: spread(z, V - 1, False))
with_gradient("others_no_pad", lambda z: spread(z, V - 2, True))
save_file(tensors, out / "loss.safetensors")

tensors = {"matrix": torch.randn(5, 3), "vector": torch.randn(4)}
gradients = [(torch.randn(5, 3), torch.randn(4)) for _ in range(3)]
for t, (m, v) in enumerate(gradients):
    tensors[f"matrix.gradient.{t}"], tensors[f"vector.gradient.{t}"] = m, v
for name, kind in (("adam", torch.optim.Adam), ("adamw", torch.optim.AdamW)):
    matrix, vector = tensors["matrix"].clone().double(), tensors["vector"].clone().double()
    # Weight decay for the matrix only.
    optimizer = kind([{"params": [matrix], "weight_decay": 0.1}, {"params": [vector], "weight_decay": 0.0}],
                     lr=0.01, betas=(0.9, 0.98), eps=1e-9)
    for m, v in gradients:
        matrix.grad, vector.grad = m.double() / 8, v.double() / 8
        optimizer.step()
    tensors[f"matrix.{name}"], tensors[f"vector.{name}"] = matrix, vector
save_file(tensors, out / "adam.safetensors")
