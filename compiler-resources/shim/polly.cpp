// Debian's clang registers Polly as a plugin of each pass pipeline, but Polly's archive is in a
// separate package. This stub satisfies the static linker and registers no passes.

#include "llvm/Config/llvm-config.h"
#include "llvm/Plugins/PassPlugin.h"

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", LLVM_VERSION_STRING,
          [](llvm::PassBuilder &) {}, nullptr};
}
