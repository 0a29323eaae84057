// Names that only later versions of OpenCL C declare.

#pragma once

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/ExternalSemaSource.h"

/// Declares nothing, but reports an error that names the missing feature where a program
/// uses one. `compiler` outlives it.
llvm::IntrusiveRefCntPtr<clang::ExternalSemaSource>
mocl3_later_versions(clang::CompilerInstance &compiler);
