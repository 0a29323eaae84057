// Assignments, arguments and results are diagnosed with the types and the range of the expression. A call of an
// overloaded function, as intrinsics are, is diagnosed with notes of the candidates, each with the first argument that
// does not fit: the candidate that fits the most arguments is taken, the first one of several.

#include "vector_conversions.h"

#include "clang/AST/Type.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Sema/Sema.h"

#include <algorithm>

namespace {

constexpr unsigned lvector_bits = 1024;

// The name of an `lvector` type, which the virtual header defines; null if it is none.
const char *vector_type(clang::QualType type) {
  const auto *vector = type.getCanonicalType()->getAs<clang::ExtVectorType>();
  const auto *element =
      vector ? vector->getElementType()->getAs<clang::BuiltinType>() : nullptr;
  if (!element)
    return nullptr;
  auto of = [&](unsigned bits, const char *name) {
    return vector->getNumElements() * bits == lvector_bits ? name : nullptr;
  };
  switch (element->getKind()) {
  case clang::BuiltinType::Double:
    return of(64, "__lvector_double");
  case clang::BuiltinType::Long:
    return of(64, "__lvector_long");
  case clang::BuiltinType::ULong:
    return of(64, "__lvector_ulong");
  case clang::BuiltinType::Float:
    return of(32, "__lvector_float");
  case clang::BuiltinType::Int:
    return of(32, "__lvector_int");
  case clang::BuiltinType::UInt:
    return of(32, "__lvector_uint");
  case clang::BuiltinType::Float16:
    return of(16, "__lvector_half");
  case clang::BuiltinType::Short:
    return of(16, "__lvector_short");
  case clang::BuiltinType::UShort:
    return of(16, "__lvector_ushort");
  default:
    return nullptr;
  }
}

bool has_integers(clang::QualType type) {
  return type.getCanonicalType()->castAs<clang::ExtVectorType>()->getElementType()->isIntegerType();
}

// Warns that an argument of the call of the function that a token names is taken as another type.
void warn_of_argument(clang::Preprocessor &preprocessor, const clang::Token &name, unsigned argument,
                      llvm::StringRef type) {
  clang::DiagnosticsEngine &diagnostics = preprocessor.getDiagnostics();
  unsigned warning = diagnostics.getCustomDiagID(
      clang::DiagnosticsEngine::Warning, "the bits of argument %0 are taken as an 'lvector %1'");
  type.consume_front("__lvector_");
  diagnostics.Report(name.getLocation(), warning) << argument << type;
}

clang::QualType type_of(const clang::Diagnostic &diagnostic, unsigned argument) {
  if (diagnostic.getNumArgs() <= argument ||
      diagnostic.getArgKind(argument) != clang::DiagnosticsEngine::ak_qualtype)
    return {};
  return clang::QualType::getFromOpaquePtr(
      reinterpret_cast<void *>(diagnostic.getRawArg(argument)));
}

// The name of the type that a vector is converted to; null if the types are not two of vectors.
const char *conversion(clang::QualType from, clang::QualType to) {
  return !from.isNull() && !to.isNull() && vector_type(from) ? vector_type(to) : nullptr;
}

// Casts of expressions of a sequence of tokens.
class Casts {
  const std::vector<clang::Token> &tokens;
  // By number of the first token: the numbers of the last one, and the types.
  std::map<size_t, std::vector<std::pair<size_t, const char *>>> opened;
  // By number of the last token.
  std::map<size_t, unsigned> closed;

public:
  explicit Casts(const std::vector<clang::Token> &tokens) : tokens(tokens) {}

  void add(size_t first, size_t last, const char *type) {
    opened[first].emplace_back(last, type);
    ++closed[last];
  }

