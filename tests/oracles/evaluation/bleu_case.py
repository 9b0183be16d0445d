"""Scores a small case with sacreBLEU 2.6.0: python bleu_case.py > ../../experiments/evaluation/data/bleu_case.json"""
import json

import sacrebleu
from sacrebleu.metrics import BLEU, CHRF, TER

hypotheses = [
    "Das Tier überquerte die Straße nicht, weil es zu müde war.",
    "Zwei Männer spielen Fußball im Park.",
    "",
    "Eine Frau, die rot trägt, liest ein Buch (auf der Bank).",
    "3,5 Prozent der Hunde bellen um 12:30 Uhr!",
    "Ein kleines Kind springt in den See .",
]
references = [
    "Das Tier überquerte die Straße nicht, weil es zu müde war.",
    "Zwei Männer spielen in einem Park Fußball.",
    "Niemand ist hier.",
    "Eine Frau in Rot liest ein Buch auf der Bank.",
    "3,5 Prozent der Hunde bellen um 12.30 Uhr.",
    "Ein kleines Kind springt in den See.",
]
assert sacrebleu.__version__ == "2.6.0"
cases = []
for lowercase in (False, True):
    for tokenize in ("13a", "none", "char"):
        metrics = {
            "bleu": BLEU(tokenize=tokenize, lowercase=lowercase),
            "chrf": CHRF(lowercase=lowercase),
            "ter": TER(case_sensitive=not lowercase),
        }
        scores, signatures = {}, {}
        for name, metric in metrics.items():
            scores[name] = metric.corpus_score(hypotheses, [references]).score
            signatures[name] = str(metric.get_signature())
        cases.append({"lowercase": lowercase, "tokenize": tokenize, "scores": scores, "signatures": signatures})
print(json.dumps({"hypotheses": hypotheses, "references": references, "cases": cases}, ensure_ascii=False, indent=1))
