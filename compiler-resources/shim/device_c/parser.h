// The front end's part of device C, the language of hthreads programs: C with `lvector` types.

#pragma once

#include "vector_conversions.h"

#include "clang/Sema/Sema.h"

/// Parses the translation unit, as clang::ParseAST does, with `lvector T` replaced by the name of
/// the vector type that the virtual header of `device_c/` defines, and with casts where vectors are converted.
void mocl3_parse_device_c(clang::Sema &sema, const VectorConversions &conversions);
