// What programs may not use though clang compiles it.

#pragma once

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Diagnostic.h"

#include <memory>

/// A consumer that reports errors for what OpenCL C forbids and clang lets pass, and for
/// what clang supports and this platform cannot run. It comes before the code generator.
std::unique_ptr<clang::ASTConsumer>
mocl3_restrictions(clang::DiagnosticsEngine &diagnostics);
