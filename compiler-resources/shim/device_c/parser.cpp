// In device C, `lvector` and the type that follows name one type: 1024 bits of that element. GNU C's
// `vector_size` attribute, to which the machine's compiler expands the word, does not convert scalars
// on assignment; clang's `ext_vector_type` does, but has to be given the number of elements. So the
// parser is given the name of a typedef instead. Tokens keep their places for diagnostics.

#include "parser.h"
#include "assembly.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Parse/Parser.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>
#include <vector>

namespace {

// Keywords of one element type.
struct Keywords {
  bool is_unsigned = false, is_short = false, is_long = false;
  bool is_int = false, is_double = false, is_float = false, is_half = false;
  bool is_other = false;
  bool is_empty = true;

  // Whether the keyword is part of a type.
  bool add(clang::tok::TokenKind kind) {
    switch (kind) {
    case clang::tok::kw_signed:
      break;
    case clang::tok::kw_unsigned:
      is_unsigned = true;
      break;
    case clang::tok::kw_short:
      is_short = true;
      break;
    case clang::tok::kw_long:
      is_long = true;
      break;
    case clang::tok::kw_int:
      is_int = true;
      break;
    case clang::tok::kw_double:
      is_double = true;
      break;
    case clang::tok::kw_float:
      is_float = true;
      break;
    case clang::tok::kw_half:
    case clang::tok::kw__Float16:
      is_half = true;
      break;
    case clang::tok::kw_char:
    case clang::tok::kw_void:
    case clang::tok::kw__Bool:
      is_other = true;
      break;
    default:
      return false;
    }
    is_empty = false;
    return true;
  }

  // The typedef of the vector type; empty if there is none.
  llvm::StringRef vector_type() const {
    if (is_empty || is_other)
      return "";
    if (is_double)
      return "__lvector_double";
    if (is_float)
      return "__lvector_float";
    if (is_half)
      return "__lvector_half";
    if (is_short)
      return is_unsigned ? "__lvector_ushort" : "__lvector_short";
    if (is_long)
      return is_unsigned ? "__lvector_ulong" : "__lvector_long";
    return is_unsigned ? "__lvector_uint" : "__lvector_int";
  }
};

bool is_qualifier(const clang::Token &token) {
  return token.isOneOf(clang::tok::kw_const, clang::tok::kw_volatile,
                       clang::tok::kw_restrict, clang::tok::kw_register,
                       clang::tok::kw_static, clang::tok::kw_extern);
}

bool opens(const clang::Token &token) {
  return token.isOneOf(clang::tok::l_paren, clang::tok::l_brace, clang::tok::l_square);
}

bool closes(const clang::Token &token) {
  return token.isOneOf(clang::tok::r_paren, clang::tok::r_brace, clang::tok::r_square);
}

// A function's definition, as numbers of tokens.
struct Definition {
  const clang::IdentifierInfo *name;
  // Its first token, the one behind its parameters, and those behind its body's braces.
  size_t begin, parameters_end, body_begin, body_end;
  // Whether it is static, or not the only definition.
  bool is_local;
};

// Declares functions that are called before they are defined. C89 declares them implicitly with the
// result `int`; the machine's compiler, GCC 8, warns only if the definition has another type, while
// clang refuses it. With a declaration, the call is that of the definition.
class Declarations {
  clang::Preprocessor &preprocessor;
  std::vector<clang::Token> tokens;
  std::vector<Definition> definitions;
  // By name: the first token outside of functions' bodies that mentions it.
  llvm::DenseMap<const clang::IdentifierInfo *, size_t> mentions;

  // The number of the token behind the bracket that closes the one at `at`.
  size_t behind(size_t at) const {
    size_t depth = 0;
    for (; at < tokens.size(); ++at) {
      depth += opens(tokens[at]);
      if (closes(tokens[at]) && --depth == 0)
        return at + 1;
    }
    return at;
  }

