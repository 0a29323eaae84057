// Errors for names that only later versions of OpenCL C declare.

#pragma once

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/ExternalSemaSource.h"

/// Declares nothing: where a program uses such a name, it reports an error with the missing
/// feature. `compiler` must outlive it.
llvm::IntrusiveRefCntPtr<clang::ExternalSemaSource>
mocl3_later_versions(clang::CompilerInstance &compiler);
