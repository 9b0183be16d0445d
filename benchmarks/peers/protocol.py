"""What the workers of this folder say: one JSON line when ready, then one for each line `run N` on stdin, until `quit` or the end."""
import json
import sys


def serve(ready, measure):
    """measure(N) gives the dictionary of an answer."""
    print(json.dumps({"ready": True, **ready}), flush=True)
    for line in sys.stdin:
        if line.strip() == "quit":
            break
        print(json.dumps(measure(int(line.split()[1]))), flush=True)
