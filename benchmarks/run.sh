#!/usr/bin/env bash
# Speed on this machine: micro-benchmarks beside LibTorch's own operations, then training and decoding of the three sizes.
# usage: benchmarks/run.sh [--batches FILE.npz]   (called by ./dev bench, which builds what it needs)
set -euo pipefail
cd "$(dirname "$0")/.."
bin=build/release
"$bin/benchmarks/attnlab_microbench"
for size in tiny small base; do
  "$bin/app/attnlab" bench train --size "$size" "$@"
done
"$bin/app/attnlab" bench decode --size tiny --beam 1
"$bin/app/attnlab" bench decode --size tiny --beam 5
