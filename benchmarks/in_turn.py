#!/usr/bin/env python3
"""Times two training programs in turn (A B A B ...), so that a machine whose speed drifts does not favour either.

usage: in_turn.py [--rounds 5] [--steps 3] --a "COMMAND" --b "COMMAND"

Each command speaks the protocol of `attnlab bench train --serve`: one JSON line when it is ready, then for each line
`run N` on stdin one JSON line with "tok_s", until `quit`. Prints the rounds, and the ratio A / B round by round.
"""
import argparse
import json
import shlex
import statistics
import subprocess


class Program:
    def __init__(self, command):
        self.process = subprocess.Popen(shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.info = self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.process.args[0]} ended without an answer; run it by hand to see why")
        return json.loads(line)

    def run(self, steps):
        self.process.stdin.write(f"run {steps}\n")
        return self.answer()

    def quit(self):
        self.process.stdin.write("quit\n")
        self.process.stdin.close()
        self.process.wait()


def told(pair):
    """What else both say of a round: the losses must agree between training programs, the tokens between translating ones; the peak memory."""
    return "  ".join(f"{key} {pair[0][key]} {pair[1][key]}" for key in ("loss", "tokens", "peak_mib") if all(key in answer for answer in pair))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--a", required=True)
    parser.add_argument("--b", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=3)
    arguments = parser.parse_args()
    a, b = Program(arguments.a), Program(arguments.b)
    print("A", a.info)
    print("B", b.info)
    speeds = []
    for _ in range(arguments.rounds):
        pair = a.run(arguments.steps), b.run(arguments.steps)
        speeds.append([answer["tok_s"] for answer in pair])
        print(f"A {speeds[-1][0]:9.0f}  B {speeds[-1][1]:9.0f}  A/B {speeds[-1][0] / speeds[-1][1]:.2f}   {told(pair)}")
    ratios = sorted(x / y for x, y in speeds)
    print(f"A/B  min {ratios[0]:.2f}  median {statistics.median(ratios):.2f}  max {ratios[-1]:.2f}")
    a.quit()
    b.quit()


main()
