"""Student's t and the paired t test with mpmath (50 digits), for statistics_test.cpp.

Run: python student_t.py > ../../experiments/results/data/student_t.json
"""

import json

from mpmath import betainc, findroot, mp, mpf, sqrt

mp.dps = 50


def cdf(t, df):
    tail = betainc(df / mpf(2), mpf(1) / 2, 0, df / (df + t * t), regularized=True) / 2
    return 1 - tail if t > 0 else tail


def quantile(p, df):
    return findroot(lambda t: cdf(t, df) - p, (mpf(0), mpf(100)), solver="illinois", tol=mpf("1e-40"))


def paired(differences):
    n = len(differences)
    values = [mpf(repr(d)) for d in differences]
    mean = sum(values) / n
    sd = sqrt(sum((v - mean) ** 2 for v in values) / (n - 1))
    error = sd / sqrt(mpf(n))
    reach = quantile(mpf("0.975"), mpf(n - 1)) * error
    p = 2 * (1 - cdf(abs(mean / error), mpf(n - 1)))
    return {"differences": differences, "mean": float(mean), "sd": float(sd), "low": float(mean - reach),
            "high": float(mean + reach), "p": float(p)}


beta_cases = [(0.5, 0.5, 0.3), (1, 0.5, 0.9), (2, 3, 0.4), (15, 0.5, 0.999), (0.5, 40, 0.01), (100, 0.5, 0.5)]
print(json.dumps({
    "beta": [{"a": a, "b": b, "x": x, "value": float(betainc(a, b, 0, mpf(repr(x)), regularized=True))}
             for a, b, x in beta_cases],
    "cdf": [{"t": t, "df": df, "value": float(cdf(mpf(repr(t)), mpf(df)))}
            for t in (-3.5, -0.2, 0.0, 1.0, 12.7) for df in (1, 2, 4, 30, 200)],
    "quantile": [{"p": p, "df": df, "value": float(quantile(mpf(repr(p)), mpf(df)))}
                 for p in (0.6, 0.9, 0.975, 0.995) for df in (2, 3, 4, 9, 100)],
    "paired": [paired([1.2, 0.7, 1.9]), paired([-0.31, 0.05, 0.4, -0.22, 0.18]), paired([2.0, 4.0])],
}, indent=1))
