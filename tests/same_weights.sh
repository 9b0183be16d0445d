#!/usr/bin/env bash
# Do this tree and another commit train the same weights, bit for bit, on this machine?
#
# usage: tests/same_weights.sh COMMIT                   builds COMMIT below build/same_weights/ (once; a quarter of an hour on 2 cores)
#        tests/same_weights.sh --with PROGRAM           takes a program that is built already
#   option: --program PROGRAM                           this tree's program (default: build/release/app/attnlab)
#
# Trains two cells of specs/demo.json (tests/same_weights.json) for 30 steps with one thread with both programs, and compares every
# tensor of the last weights. Exit 0: all bytes are the same; 1: they differ, and the first tensor that does is named; 2: it could not be tried.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() { sed -n '2,9s/^# \{0,1\}//p' tests/same_weights.sh; }
die() { printf 'same_weights: %s\n' "$*" >&2; exit 2; }

program=build/release/app/attnlab other="" commit=""
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --with | --program)
      [ $# -ge 2 ] || die "$1 needs the path of a program"
      if [ "$1" = --with ]; then other=$2; else program=$2; fi
      shift 2 ;;
    -*) usage >&2; die "unknown option '$1'" ;;
    *)
      [ -z "$commit" ] || die "one commit is compared, but '$commit' and '$1' were given"
      commit=$1
      shift ;;
  esac
done
[ -n "$commit$other" ] || { usage >&2; die "give a commit, or --with PROGRAM"; }
[ -z "$commit" ] || [ -z "$other" ] || die "give a commit or --with PROGRAM, not both"
[ -x "$program" ] || die "'$program' is not there: build it with ./dev build, or name another with --program"

# build_commit HASH: its program, built in a worktree of its own that stays
build_commit() {
  local tree=build/same_weights/$1 libtorch=$PWD/.deps/venv
  [ ! -e .deps/libtorch ] || libtorch=$(cat .deps/libtorch)
  if [ ! -x "$tree/build/release/app/attnlab" ]; then
    git worktree prune
    [ -e "$tree/.git" ] || git worktree add --detach "$tree" "$1" >&2 || die "git could not put $1 into $tree"
    echo "building $1 in $tree" >&2
    (cd "$tree" && cmake --preset release -DLIBTORCH_DIR="$libtorch" && cmake --build --preset release --target attnlab) >&2 ||
      die "$1 could not be built in $tree; to start over: git worktree remove --force $tree"
  fi
  echo "$tree/build/release/app/attnlab"
}

if [ -n "$commit" ]; then
  hash=$(git rev-parse --verify --quiet "$commit^{commit}") || die "'$commit' is no commit of this repository"
  other=$(build_commit "$hash")
fi
[ -x "$other" ] || die "'$other' is no program that can be started"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# train PROGRAM NAME SETTING...: the weights after the last step, in $work/NAME.safetensors
train() {
  local by=$1 name=$2 settings=() setting
  shift 2
  for setting in "$@"; do settings+=(--set "$setting"); done
  "$by" train tests/same_weights.json "${settings[@]}" --out "$work/$name" --cache "$work/cache-$name" --threads 1 -q >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; die "'$by' could not train; its words are above"; }
  mv "$work/$name/checkpoints/last.safetensors" "$work/$name.safetensors"
}

# A safetensors file: 8 bytes with the header's length, the header (JSON without blanks), the data.
header_length() { od -An -tu8 -N8 "$1" | tr -d ' '; }
# One line a tensor: name, type, shape, first byte and end in the data.
tensors() {
  head -c "$((8 + $(header_length "$1")))" "$1" | tail -c +9 |
    grep -oE '"[^"]+":\{"dtype":"[A-Z0-9]+","shape":\[[0-9,]*\],"data_offsets":\[[0-9]+,[0-9]+\]\}' |
    sed -E 's/"([^"]+)":\{"dtype":"([A-Z0-9]+)","shape":(\[[0-9,]*\]),"data_offsets":\[([0-9]+),([0-9]+)\]\}/\1 \2 \3 \4 \5/'
}
data() { tail -c "+$((9 + $(header_length "$1")))" "$1"; }

# same HERE THERE: whether all tensors are the same; names the first that is not
same() {
  local byte
  if ! diff <(tensors "$1") <(tensors "$2") >"$work/names"; then
    echo "other tensors (name, type, shape, bytes; < here, > there):"
    head -n 5 "$work/names"
    return 1
  fi
  ! cmp -s <(data "$1") <(data "$2") || return 0
  byte=$(cmp -l <(data "$1") <(data "$2") | awk 'NR == 1 {print $1; exit}')
  tensors "$1" | awk -v at="$((byte - 1))" '$4 <= at && at < $5 {print "the first tensor that differs: " $1 " " $2 " " $3}'
  return 1
}

status=0
# compare NAME SETTING...
compare() {
  local name=$1 count
  shift
  train "$program" "$name-here" "$@"
  train "$other" "$name-there" "$@"
  count=$(tensors "$work/$name-here.safetensors" | wc -l)
  [ "$count" -gt 0 ] || die "no tensor was found in the weights of '$program'"
  if same "$work/$name-here.safetensors" "$work/$name-there.safetensors"; then
    echo "$name: all $count tensors are the same"
  else
    echo "$name: the weights differ"
    status=1
  fi
}

compare heads=4_placement=post_type=sinusoidal model.heads=4 model.norm.placement=post model.positions.type=sinusoidal
compare heads=4_placement=pre_type=learned model.heads=4 model.norm.placement=pre model.positions.type=learned
exit $status
