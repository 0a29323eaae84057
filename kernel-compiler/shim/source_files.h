// The files that a compilation reads: virtual ones, and regular files of the real file
// system as far as they may be read.

#pragma once

#include "shim.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"

/// Passes observations of the real file system to the caller's function.
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

/// The virtual files over what may be read of the real file system.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
mocl3_source_files(llvm::ArrayRef<Mocl3File> files, const Mocl3Reading &reading);
