"""Small .npz files for tests/experiments/data, written by NumPy.

usage: npz_batches.py OUT_FOLDER

Two pairs and two batches in the layout of experiments/data/prepared_batches.h, deflated and stored; and one array of floats.
"""
import os
import sys

import numpy as np

out = sys.argv[1]
sources = [[7, 8, 9, 3], [5, 3]]
targets = [[2, 11, 3], [2, 6, 4, 12, 3]]
batches = [[1], [0]]


def flat(rows):
    return np.concatenate([np.asarray(row, dtype=np.int32) for row in rows])


def offsets(rows):
    return np.cumsum([0] + [len(row) for row in rows]).astype(np.int64)


arrays = dict(src=flat(sources), src_off=offsets(sources), trg=flat(targets), trg_off=offsets(targets), batch=flat(batches),
              batch_off=offsets(batches), pad=1, bos=2, eos=3, unk=0)
np.savez_compressed(os.path.join(out, "batches.npz"), **arrays)
np.savez(os.path.join(out, "batches_stored.npz"), **arrays)
np.savez(os.path.join(out, "floats.npz"), src=np.zeros(3, dtype=np.float32))
np.savez(os.path.join(out, "matrix.npz"), src=np.zeros((2, 2), dtype=np.int32))
np.savez_compressed(os.path.join(out, "no_pad.npz"), **{name: array for name, array in arrays.items() if name != "pad"})
