#pragma once
/// The references of a corpus as streams: streams[k][i] is the k-th reference of line i (the transpose of a list per
/// line).

#include <concepts>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sacrebleu {

/// A view of reference streams; the strings must outlive it. A missing reference (std::nullopt) is left out for its
/// line; an empty string is a real, empty reference, although the original's documentation says otherwise.
class References {
 public:
  using Stream = std::vector<std::optional<std::string_view>>;

  References(const std::vector<std::vector<std::string>>&
                 streams) {  // NOLINT(google-explicit-constructor): passed as a plain list
    for (const auto& stream : streams) streams_.emplace_back(stream.begin(), stream.end());
  }
  References(
      std::initializer_list<std::vector<std::string>> streams) {  // so that {{"a", "b"}, {"c", "d"}} can be passed
    for (const auto& stream : streams) streams_.emplace_back(stream.begin(), stream.end());
  }
  template <std::same_as<std::optional<std::string>> Text>
  References(const std::vector<std::vector<Text>>& streams) {  // NOLINT(google-explicit-constructor)
    for (const auto& stream : streams) streams_.emplace_back(stream.begin(), stream.end());
  }
  explicit References(std::vector<Stream> streams) : streams_(std::move(streams)) {}

  [[nodiscard]] const std::vector<Stream>& streams() const { return streams_; }

  /// Those of `count` lines from `first` on.
  [[nodiscard]] References lines(std::size_t first, std::size_t count) const {
    std::vector<Stream> streams;
    for (const auto& stream : streams_) {
      const auto begin = stream.begin() + static_cast<std::ptrdiff_t>(first);
      streams.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(count));
    }
    return References(std::move(streams));
  }

  /// Writes the references that line has into `lines`, in the order of the streams.
  void of_line(std::size_t line, std::vector<std::string_view>& lines) const {
    lines.clear();
    for (const auto& stream : streams_) {
      if (stream[line]) lines.push_back(*stream[line]);
    }
  }

 private:
  std::vector<Stream> streams_;
};

}  // namespace sacrebleu
