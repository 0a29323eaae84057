#include "assembly.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <string>

namespace {

// Parts of a statement, which colons separate.
enum Part { TEMPLATE, OUTPUTS, INPUTS, CLOBBERS };

class Statements {
  clang::Preprocessor &preprocessor;
  std::vector<clang::Token> &tokens;

  void replace(clang::Token &token, llvm::StringRef spelling) {
    clang::SourceLocation location = token.getLocation();
    preprocessor.CreateString(spelling, token, location, location);
    token.setKind(clang::tok::string_literal);
  }

  void adapt(clang::Token &token, int part) {
    if (part == CLOBBERS) {
      replace(token, "\"memory\"");
    } else if (part == OUTPUTS || part == INPUTS) {
      std::string spelling = preprocessor.getSpelling(token);
      if (spelling.find('v') == std::string::npos)
        return;
      std::replace(spelling.begin(), spelling.end(), 'v', 'q');
      replace(token, spelling);
    }
  }

public:
  Statements(clang::Preprocessor &preprocessor, std::vector<clang::Token> &tokens)
      : preprocessor(preprocessor), tokens(tokens) {}

  // Adapts the statement whose keyword is before `at`; the number of the token behind it.
  size_t adapt(size_t at) {
    int part = TEMPLATE;
    size_t depth = 0;
    for (; at < tokens.size(); ++at) {
      clang::Token &token = tokens[at];
      if (token.isOneOf(clang::tok::l_paren, clang::tok::l_square)) {
        ++depth;
      } else if (token.isOneOf(clang::tok::r_paren, clang::tok::r_square)) {
        if (depth == 0 || --depth == 0)
          return at + 1;
      } else if (depth == 0) {
        // Qualifiers precede the bracket.
        if (token.isOneOf(clang::tok::semi, clang::tok::l_brace, clang::tok::r_brace))
          return at;
      } else if (depth == 1) {
        part += token.is(clang::tok::colon) + 2 * token.is(clang::tok::coloncolon);
        if (token.is(clang::tok::string_literal))
          adapt(token, part);
      }
    }
    return at;
  }
};

} // namespace

void mocl3_adapt_assembly(clang::Preprocessor &preprocessor,
                          std::vector<clang::Token> &tokens) {
  Statements statements(preprocessor, tokens);
  for (size_t at = 0; at < tokens.size();)
    at = tokens[at].is(clang::tok::kw_asm) ? statements.adapt(at + 1) : at + 1;
}
