// clang calls an ExternalSemaSource for names that it did not find, even while it searches for
// similar names to suggest.

#include "later_versions.h"

#include "clang/Basic/DiagnosticSema.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSwitch.h"

namespace {

// The optional feature of OpenCL C 2.0 or 3.0 that declares a name; empty if none does.
llvm::StringRef missing_feature(llvm::StringRef name) {
  if (name.starts_with("work_group_reduce_") ||
      name.starts_with("work_group_scan_"))
    return "work-group collective functions";
  if (name.starts_with("sub_group_") || name.starts_with("get_sub_group_") ||
      name.starts_with("intel_sub_group_"))
    return "sub-groups";
  return llvm::StringSwitch<llvm::StringRef>(name)
      .Cases({"work_group_all", "work_group_any", "work_group_broadcast"},
             "work-group collective functions")
      .Cases({"get_num_sub_groups", "get_enqueued_num_sub_groups",
              "get_max_sub_group_size"},
             "sub-groups")
      .Cases({"read_pipe", "write_pipe", "reserve_read_pipe",
              "reserve_write_pipe", "commit_read_pipe", "commit_write_pipe",
              "get_pipe_num_packets", "get_pipe_max_packets",
              "is_valid_reserve_id", "reserve_id_t", "pipe"},
             "pipes")
      .Cases({"enqueue_kernel", "enqueue_marker", "get_default_queue",
              "get_kernel_work_group_size",
              "get_kernel_preferred_work_group_size_multiple", "ndrange_1D",
              "ndrange_2D", "ndrange_3D", "ndrange_t", "queue_t", "clk_event_t",
              "retain_event", "release_event", "create_user_event",
              "is_valid_event", "set_user_event_status",
              "capture_event_profiling_info"},
             "device enqueue")
      .Cases({"to_global", "to_local", "to_private", "get_fence"},
             "the generic address space")
      .Cases({"memory_scope_all_svm_devices", "memory_scope_all_devices"},
             "shared virtual memory")
      .Default("");
}

class LaterVersions : public clang::ExternalSemaSource {
  clang::CompilerInstance &compiler;
  // Locations already reported: clang may look up a name more than once.
  llvm::DenseSet<clang::SourceLocation> reported;

public:
  explicit LaterVersions(clang::CompilerInstance &compiler)
      : compiler(compiler) {}

  bool LookupUnqualified(clang::LookupResult &result, clang::Scope *) override {
    const auto *name = result.getLookupName().getAsIdentifierInfo();
    if (!name || result.isForRedeclaration() ||
        result.getLookupKind() != clang::Sema::LookupOrdinaryName)
      return false;
    llvm::StringRef feature = missing_feature(name->getName());
    if (!feature.empty() && reported.insert(result.getNameLoc()).second) {
      clang::DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
      diagnostics.Report(
          result.getNameLoc(),
          diagnostics.getCustomDiagID(
              clang::DiagnosticsEngine::Error,
              "'%0' is not supported: it needs %1 (OpenCL C 2.0 or later)"))
          << name->getName() << feature;
    }
    return false;
  }
};

} // namespace

llvm::IntrusiveRefCntPtr<clang::ExternalSemaSource>
mocl3_later_versions(clang::CompilerInstance &compiler) {
  return llvm::makeIntrusiveRefCnt<LaterVersions>(compiler);
}
