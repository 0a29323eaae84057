// The front end's part of device C, the language of hthreads programs: C with `lvector` types.

#pragma once

#include "clang/Sema/Sema.h"

/// Parses the translation unit, as clang::ParseAST does, with `lvector T` replaced by the name of
/// the vector type that the virtual header of `device_c/` defines.
void mocl3_parse_device_c(clang::Sema &sema);
