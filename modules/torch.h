#pragma once
/// The parts of LibTorch that this project uses: tensors, autograd with operations of our own, and torch::nn's modules
/// as containers of parameters. `<torch/torch.h>` would add every layer that LibTorch has, which costs each file that
/// includes it seconds to compile.

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/generated/variable_factories.h>
#include <torch/cuda.h>
#include <torch/nn/module.h>
#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/modules/container/parameterlist.h>
#include <torch/nn/pimpl.h>
#include <torch/types.h>
#include <torch/utils.h>