  bool is_call(size_t at) const {
    return tokens[at].is(clang::tok::identifier) && at + 1 < tokens.size() &&
           tokens[at + 1].is(clang::tok::l_paren);
  }

  // Notes what is declared and defined outside of functions.
  void find() {
    Definition next{};
    for (size_t at = 0; at < tokens.size();) {
      const clang::Token &token = tokens[at];
      if (token.is(clang::tok::l_brace) && next.name) {
        next.body_begin = at;
        next.body_end = at = behind(at);
        definitions.push_back(next);
        next = Definition{};
        next.begin = at;
        continue;
      }
      if (token.is(clang::tok::semi) || token.is(clang::tok::equal))
        next.name = nullptr;
      if (token.isOneOf(clang::tok::kw_static, clang::tok::kw_inline,
                        clang::tok::kw_typedef))
        next.is_local = true;
      if (is_call(at)) {
        next.name = token.getIdentifierInfo();
        mentions.try_emplace(next.name, at);
        next.parameters_end = at = behind(at + 1);
        continue;
      }
      at = opens(token) ? behind(at) : at + 1;
      if (token.is(clang::tok::semi)) {
        next = Definition{};
        next.begin = at;
      }
    }
  }

public:
  Declarations(clang::Preprocessor &preprocessor, std::vector<clang::Token> tokens)
      : preprocessor(preprocessor), tokens(std::move(tokens)) {}

  // The tokens with the declarations.
  std::vector<clang::Token> complete() {
    find();
    llvm::DenseMap<const clang::IdentifierInfo *, const Definition *> undeclared;
    for (const Definition &definition : definitions)
      if (!definition.is_local && mentions[definition.name] >= definition.begin)
        undeclared[definition.name] = &definition;
    unsigned warning = preprocessor.getDiagnostics().getCustomDiagID(
        clang::DiagnosticsEngine::Warning,
        "function '%0' is called before it is declared; it is taken as defined below");
    std::vector<clang::Token> result;
    size_t copied = 0;
    for (const Definition &caller : definitions) {
      result.insert(result.end(), tokens.begin() + copied, tokens.begin() + caller.begin);
      copied = caller.begin;
      undeclared.erase(caller.name);
      for (size_t at = caller.body_begin; at < caller.body_end; ++at) {
        auto found = is_call(at) ? undeclared.find(tokens[at].getIdentifierInfo())
                                 : undeclared.end();
        if (found == undeclared.end())
          continue;
        const Definition &callee = *found->second;
        preprocessor.Diag(tokens[at].getLocation(), warning) << callee.name->getName();
        result.insert(result.end(), tokens.begin() + callee.begin,
                      tokens.begin() + callee.parameters_end);
        clang::Token end = tokens[callee.parameters_end - 1];
        end.setKind(clang::tok::semi);
        result.push_back(end);
        undeclared.erase(found);
      }
    }
    result.insert(result.end(), tokens.begin() + copied, tokens.end());
    return result;
  }
};

class Rewriter {
  clang::Preprocessor &preprocessor;
  // Typedefs of scalars, which may follow `lvector`.
  llvm::StringMap<Keywords> scalars;
  std::vector<clang::Token> tokens;
  std::vector<clang::Token> rewritten;
  unsigned no_such_vector;

  llvm::StringRef name(const clang::Token &token) const {
    return token.is(clang::tok::identifier) ? token.getIdentifierInfo()->getName()
                                            : llvm::StringRef();
  }

  // The element type from token `at` on; `at` is set behind it, qualifiers are collected.
  Keywords element(size_t &at, std::vector<clang::Token> &qualifiers) const {
    Keywords type;
    for (; at < tokens.size(); ++at) {
      const clang::Token &token = tokens[at];
      auto scalar = type.is_empty ? scalars.find(name(token)) : scalars.end();
      if (is_qualifier(token)) {
        qualifiers.push_back(token);
      } else if (scalar != scalars.end()) {
        type = scalar->second;
      } else if (!type.add(token.getKind())) {
        break;
      }
    }
    return type;
  }

