#!/usr/bin/env python3
"""NumPy, safetensors and BertViz open exported attention: attention_files_test.py INSPECTION_SAMPLES

Builds a virtual environment in .deps/interop (torch comes from .deps/venv) the first time. Exit code 77: skipped, with the reason.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TORCH = ROOT / ".deps" / "venv"
VENV = ROOT / ".deps" / "interop"


def skip(reason):
    print("skipped:", reason)
    sys.exit(77)


def enter_environment():
    """Runs this script again inside the environment."""
    if not (TORCH / "bin" / "python").exists():
        skip("there is no .deps/venv with torch (./dev setup makes it)")
    python = VENV / "bin" / "python"
    if not (VENV / "ready").exists():
        subprocess.run([TORCH / "bin" / "python", "-m", "venv", "--clear", VENV], check=True)
        pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        installs = ["numpy", "safetensors", "ipython"], ["--no-deps", "bertviz"]
        for packages in installs:
            if subprocess.run([*pip, *packages]).returncode != 0:
                skip("pip could not install " + " ".join(packages))
        site = next((VENV / "lib").glob("python3*")) / "site-packages"
        torch_site = next((TORCH / "lib").glob("python3*")) / "site-packages"
        (site / "torch_of_project.pth").write_text(str(torch_site) + "\n")
        (VENV / "ready").touch()
    os.execv(python, [str(python), *sys.argv])


def check_names(names):
    assert len(names) == 2 * 3 * 2, names
    assert "sentence.0.encoder.layer.0" in names and "sentence.1.cross.layer.1" in names, names


def check_metadata(attention):
    about = json.loads(attention)
    first, second = about["sentences"]
    assert first["source"]["pieces"] == ["▁s0", "▁s1", "▁s2", "▁s3", "▁s4", "</s>"], first
    assert first["source"]["special"] == [False] * 5 + [True]
    assert first["input"]["ids"] == [2, 30, 31, 32, 33] and first["predicted"]["ids"] == [30, 31, 32, 33, 3]
    assert second["source"]["pieces"][0] == "▁</script>" and second["source"]["pieces"][11] == "▁\ufffd\ufffd"
    return about


def test_safetensors(folder, expected):
    from safetensors import safe_open

    with safe_open(folder / "attention.safetensors", framework="np") as file:
        check_names(set(file.keys()))
        check_metadata(file.metadata()["attention"])
        for sentence in (0, 1):
            cross = file.get_tensor(f"sentence.{sentence}.cross.layer.1")
            assert cross.shape[0] == 4 and abs(cross.sum(-1) - 1).max() < 1e-5
            assert abs(cross[3, 2, 4] - expected[sentence]) < 1e-7


def test_npz(folder, expected):
    import numpy

    with numpy.load(folder / "attention.npz") as file:
        check_names(set(file.keys()) - {"metadata"})
        check_metadata(bytes(file["metadata"]).decode("utf-8"))
        for sentence in (0, 1):
            cross = file[f"sentence.{sentence}.cross.layer.1"]
            assert cross.dtype == numpy.float32 and abs(cross.sum(-1) - 1).max() < 1e-5
            assert abs(cross[3, 2, 4] - expected[sentence]) < 1e-7


def test_bertviz(folder, expected):
    import torch
    from bertviz import head_view, model_view

    with open(folder / "attention.bertviz.jsonl", encoding="utf-8") as lines:
        for sentence, line in enumerate(lines):
            data = json.loads(line)
            arguments = {key: data[key] for key in ("encoder_tokens", "decoder_tokens")}
            for key in ("encoder_attention", "decoder_attention", "cross_attention"):
                arguments[key] = [torch.tensor(layer) for layer in data[key]]
            assert abs(arguments["cross_attention"][1][0, 3, 2, 4].item() - expected[sentence]) < 1e-6
            for view in (head_view, model_view):
                page = view(html_action="return", **arguments)
                assert "Cross" in page.data


def main():
    if pathlib.Path(sys.prefix).resolve() != VENV.resolve():
        enter_environment()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([sys.argv[1], name], check=True)
        expected = json.loads((folder / "cross_layer1_head3_query2_key4.json").read_text())
        for test in (test_safetensors, test_npz, test_bertviz):
            test(folder, expected)
            print("ok", test.__name__)


if __name__ == "__main__":
    main()
