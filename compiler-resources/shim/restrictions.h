// Restrictions on programs beyond those that clang checks.

#pragma once

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Diagnostic.h"

#include <memory>

/// An AST consumer that reports as errors what OpenCL C forbids but clang accepts, and what
/// clang supports but this platform does not. To be run before the code generator.
std::unique_ptr<clang::ASTConsumer>
mocl3_restrictions(clang::DiagnosticsEngine &diagnostics);
