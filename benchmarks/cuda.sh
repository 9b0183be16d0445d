#!/usr/bin/env bash
# Is this machine's GPU right, and how fast? Builds attnlab_device, which needs a C++20 compiler, CMake and a LibTorch for CUDA and nothing
# else, compares every norm, placement, position method and attention kernel with the CPU, then times training. About five minutes.
#
# usage: benchmarks/cuda.sh [--libtorch FOLDER] [--peak TFLOPS]
#
# --libtorch: default, the torch of python3. --peak: dense bf16 TFLOP/s of the GPU from its data sheet; known for H100, H200, A100, L4, RTX 4090.
set -euo pipefail
cd "$(dirname "$0")/.."
libtorch="" peak=""
while [ $# -gt 0 ]; do
  case $1 in
    --libtorch) libtorch=${2:?--libtorch needs a folder} ;; --peak) peak=${2:?--peak needs a number} ;;
    *) sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 1 ;;
  esac
  shift 2
done
[ -n "$libtorch" ] || libtorch=$(python3 -c "import os, torch; print(os.path.dirname(torch.__file__))" 2>/dev/null) ||
  { echo "benchmarks/cuda.sh: python3 has no torch; name a LibTorch for CUDA by --libtorch FOLDER" >&2; exit 1; }
gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1) || true
[ -n "$gpu" ] || { echo "benchmarks/cuda.sh: nvidia-smi finds no GPU" >&2; exit 1; }
if [ -z "$peak" ]; then
  case $gpu in *H100*PCIe*) peak=756 ;; *H100*|*H200*) peak=989 ;; *A100*) peak=312 ;; *L4) peak=121 ;; *4090*) peak=165 ;; *) peak=0 ;; esac
fi

generator=()
if command -v ninja >/dev/null; then generator=(-G Ninja); fi
cmake -S . -B build/cuda "${generator[@]}" -DCMAKE_BUILD_TYPE=Release -DATTNLAB_STEPS_ONLY=ON -DLIBTORCH_DIR="$libtorch" >/dev/null
cmake --build build/cuda -j "$(nproc)" --target attnlab_device
device=build/cuda/benchmarks/device/attnlab_device

echo "== $gpu against the CPU, largest relative difference of each case"
status=0
"$device" check cuda || status=$?
echo "== training on $gpu"
for size in base big; do
  "$device" speed cuda $size bf16 4096 "$peak"
  "$device" speed cuda $size bf16 25000 "$peak"
done
"$device" speed cuda base fp32 4096
nvidia-smi --query-gpu=memory.used,clocks.sm,power.draw --format=csv
exit $status
