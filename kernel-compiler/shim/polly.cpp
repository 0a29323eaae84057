// Debian's clang requests Polly's passes for each pass pipeline. Its archive is in
// a package of its own, and nothing here uses it: linked statically, clang registers none.

#include "llvm/Config/llvm-config.h"
#include "llvm/Plugins/PassPlugin.h"

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", LLVM_VERSION_STRING,
          [](llvm::PassBuilder &) {}, nullptr};
}
