#pragma once
/// TensorBoard's event files: Event messages (tensorflow/core/util/event.proto, written by hand) in TFRecord frames.

#include <cstdint>
#include <string>
#include <string_view>

namespace attnlab::results {

/// One frame: length, its masked CRC-32C, data, its masked CRC-32C (tensorflow/core/lib/io/record_writer.h).
std::string tfrecord(std::string_view data);

/// The first event of a file, which names the format's version.
std::string version_event(double wall_time);

/// One scalar. `wall_time` is in seconds since 1970; TensorBoard keeps values as float32.
std::string scalar_event(double wall_time, int64_t step, std::string_view tag, double value);

}  // namespace attnlab::results
