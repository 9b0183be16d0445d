"""Scores tokenised text with a multi-bleu.perl that you have (Moses, scripts/generic) and with sacreBLEU 2.6.0:

python multi_bleu_case.py PATH/multi-bleu.perl > ../../experiments/evaluation/data/multi_bleu_case.json
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import sacrebleu
from sacrebleu.metrics import BLEU

TRANSLATED = [
    "ein mann mit einem orangen hut starrt etwas an .",
    "ein boston terrier läuft über das grüne gras vor einem weißen zaun .",
    "fünf leute in winterjacken stehen mit helmen im schnee , mit schneemobilen im hintergrund .",
    "menschen reparieren das dach eines hauses .",
    "ein ein ein hund hund hund .",
    "",
    "walt disney &apos; s &quot; schneewittchen &quot;",
]
REFERENCES = [
    "ein mann mit einem orangefarbenen hut , der etwas anstarrt .",
    "ein boston terrier läuft über saftig-grünes gras vor einem weißen zaun .",
    "fünf leute in winterjacken und mit helmen stehen im schnee mit schneemobilen im hintergrund .",
    "leute reparieren das dach eines hauses .",
    "ein hund und noch ein hund .",
    "niemand ist hier .",
    "eine version von walt disney &apos; s &quot; schneewittchen &quot;",
]
CASES = {
    "tokenised text": (TRANSLATED, REFERENCES, False),
    "longer than the references": (REFERENCES, TRANSLATED, False),
    "no four words in a row are right": (["ein hund läuft", "a b c x"], ["ein hund läuft schnell", "a b c d"], False),
    "capitals count": (["Ein Hund läuft über das Gras ."], ["ein hund läuft über das gras ."], False),
    "capitals do not count with -lc": (["Ein Hund läuft über das Gras ."], ["ein hund läuft über das gras ."], True),
    "several blanks, tabs and blanks at the ends": (["  ein  hund\tläuft über das gras . "],
                                                    ["ein hund läuft über das gras ."], False),
    # Where both differ.
    "capitals beyond ASCII with -lc": (["ein hund Über das gras läuft jetzt ."],
                                       ["ein hund über das gras läuft jetzt ."], True),
    "a blank beyond ASCII": (["ein hund\u00a0läuft über das gras ."], ["ein hund läuft über das gras ."], False),
}


def by_script(script, hypotheses, references, lowercase):
    """Every line ends in a line feed: the script cuts off the last letter of one that does not."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "reference"
        file.write_text("".join(line + "\n" for line in references), encoding="utf-8")
        command = ["perl", script] + (["-lc"] if lowercase else []) + [str(file)]
        text = "".join(line + "\n" for line in hypotheses)
        return subprocess.run(command, input=text, stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout.strip()


assert sacrebleu.__version__ == "2.6.0"
cases = []
for name, (hypotheses, references, lowercase) in CASES.items():
    printed = by_script(sys.argv[1], hypotheses, references, lowercase)
    metric = BLEU(tokenize="none", smooth_method="none", lowercase=lowercase, force=True)
    cases.append({
        "name": name,
        "lowercase": lowercase,
        "hypotheses": hypotheses,
        "references": references,
        "printed": printed,
        "script": float(re.match(r"BLEU = ([0-9.]+)", printed)[1]),
        "sacrebleu": metric.corpus_score(hypotheses, [references]).score,
        "signature": str(metric.get_signature()),
    })
print(json.dumps(cases, ensure_ascii=False, indent=1))
