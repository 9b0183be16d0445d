"""Main effects, interactions and the bootstrap with NumPy and SciPy, for effects_test.cpp and statistics_test.cpp.

Arrays y[a, b, c, seed] hold a metric, NaN where there is none. Level 0 is each factor's reference, but for b, whose reference is 1.

Run (numpy 2, scipy 1): python effects.py > ../../experiments/results/data/effects.json
"""

import itertools
import json

import numpy as np
from scipy import stats

REFERENCE = (0, 1, 0)


def t_test(by_seed):
    n, mean = len(by_seed), float(np.mean(by_seed))
    result = {"n": n, "mean": mean}
    if n > 1:
        low, high = stats.t.interval(0.95, n - 1, loc=mean, scale=stats.sem(by_seed))
        result |= {"low": float(low), "high": float(high), "p": float(stats.ttest_1samp(by_seed, 0).pvalue)}
    return result


def matched(differences):
    """differences[combination, seed], NaN where a value is missing: the larger of two rectangles without holes."""
    there = ~np.isnan(differences)
    some = differences[there.any(axis=1)]
    if some.size == 0:
        return None
    some = some[:, ~np.isnan(some).all(axis=0)]
    full_rows = some[~np.isnan(some).any(axis=1)]
    full_columns = some[:, ~np.isnan(some).any(axis=0)]
    kept = full_rows if full_rows.size >= full_columns.size else full_columns
    if kept.size == 0:
        return None
    return t_test(kept.mean(axis=0)) | {"combinations": len(kept), "all": len(differences)}


def level(y, fixed):
    index = [slice(None)] * 4
    for factor, value in fixed.items():
        index[factor] = slice(value, value + 1)
    return y[tuple(index)].reshape(-1, y.shape[3])


def cell_means(y, fixed):
    cells = level(y, fixed)
    cells = cells[~np.isnan(cells).all(axis=1)]
    return {"mean": float(np.nanmean(cells, axis=1).mean()) if len(cells) else None, "cells": len(cells),
            "runs": int((~np.isnan(cells)).sum())}


def case(y):
    values = [{"levels": list(map(int, at[:3])), "seed": int(at[3]) + 1, "value": float(y[at])}
              for at in itertools.product(*map(range, y.shape)) if not np.isnan(y[at])]
    main, interactions = [], []
    for f in range(3):
        for l in range(y.shape[f]):
            entry = {"factor": f, "level": l} | cell_means(y, {f: l})
            if l != REFERENCE[f]:
                entry["difference"] = matched(level(y, {f: l}) - level(y, {f: REFERENCE[f]}))
            main.append(entry)
    for f, g in itertools.combinations(range(3), 2):
        for a, b in itertools.product(range(y.shape[f]), range(y.shape[g])):
            entry = {"first": f, "second": g, "a": a, "b": b} | cell_means(y, {f: a, g: b})
            if a != REFERENCE[f] and b != REFERENCE[g]:
                a0, b0 = REFERENCE[f], REFERENCE[g]
                entry["contrast"] = matched((level(y, {f: a, g: b}) - level(y, {f: a0, g: b}))
                                            - (level(y, {f: a, g: b0}) - level(y, {f: a0, g: b0})))
            interactions.append(entry)
    return {"shape": list(y.shape), "values": values, "main": main, "interactions": interactions}


def bootstrap(values):
    draws = np.random.default_rng(12345).choice(np.array(values), (10000, len(values)))
    low, high = np.percentile(draws.mean(axis=1), [2.5, 97.5])
    return {"values": values, "low": float(low), "high": float(high)}


random = np.random.default_rng(7)
a, b, c, seed = np.ix_(range(3), range(2), range(2), range(3))
balanced = np.round(50 + 3 * a - 2 * b + c + 1.5 * a * b + random.normal(0, 0.8, (3, 2, 2, 3)), 2)
one_seed = balanced[..., :1]
unbalanced = balanced.copy()
unbalanced[2, 0, 1] = np.nan      # a cell that is not in the plan
unbalanced[1, 1, 0, 2] = np.nan   # a run that failed
few = np.full((3, 2, 2, 3), np.nan)
for at in ((0, 0, 0), (0, 1, 0, slice(1, 3)), (1, 1, 0, slice(0, 2)), (2, 0, 1, slice(0, 1))):
    few[at] = balanced[at]
print(json.dumps({
    "balanced": case(balanced), "one_seed": case(one_seed), "unbalanced": case(unbalanced), "few": case(few),
    "bootstrap": [bootstrap([-0.31, 0.05, 0.4, -0.22, 0.18]), bootstrap([1.2, 0.7, 1.9, 2.4, 0.1, 1.1, 0.9, -0.4])],
}, indent=1))
