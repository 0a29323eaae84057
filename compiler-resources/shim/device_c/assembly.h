// Statements in assembly in device C.

#pragma once

#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/Token.h"

#include <vector>

/// Changes the constraints of statements in assembly to what clang accepts for the host: `"v"`, the
/// machine's vector registers, becomes `"q"`, which has no limit of the size, and registers that
/// are clobbered become `"memory"`, since statements save none.
void mocl3_adapt_assembly(clang::Preprocessor &preprocessor,
                          std::vector<clang::Token> &tokens);
