// The text of a build log, of limited size.

#pragma once

#include "shim.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <functional>
#include <string>

/// Hands text on until the log is full, then says so and drops the rest. Unbuffered: what
/// clang wrote before it crashed is not lost.
class BuildLog : public llvm::raw_ostream {
  // Ten thousand diagnostics, more than anyone reads.
  static constexpr uint64_t capacity = 1 << 20;

  Mocl3LogWriter writer;
  void *log;
  std::function<void()> full;
  uint64_t written = 0;

  void write_impl(const char *text, size_t size) override {
    if (written == capacity)
      return;
    size = std::min<uint64_t>(size, capacity - written);
    writer(log, text, size);
    written += size;
    if (written < capacity)
      return;
    std::string note = "\nnote: the build log is cut here, at " +
                       std::to_string(capacity >> 20) + " MiB\n";
    writer(log, note.data(), note.size());
    if (full)
      full();
  }

  uint64_t current_pos() const override { return written; }

public:
  BuildLog(Mocl3LogWriter writer, void *log)
      : raw_ostream(/*unbuffered=*/true), writer(writer), log(log) {}

  /// What to do when there is no more room.
  void when_full(std::function<void()> action) { full = std::move(action); }
};
