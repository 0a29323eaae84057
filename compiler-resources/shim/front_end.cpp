// Runs clang in process: compiles OpenCL C or device C, and virtual files, to an LLVM module, with
// diagnostics and a record of what was read from the real file system.

#include "build_log.h"
#include "device_c/parser.h"
#include "device_c/vector_conversions.h"
#include "later_versions.h"
#include "restrictions.h"
#include "shim.h"
#include "source_files.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/Version.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <string>

namespace {

// Reports uses of macros that expand to the time: such a compilation cannot be cached.
class ObservedMacros : public clang::PPCallbacks {
  Observer observe;

public:
  explicit ObservedMacros(Observer observe) : observe(observe) {}

  void MacroExpands(const clang::Token &name, const clang::MacroDefinition &macro,
                    clang::SourceRange, const clang::MacroArgs *) override {
    mocl3_check();
    const clang::MacroInfo *info = macro.getMacroInfo();
    const clang::IdentifierInfo *identifier = name.getIdentifierInfo();
    if (info && info->isBuiltinMacro() && identifier &&
        (identifier->isStr("__DATE__") || identifier->isStr("__TIME__") ||
         identifier->isStr("__TIMESTAMP__")))
      observe(MOCL3_UNREPEATABLE);
  }
};

// Moves the lexer to the end of the current file.
void skip_rest(clang::Preprocessor &preprocessor) {
  // There are no other lexers of files.
  auto *lexer = static_cast<clang::Lexer *>(preprocessor.getCurrentLexer());
  if (lexer)
    lexer->seek(lexer->getBuffer().size(), /*IsAtStartOfLine=*/true);
}

// Stops reading a program at a fatal error, such as too many errors. clang would continue,
// in time quadratic in the program's length if a name is redefined many times.
class ErrorPrinter : public clang::TextDiagnosticPrinter {
  clang::CompilerInstance &compiler;
  // Where vectors are converted in device C.
  VectorConversions &conversions;

public:
  ErrorPrinter(llvm::raw_ostream &log, clang::CompilerInstance &compiler,
               VectorConversions &conversions)
      : TextDiagnosticPrinter(log, compiler.getDiagnosticOpts()),
        compiler(compiler), conversions(conversions) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &diagnostic) override {
    conversions.note(diagnostic);
    TextDiagnosticPrinter::HandleDiagnostic(level, diagnostic);
    if (level == clang::DiagnosticsEngine::Fatal && compiler.hasPreprocessor())
      skip_rest(compiler.getPreprocessor());
  }
};

// Makes line numbers that C forbids (C99 6.10.4) a fatal error: clang's would wrap around,
// and it would pad diagnostics with four gigabytes of blanks.
class LineNumbers : public clang::PPCallbacks {
  clang::Preprocessor &preprocessor;

public:
  explicit LineNumbers(clang::Preprocessor &preprocessor) : preprocessor(preprocessor) {}

  void FileChanged(clang::SourceLocation location, FileChangeReason reason,
                   clang::SrcMgr::CharacteristicKind, clang::FileID) override {
    auto named = preprocessor.getSourceManager().getPresumedLoc(location);
    if (reason != RenameFile || !named.isValid() || named.getLine() <= INT32_MAX)
      return;
    clang::DiagnosticsEngine &diagnostics = preprocessor.getDiagnostics();
    diagnostics.Report(diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Fatal,
                                                   "a line number beyond 2147483647"));
  }
};

// As ErrorPrinter, for the files that include the one with the fatal error.
class EndAfterErrors : public clang::PPCallbacks {
  clang::Preprocessor &preprocessor;

public:
  explicit EndAfterErrors(clang::Preprocessor &preprocessor)
      : preprocessor(preprocessor) {}

  void FileChanged(clang::SourceLocation, FileChangeReason reason,
                   clang::SrcMgr::CharacteristicKind, clang::FileID) override {
    if (reason == ExitFile &&
        preprocessor.getDiagnostics().hasFatalErrorOccurred())
      skip_rest(preprocessor);
  }
};

class CompileAction : public clang::EmitLLVMOnlyAction {
  Mocl3Language language;
  Observer observe;
  const VectorConversions &conversions;

public:
  CompileAction(llvm::LLVMContext &context, Mocl3Language language, Observer observe,
                const VectorConversions &conversions)
      : EmitLLVMOnlyAction(&context), language(language), observe(observe),
        conversions(conversions) {}

protected:
  void ExecuteAction() override {
    if (language == MOCL3_OPENCL_C)
      return EmitLLVMOnlyAction::ExecuteAction();
    clang::CompilerInstance &compiler = getCompilerInstance();
    if (!compiler.hasSema())
      compiler.createSema(getTranslationUnitKind(), nullptr);
    mocl3_parse_device_c(compiler.getSema(), conversions);
  }

  bool BeginSourceFileAction(clang::CompilerInstance &compiler) override {
    clang::Preprocessor &preprocessor = compiler.getPreprocessor();
    preprocessor.addPPCallbacks(std::make_unique<ObservedMacros>(observe));
    if (mocl3_is_limited())
      preprocessor.setTokenWatcher([](const clang::Token &) { mocl3_check(); });
    preprocessor.addPPCallbacks(std::make_unique<EndAfterErrors>(preprocessor));
    preprocessor.addPPCallbacks(std::make_unique<LineNumbers>(preprocessor));
    return EmitLLVMOnlyAction::BeginSourceFileAction(compiler);
  }

  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &compiler,
                    llvm::StringRef file) override {
    if (language != MOCL3_OPENCL_C)
      return EmitLLVMOnlyAction::CreateASTConsumer(compiler, file);
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(
        mocl3_restrictions(compiler.getDiagnostics()));
    consumers.push_back(EmitLLVMOnlyAction::CreateASTConsumer(compiler, file));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }
};