  std::vector<clang::Token> apply(clang::Preprocessor &preprocessor) {
    std::vector<clang::Token> result;
    auto append = [&](size_t at, clang::tok::TokenKind kind, const char *name) {
      clang::Token token;
      token.startToken();
      token.setLocation(tokens[at].getLocation());
      token.setKind(kind);
      if (name)
        token.setIdentifierInfo(preprocessor.getIdentifierInfo(name));
      result.push_back(token);
    };
    for (size_t at = 0; at < tokens.size(); ++at) {
      // The longest one is the outermost.
      auto &here = opened[at];
      std::sort(here.begin(), here.end(),
                [](const auto &one, const auto &other) { return one.first > other.first; });
      for (const auto &[last, type] : here) {
        append(at, clang::tok::l_paren, nullptr);
        append(at, clang::tok::identifier, type);
        append(at, clang::tok::r_paren, nullptr);
        append(at, clang::tok::l_paren, nullptr);
      }
      result.push_back(tokens[at]);
      for (unsigned left = closed[at]; left > 0; --left)
        append(at, clang::tok::r_paren, nullptr);
    }
    return result;
  }
};

// The first and the last token of an argument of the call whose function's name is token `at`; equal to each other and
// to `at` if there is no such argument.
std::pair<size_t, size_t> argument_tokens(const std::vector<clang::Token> &tokens, size_t at,
                                          unsigned argument) {
  size_t first = at + 2, depth = 0;
  unsigned number = 1;
  for (size_t next = at + 1; next < tokens.size(); ++next) {
    const clang::Token &token = tokens[next];
    bool closes = token.isOneOf(clang::tok::r_paren, clang::tok::r_brace, clang::tok::r_square);
    bool ends = depth == 1 && (token.is(clang::tok::comma) || closes);
    if (ends && number == argument && next > first)
      return {first, next - 1};
    if (ends && token.is(clang::tok::comma)) {
      ++number;
      first = next + 1;
    }
    depth += token.isOneOf(clang::tok::l_paren, clang::tok::l_brace, clang::tok::l_square);
    if (closes && --depth == 0)
      break;
  }
  return {at, at};
}

} // namespace

void VectorConversions::note_expression(const clang::Diagnostic &diagnostic) {
  constexpr unsigned action = 2;
  if (diagnostic.getNumArgs() <= action || diagnostic.getRanges().empty())
    return;
  clang::QualType first = type_of(diagnostic, 0), second = type_of(diagnostic, 1);
  auto kind = static_cast<clang::AssignmentAction>(diagnostic.getRawArg(action));
  bool expected_first = kind == clang::AssignmentAction::Assigning ||
                        kind == clang::AssignmentAction::Initializing;
  const char *type =
      expected_first ? conversion(second, first) : conversion(first, second);
  const clang::CharSourceRange &range = diagnostic.getRanges().front();
  if (!type || !range.isTokenRange())
    return;
  Place place(range.getBegin().getRawEncoding(), range.getEnd().getRawEncoding());
  has_new |= expressions.emplace(place, type).second;
}

void VectorConversions::note_candidate(const clang::Diagnostic &diagnostic) {
  constexpr unsigned from = 3, to = 4, number = 6;
  clang::QualType source = type_of(diagnostic, from), target = type_of(diagnostic, to);
  const char *type = conversion(source, target);
  if (!type || diagnostic.getNumArgs() <= number)
    return;
  unsigned argument = diagnostic.getRawArg(number);
  if (argument <= failing)
    return;
  failing = argument;
  expected = {type, has_integers(source) != has_integers(target)};
}

void VectorConversions::end_call() {
  if (failing > 0)
    has_new |= arguments.emplace(Argument(call, failing), expected).second;
  failing = 0;
}

void VectorConversions::note(const clang::Diagnostic &diagnostic) {
  switch (diagnostic.getID()) {
  case clang::diag::err_typecheck_convert_incompatible:
    return note_expression(diagnostic);
  case clang::diag::err_ovl_no_viable_function_in_call:
    end_call();
    call = diagnostic.getLocation().getRawEncoding();
    return;
  case clang::diag::note_ovl_candidate_bad_conv:
    return note_candidate(diagnostic);
  default:
    return;
  }
}

void VectorConversions::insert(clang::Preprocessor &preprocessor,
                               std::vector<clang::Token> &tokens) const {
  if (expressions.empty() && arguments.empty())
    return;
  std::multimap<clang::SourceLocation::UIntTy, size_t> places;
  for (size_t at = 0; at < tokens.size(); ++at)
    places.emplace(tokens[at].getLocation().getRawEncoding(), at);
  Casts casts(tokens);
  for (const auto &[place, type] : expressions) {
    auto first = places.find(place.first), last = places.find(place.second);
    if (first != places.end() && last != places.end() && first->second <= last->second)
      casts.add(first->second, last->second, type);
  }
  for (const auto &[argument, expected] : arguments) {
    auto name = places.find(argument.first);
    if (name == places.end())
      continue;
    auto [first, last] = argument_tokens(tokens, name->second, argument.second);
    if (first == name->second)
      continue;
    casts.add(first, last, expected.type);
    if (expected.is_mixed)
      warn_of_argument(preprocessor, tokens[name->second], argument.second, expected.type);
  }
  tokens = casts.apply(preprocessor);
}
