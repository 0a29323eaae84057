// A build log of limited size.

#pragma once

#include "shim.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <functional>
#include <string>

/// Passes text to the caller's callback until the log is full, then adds a note and drops the
/// rest. Unbuffered, so that text written before a crash of clang is not lost.
class BuildLog : public llvm::raw_ostream {
  // Bytes: about ten thousand diagnostics.
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

  /// Sets an action that is run once when the log is full.
  void when_full(std::function<void()> action) { full = std::move(action); }
};
