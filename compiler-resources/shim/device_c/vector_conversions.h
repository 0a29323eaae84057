// Implicit conversions between `lvector` types in device C.

#pragma once

#include "clang/Basic/Diagnostic.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/Token.h"

#include <map>
#include <utility>
#include <vector>

/// The machine's compiler takes a vector where one of another type is expected, with its bits as they are; clang refuses
/// that for the vectors that `lvector` names. A front end notes here what it refused, and the next one casts there.
/// Compilations of the same text have the same source locations.
class VectorConversions {
  // Expressions by the locations of their first and last tokens.
  using Place = std::pair<clang::SourceLocation::UIntTy, clang::SourceLocation::UIntTy>;
  // Arguments of calls by the location of the function's name, and their numbers from 1 on.
  using Argument = std::pair<clang::SourceLocation::UIntTy, unsigned>;
  // The name of a type that is expected, and whether one of it and the type that is converted has integers, the other
  // floating-point numbers.
  struct Expected {
    const char *type;
    bool is_mixed;
  };
  // What is expected there.
  std::map<Place, const char *> expressions;
  std::map<Argument, Expected> arguments;
  bool has_new = false;

  // The call without a function that takes its arguments, whose candidates follow.
  clang::SourceLocation::UIntTy call = 0;
  // The last argument at which one of them fails, and the type that it has there; 0 if there is none.
  unsigned failing = 0;
  Expected expected = {};

  void note_expression(const clang::Diagnostic &diagnostic);
  void note_candidate(const clang::Diagnostic &diagnostic);
  // Notes the argument of the call, of which all candidates are known.
  void end_call();

public:
  /// Notes a conversion if that is what a diagnostic is about.
  void note(const clang::Diagnostic &diagnostic);

  /// Whether something was noted since the last call.
  bool take_new() {
    end_call();
    return std::exchange(has_new, false);
  }

  /// Inserts casts in what the parser is to read. Warns of an argument of an intrinsic whose bits of
  /// numbers are taken as integers, or the reverse: the intrinsic for the other type may be meant.
  void insert(clang::Preprocessor &preprocessor, std::vector<clang::Token> &tokens) const;
};
