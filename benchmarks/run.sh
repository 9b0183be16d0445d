#!/usr/bin/env bash
# Speed on this machine, called by ./dev bench, which builds what it needs. Close other programs first.
#
# usage: benchmarks/run.sh                          micro-benchmarks, then training and decoding alone
#        benchmarks/run.sh --data FOLDER [--rounds 5] [--sizes "tiny small base"]
#                                                   training in turn (A B A B ...) with torch.nn.Transformer, eager, eager with tuned malloc, and compiled
#        benchmarks/run.sh --run RUN --input FILE   decoding in turn with CTranslate2 and JoeyNMT on the same trained weights
#        benchmarks/run.sh --against PROGRAM --data FOLDER    this build against another build of attnlab
#        benchmarks/run.sh --eole PYTHON --data FOLDER        training and its memory in turn with EOLE, which wants a Python environment of its own
#        benchmarks/run.sh --sweep SPEC     the runs of a spec side by side and one after another, and what the runner itself takes
#
# FOLDER holds Multi30k (train.en, train.de, test_2016_flickr.en, ...; plain or .gz). Python packages that are missing go into .deps/peers.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=build/release/app/attnlab threads=$(nproc) rounds=5 sizes="tiny small base" data="" run="" input="" against="" eole="" sweep=""
while [ $# -gt 0 ]; do
  case $1 in
    --data) data=$2 ;; --rounds) rounds=$2 ;; --sizes) sizes=$2 ;; --run) run=$2 ;; --input) input=$2 ;; --against) against=$2 ;; --eole) eole=$2 ;; --sweep) sweep=$2 ;;
    *) sed -n '2,13s/^# \{0,1\}//p' "$0" >&2; exit 1 ;;
  esac
  [ $# -ge 2 ] || { echo "benchmarks/run.sh: $1 needs a value" >&2; exit 1; }
  shift 2
done

peers() {
  [ -x .deps/peers/bin/python ] || python3 -m venv .deps/peers
  .deps/peers/bin/python -c "import torch, ctranslate2, joeynmt, sentencepiece, numpy" 2>/dev/null ||
    .deps/peers/bin/pip install -q torch==2.13.0 ctranslate2==4.8.5 joeynmt==2.3.0 importlib_metadata sentencepiece==0.2.0 numpy
}
# steps SIZE: so many that a round takes a few seconds
steps() { case $1 in tiny) echo 3 ;; small) echo 2 ;; *) echo 1 ;; esac; }
in_turn() { python3 benchmarks/in_turn.py --rounds "$rounds" "$@"; }

prepare() {
  peers
  [ -e out/benchmarks/batches.npz ] || .deps/peers/bin/python benchmarks/peers/prepare.py --data "$data" --out out/benchmarks
  batches=out/benchmarks/batches.npz
}

# beside NAME COMMAND: training of each size in turn with a peer that takes our options
beside() {
  prepare
  for size in $sizes; do
    options="--size $size --threads $threads --batches $batches"
    echo "== training $size fp32: attnlab (A) against $1 (B)"
    in_turn --steps "$(steps "$size")" --a "$bin bench train --serve $options" --b "$2 $options"
  done
}

if [ -n "$against" ]; then
  beside "$against" "$against bench train --serve"
elif [ -n "$eole" ]; then
  beside EOLE "$eole benchmarks/peers/eole_worker.py"
elif [ -n "$sweep" ]; then
  python3 benchmarks/sweep.py --program "$bin" --spec "$sweep" --rounds "$rounds" --set training.steps=200 training.validate_every=100
elif [ -n "$run" ]; then
  peers
  for beam in 1 5; do
    for shape in "$threads 1" "1 $threads"; do
      read -r workers each <<<"$shape"
      echo "== decoding, beam $beam: attnlab (A) against CTranslate2 float32, $workers workers of $each threads (B)"
      in_turn --steps 1 --a "$bin bench decode --threads $threads --run $run --input $input --beam $beam" \
        --b ".deps/peers/bin/python benchmarks/peers/ctranslate2_worker.py --run $run --input $input --beam $beam --workers $workers --threads $each"
    done
    mkdir -p out/benchmarks
    head -n 128 "$input" >out/benchmarks/first_lines
    echo "== decoding the first 128 lines, beam $beam: attnlab (A) against JoeyNMT (B)"
    in_turn --steps 1 --a "$bin bench decode --threads $threads --run $run --input out/benchmarks/first_lines --beam $beam" \
      --b ".deps/peers/bin/python benchmarks/peers/joeynmt_worker.py --run $run --input out/benchmarks/first_lines --beam $beam --threads $threads"
  done
elif [ -n "$data" ]; then
  prepare
  for size in $sizes; do
    ours="$bin bench train --serve --size $size --threads $threads --batches $batches"
    peer=".deps/peers/bin/python benchmarks/peers/torch_worker.py --size $size --threads $threads --batches $batches"
    echo "== training $size fp32: attnlab (A) against torch.nn.Transformer (B)"
    in_turn --steps "$(steps "$size")" --a "$ours" --b "$peer"
    echo "== the same with tuned malloc (B)"
    in_turn --steps "$(steps "$size")" --a "$ours" --b "env MALLOC_MMAP_THRESHOLD_=4294967296 MALLOC_TRIM_THRESHOLD_=8589934592 MALLOC_TOP_PAD_=67108864 $peer"
    echo "== the same under torch.compile (B)"
    in_turn --steps "$(steps "$size")" --a "$ours" --b "$peer --compile"
    echo "== training $size fp32 against its own matrix products alone, in one process"
    "$bin" bench train --size "$size" --threads "$threads" --batches "$batches" --steps "$(steps "$size")" --rounds "$rounds"
    if grep -qE 'avx512_bf16|amx_bf16' /proc/cpuinfo; then
      echo "== training $size bf16: attnlab (A) against torch.compile (B)"
      in_turn --steps "$(steps "$size")" --a "$ours --precision bf16" --b "$peer --compile --bf16"
    else
      echo "== training $size bf16: left out, this processor has neither avx512_bf16 nor amx_bf16"
    fi
  done
else
  build/release/benchmarks/attnlab_microbench
  for size in $sizes; do "$bin" bench train --size "$size"; done
  for beam in 1 5; do "$bin" bench decode --size tiny --beam "$beam"; done
fi
