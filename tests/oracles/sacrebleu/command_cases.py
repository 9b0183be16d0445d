"""Random runs of sacreBLEU 2.6.0's command, for sacrebleu_cases.

Usage: python command_cases.py SEED COUNT > cases.json
"""
import base64
import gzip
import json
import os
import pathlib
import random as random_module
import subprocess
import sys
import tempfile

import corpora


def text_of(lines):
    return "".join(line.replace("\n", " ") + "\n" for line in lines)


def make_files(random, lines):
    hypotheses, references = corpora.random_corpus(random, lines, 2, longest=8)
    files = {"r1": text_of(references[0]), "r2": text_of(references[1])}
    for name in ("h", "h2", "sys_3 & co"):
        files[name] = text_of([corpora.vary(random, line) for line in hypotheses])
    clean = [[line.replace("\t", " ").replace("\n", " ") for line in stream] for stream in references]
    files["tabs"] = "".join("\t".join(pair) + "\n" for pair in zip(*clean))
    files = {name: text.encode("utf-8") for name, text in files.items()}
    files["r1.gz"] = gzip.compress(files["r1"], mtime=0)
    files["short"] = b"only\n"
    files["latin"] = "caf\u00e9 a b c\n".encode("latin-1") * lines
    files["empty"] = b""
    return files


def make_arguments(random):
    references = random.choice([["r1"], ["r1"], ["r1", "r2"], ["r1.gz"], ["tabs", "--num-refs", "2"], ["latin", "-e", "latin-1"], ["short"], ["latin"],
                                ["empty"], ["missing"], ["r1", "-nr", "2"], ["tabs", "-nr", "0"]])
    words = list(references)
    options = [["-m", *random.sample(["bleu", "chrf", "ter"], random.randint(1, 3))], ["-sl"], ["-f", random.choice(["json", "text", "latex"])],
               ["-w", random.choice(["0", "2", "6", "-1", "x"])], ["-b"], ["-sh"], ["-q"], ["-ci", "-cin", random.choice(["1", "20", "0"])], ["-lc"], ["-tok",
               random.choice(["none", "intl", "char", "zh"])], ["-s", random.choice(["floor", "add-k", "none", "ex"])], ["-sv", random.choice(["0.3", "2", "1_0", ""])],
               ["-l", random.choice(["en-zh", "de-en", "en", "en-zh-x"])], ["-cc", random.choice(["0", "3", "-1"])], ["-cw", random.choice(["1", "2", "-1"])],
               ["--chrf-beta", "3"], ["--chrf-whitespace"], ["--chrf-lowercase"], ["--chrf-eps-smoothing"], ["--ter-case-sensitive"],
               ["--ter-asian-support"], ["--ter-no-punct"], ["--ter-normalized"], ["-d"], ["-nc"], ["--unknown"], ["-w2"], ["--wid=3"], ["--ter"],
               ["-t", "wmt99"], ["-t", "wmt17"], ["--force"], ["-qb"], ["-p"], ["--short=1"], ["--", "r2"]]
    for option in random.sample(options, random.randint(0, 4)):
        words += option
    if random.random() < 0.6:
        words += ["-i", *random.sample(["h", "h2", "sys_3 & co", "h", "latin", "empty"], random.choice([0, 1, 1, 2, 3]))]
        if random.random() < 0.5:
            words += random.choice([["-pbs", "-pbsn", "30"], ["-par", "-parn", "40"], ["-par", "-pbs"]])
    return words


def run(name, arguments, files, stdin, environment):
    with tempfile.TemporaryDirectory() as folder:
        for file, content in files.items():
            (pathlib.Path(folder) / file).write_bytes(content)
        variables = {**os.environ, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8", "SACREBLEU": folder + "/home", **environment}
        result = subprocess.run([sys.executable, "-m", "sacrebleu", *arguments], cwd=folder, input=stdin, capture_output=True, env=variables)
    error = result.stderr.decode("utf-8")
    traceback = error.splitlines()[-1] if "Traceback" in error else None
    encode = lambda data: base64.b64encode(data).decode("ascii")
    return {"name": name, "argv": arguments, "files_b64": {file: encode(content) for file, content in files.items()}, "stdin_b64": encode(stdin),
            "env": environment, "pyenv": {}, "rc": result.returncode, "stdout": result.stdout.decode("utf-8"),
            "stderr": "" if traceback else error, "traceback": traceback, "note": ""}


def make_case(random, name):
    lines = random.choice([1, 3, 5])
    files = make_files(random, lines)
    stdin = files[random.choice(["h", "h2", "tabs", "short", "empty"])]
    if random.random() < 0.2:
        stdin = stdin.replace(b"\n", random.choice([b"\r\n", b"\r"]))
    if random.random() < 0.05:
        stdin = b"\xff" + stdin
    environment = {}
    if random.random() < 0.2:
        environment["SACREBLEU_FORMAT"] = random.choice(["TEXT", "json", "latex", "xml"])
    if random.random() < 0.3:
        environment["SACREBLEU_SEED"] = random.choice(["1", "007", "x", "-1", "1_0", " 5 "])
    return run(name, make_arguments(random), files, stdin, environment)


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    json.dump([make_case(random_module.Random(f"{seed}-{i}"), f"seed {seed}, run {i}") for i in range(count)], sys.stdout)


if __name__ == "__main__":
    main()
