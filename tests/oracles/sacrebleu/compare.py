"""Compares the C++ program with sacreBLEU 2.6.0 on fresh random cases: keeps the files whose cases differ.

Usage: python compare.py SACREBLEU_CASES GENERATOR FIRST_SEED LAST_SEED CASES_PER_SEED [FOLDER]
GENERATOR is metric_cases, ter_cases, significance_cases or command_cases.
"""
import pathlib
import subprocess
import sys
import tempfile


def main():
    program, generator, first, last, count = sys.argv[1:6]
    folder = pathlib.Path(sys.argv[6] if len(sys.argv) > 6 else tempfile.mkdtemp())
    script = pathlib.Path(__file__).with_name(generator + ".py")
    passed = failed = 0
    for seed in range(int(first), int(last) + 1):
        path = folder / f"{generator}-{seed}.json"
        with open(path, "w", encoding="utf-8") as file:
            subprocess.run([sys.executable, script, str(seed), count], stdout=file, check=True)
        result = subprocess.run([program, path], capture_output=True, text=True)
        summary = result.stdout.splitlines()[-1].split()
        passed += int(summary[0])
        failed += int(summary[2])
        if result.returncode == 0:
            path.unlink()
        else:
            print(f"{path}:\n{result.stdout}")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