  // Notes `typedef <scalar> <name>;`.
  void note_typedef(size_t at) {
    std::vector<clang::Token> qualifiers;
    Keywords type = element(++at, qualifiers);
    if (!type.is_empty && at + 1 < tokens.size() && !name(tokens[at]).empty() &&
        tokens[at + 1].is(clang::tok::semi))
      scalars[name(tokens[at])] = type;
  }

  // Replaces `lvector T`, whose first token is `at`; the number of the first token behind it.
  size_t replace(size_t at) {
    clang::Token replacement = tokens[at];
    std::vector<clang::Token> qualifiers;
    Keywords type = element(++at, qualifiers);
    llvm::StringRef vector = type.vector_type();
    if (vector.empty()) {
      preprocessor.Diag(replacement.getLocation(), no_such_vector);
      vector = "__lvector_long";
    }
    replacement.setIdentifierInfo(preprocessor.getIdentifierInfo(vector));
    rewritten.insert(rewritten.end(), qualifiers.begin(), qualifiers.end());
    rewritten.push_back(replacement);
    return at;
  }

public:
  explicit Rewriter(clang::Preprocessor &preprocessor)
      : preprocessor(preprocessor),
        no_such_vector(preprocessor.getDiagnostics().getCustomDiagID(
            clang::DiagnosticsEngine::Error,
            "'lvector' is followed by double, float, __fp16, or an integer type of 16 to "
            "64 bits")) {}

  // Preprocesses the translation unit, and gives the preprocessor what the parser is to read.
  void run(const VectorConversions &conversions) {
    clang::Token token;
    do {
      preprocessor.Lex(token);
      tokens.push_back(token);
    } while (token.isNot(clang::tok::eof));
    tokens = Declarations(preprocessor, std::move(tokens)).complete();
    mocl3_adapt_assembly(preprocessor, tokens);
    rewritten.reserve(tokens.size());
    for (size_t at = 0; at < tokens.size();) {
      if (tokens[at].is(clang::tok::kw_typedef))
        note_typedef(at);
      llvm::StringRef word = name(tokens[at]);
      if (word == "lvector" || word == "__lvector")
        at = replace(at);
      else
        rewritten.push_back(tokens[at++]);
    }
    conversions.insert(preprocessor, rewritten);
    auto stream = std::make_unique<clang::Token[]>(rewritten.size());
    std::copy(rewritten.begin(), rewritten.end(), stream.get());
    preprocessor.EnterTokenStream(std::move(stream), rewritten.size(),
                                  /*DisableMacroExpansion=*/true, /*IsReinject=*/true);
  }
};

} // namespace

void mocl3_parse_device_c(clang::Sema &sema, const VectorConversions &conversions) {
  clang::ASTConsumer &consumer = sema.getASTConsumer();
  clang::Preprocessor &preprocessor = sema.getPreprocessor();
  // Registers the pragmas that the parser handles, before tokens are read.
  auto parser = std::make_unique<clang::Parser>(preprocessor, sema,
                                                /*SkipFunctionBodies=*/false);
  preprocessor.EnterMainSourceFile();
  Rewriter(preprocessor).run(conversions);
  parser->Initialize();
  {
    clang::EnterExpressionEvaluationContext evaluated(
        sema, clang::Sema::ExpressionEvaluationContext::PotentiallyEvaluated);
    clang::Parser::DeclGroupPtrTy declarations;
    clang::Sema::ModuleImportState import;
    for (bool ended = parser->ParseFirstTopLevelDecl(declarations, import); !ended;
         ended = parser->ParseTopLevelDecl(declarations, import))
      if (declarations && !consumer.HandleTopLevelDecl(declarations.get()))
        return;
  }
  for (clang::Decl *declaration : sema.WeakTopLevelDecls())
    consumer.HandleTopLevelDecl(clang::DeclGroupRef(declaration));
  consumer.HandleTranslationUnit(sema.getASTContext());
}
