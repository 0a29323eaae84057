// The files of a compilation: virtual files, and those regular files of the real file system
// that it may read.

#pragma once

#include "shim.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"

/// Passes observations of the real file system to the caller's callback.
class Observer {
  Mocl3Observer function;
  void *observer;

public:
  explicit Observer(const Mocl3Reading &reading)
      : function(reading.observe), observer(reading.observer) {}

  void operator()(Mocl3Observation observation, llvm::StringRef path = "",
                  llvm::StringRef text = "") const {
    function(observer, observation, path.data(), path.size(), text.data(),
             text.size());
  }
};

/// An overlay of the virtual files over the readable part of the real file system.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
mocl3_source_files(llvm::ArrayRef<Mocl3File> files, const Mocl3Reading &reading);