// Writes what the preprocessor gives.
class PreprocessAction : public clang::PreprocessorFrontendAction {
  llvm::raw_ostream &text;

public:
  explicit PreprocessAction(llvm::raw_ostream &text) : text(text) {}

protected:
  void ExecuteAction() override {
    clang::CompilerInstance &compiler = getCompilerInstance();
    clang::DoPrintPreprocessedInput(compiler.getPreprocessor(), &text,
                                    compiler.getPreprocessorOutputOpts());
  }
};

// Prepares a compiler, and lets `act` run an action.
bool execute(llvm::ArrayRef<const char *> arguments, llvm::ArrayRef<Mocl3File> files,
             const Mocl3Reading &reading, BuildLog &log, VectorConversions &conversions,
             llvm::function_ref<bool(clang::CompilerInstance &)> act) {
  auto file_system = mocl3_source_files(files, reading);
  auto invocation = std::make_shared<clang::CompilerInvocation>();

  clang::DiagnosticOptions option_diagnostics;
  clang::TextDiagnosticPrinter printer(log, option_diagnostics);
  auto option_engine = clang::CompilerInstance::createDiagnostics(
      *file_system, option_diagnostics, &printer, /*ShouldOwnClient=*/false);
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, arguments,
                                                 *option_engine))
    return false;
  // clang does not free memory by default, since its process exits; the host program continues.
  invocation->getFrontendOpts().DisableFree = false;
  invocation->getCodeGenOpts().DisableFree = false;

  clang::CompilerInstance compiler(invocation);
  compiler.setVirtualFileSystem(file_system);
  ErrorPrinter source_printer(log, compiler, conversions);
  compiler.createDiagnostics(&source_printer, /*ShouldOwnClient=*/false);
  compiler.setVerboseOutputStream(log);
  compiler.createFileManager();
  // clang limits the number of errors, not of warnings.
  log.when_full([&] { compiler.getDiagnostics().setIgnoreAllWarnings(true); });
  return act(compiler);
}

// Compiles once; null if there are errors.
std::unique_ptr<llvm::Module>
compile(llvm::LLVMContext &context, Mocl3Language language,
        llvm::ArrayRef<const char *> arguments,
        llvm::ArrayRef<Mocl3File> files, const Mocl3Reading &reading,
        BuildLog &log, VectorConversions &conversions) {
  std::unique_ptr<llvm::Module> module;
  bool succeeded = execute(
      arguments, files, reading, log, conversions, [&](clang::CompilerInstance &compiler) {
        if (language == MOCL3_OPENCL_C)
          compiler.setExternalSemaSource(mocl3_later_versions(compiler));
        CompileAction action(context, language, Observer(reading), conversions);
        bool succeeded = compiler.ExecuteAction(action);
        module = action.takeModule();
        return succeeded;
      });
  return succeeded ? std::move(module) : nullptr;
}

void write_to_string(void *text, const char *more, size_t size) {
  static_cast<std::string *>(text)->append(more, size);
}

// Compiles device C; again if that failed at conversions of vectors, with casts there. An error may hide others of
// the expression that it is in, so that their depth limits how often.
std::unique_ptr<llvm::Module>
compile_device_c(llvm::LLVMContext &context, llvm::ArrayRef<const char *> arguments,
                 llvm::ArrayRef<Mocl3File> files, const Mocl3Reading &reading,
                 BuildLog &log) {
  VectorConversions conversions;
  for (;;) {
    std::string text;
    BuildLog attempt(write_to_string, &text);
    auto module = compile(context, MOCL3_DEVICE_C, arguments, files, reading, attempt,
                          conversions);
    if (module || !conversions.take_new()) {
      log << text;
      return module;
    }
  }
}

} // namespace

extern "C" LLVMModuleRef
mocl3_compile(LLVMContextRef context, Mocl3Language language,
              const char *const *arguments, size_t argument_count,
              const Mocl3File *files, size_t file_count, const Mocl3Reading *reading,
              Mocl3LogWriter write_log, void *log) {
  BuildLog stream(write_log, log);
  llvm::ArrayRef all_arguments(arguments, argument_count);
  llvm::ArrayRef all_files(files, file_count);
  llvm::LLVMContext &into = *llvm::unwrap(context);
  VectorConversions none;
  auto module =
      language == MOCL3_DEVICE_C
          ? compile_device_c(into, all_arguments, all_files, *reading, stream)
          : compile(into, language, all_arguments, all_files, *reading, stream, none);
  return llvm::wrap(module.release());
}

extern "C" bool mocl3_preprocess(const char *const *arguments, size_t argument_count,
                                 const Mocl3File *files, size_t file_count,
                                 const Mocl3Reading *reading, Mocl3LogWriter write,
                                 void *log, void *text) {
  BuildLog stream(write, log);
  std::string output;
  llvm::raw_string_ostream output_stream(output);
  VectorConversions conversions;
  bool succeeded = execute(llvm::ArrayRef(arguments, argument_count),
                           llvm::ArrayRef(files, file_count), *reading, stream, conversions,
                           [&](clang::CompilerInstance &compiler) {
                             PreprocessAction action(output_stream);
                             return compiler.ExecuteAction(action);
                           });
  write(text, output.data(), output.size());
  return succeeded;
}

extern "C" const void *mocl3_address_in_clang(void) {
  return reinterpret_cast<const void *>(&clang::getClangFullVersion);
}
