# Finds a LibTorch without asking for a CUDA toolkit, and defines LibTorch::LibTorch.
#
# Looked for in this order: -DLIBTORCH_DIR=, the environment's LIBTORCH_DIR, the project's own .deps/venv, the system.
# LIBTORCH_DIR may be an unpacked archive (include/ and lib/ inside), a venv's .../site-packages/torch, or the venv itself.

set(_candidates ${LIBTORCH_DIR} $ENV{LIBTORCH_DIR})
if(NOT _candidates)
  set(_candidates ${PROJECT_SOURCE_DIR}/.deps/venv)
endif()
set(_roots "")
foreach(_candidate ${_candidates})
  file(GLOB _inside "${_candidate}/lib/python3*/site-packages/torch" "${_candidate}/libtorch" "${_candidate}/torch")
  list(APPEND _roots ${_candidate} ${_inside})
endforeach()

find_path(LibTorch_INCLUDE_DIR torch/csrc/api/include/torch/torch.h HINTS ${_roots} PATH_SUFFIXES include)
get_filename_component(_root "${LibTorch_INCLUDE_DIR}/.." ABSOLUTE)
foreach(_name torch torch_cpu c10)
  find_library(LibTorch_${_name}_LIBRARY ${_name} HINTS ${_root}/lib ${_root}/lib64 NO_DEFAULT_PATH)
  find_library(LibTorch_${_name}_LIBRARY ${_name})
endforeach()
foreach(_name torch_cuda c10_cuda)
  find_library(LibTorch_${_name}_LIBRARY ${_name} HINTS ${_root}/lib NO_DEFAULT_PATH)
endforeach()

if(LIBTORCH_DIR AND NOT LibTorch_INCLUDE_DIR)
  message(FATAL_ERROR "LIBTORCH_DIR=${LIBTORCH_DIR} holds no LibTorch: expected include/torch/csrc/api/include/torch/torch.h below it.")
endif()

if(LibTorch_INCLUDE_DIR)
  set(_header ${LibTorch_INCLUDE_DIR}/torch/headeronly/version.h)
  if(NOT EXISTS ${_header})
    set(_header ${LibTorch_INCLUDE_DIR}/torch/csrc/api/include/torch/version.h)
  endif()
  file(STRINGS ${_header} _lines REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) ")
  string(REGEX REPLACE ".*MAJOR ([0-9]+).*MINOR ([0-9]+).*PATCH ([0-9]+).*" "\\1.\\2.\\3" LibTorch_VERSION "${_lines}")
  if(LibTorch_VERSION VERSION_LESS 2.7)
    message(FATAL_ERROR "LibTorch ${LibTorch_VERSION} in ${_root} is too old: attnlab needs 2.7 to 2.14 (CPU wheels up to 2.6 use the "
                        "C++ string layout of before C++11, which cannot be linked with this compiler's). Choose another with -DLIBTORCH_DIR=.")
  endif()
  set(_config ${_root}/share/cmake/Torch/TorchConfig.cmake)
  if(EXISTS ${_config})
    file(STRINGS ${_config} _old_abi REGEX "_GLIBCXX_USE_CXX11_ABI=0")
    if(_old_abi)
      message(FATAL_ERROR "The LibTorch in ${_root} was built with the C++ string layout of before C++11. Take a cxx11-ABI archive or a wheel of 2.7 or later.")
    endif()
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch REQUIRED_VARS LibTorch_torch_cpu_LIBRARY LibTorch_c10_LIBRARY LibTorch_torch_LIBRARY LibTorch_INCLUDE_DIR
                                  VERSION_VAR LibTorch_VERSION)

if(LibTorch_FOUND AND NOT TARGET LibTorch::LibTorch)
  message(STATUS "LibTorch ${LibTorch_VERSION}: ${_root}")
  add_library(LibTorch::LibTorch INTERFACE IMPORTED)
  set_property(TARGET LibTorch::LibTorch PROPERTY INTERFACE_INCLUDE_DIRECTORIES
               ${LibTorch_INCLUDE_DIR} ${LibTorch_INCLUDE_DIR}/torch/csrc/api/include)
  set(_libraries ${LibTorch_torch_LIBRARY} ${LibTorch_torch_cpu_LIBRARY} ${LibTorch_c10_LIBRARY})
  if(LibTorch_torch_cuda_LIBRARY)
    # torch_cuda registers its kernels when it is loaded and exports nothing we call, so the linker must be told to keep it.
    list(APPEND _libraries -Wl,--no-as-needed ${LibTorch_torch_cuda_LIBRARY} ${LibTorch_c10_cuda_LIBRARY} -Wl,--as-needed)
  endif()
  set_property(TARGET LibTorch::LibTorch PROPERTY INTERFACE_LINK_LIBRARIES ${_libraries} Threads::Threads)
endif()
