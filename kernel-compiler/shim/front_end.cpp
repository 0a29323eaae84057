// clang in process: OpenCL C text and virtual files in, an LLVM module and
// diagnostics out, and what was seen of the real file system.

#include "shim.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Decl.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/Version.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace {

// Unbuffered: what clang wrote before it crashed is not lost.
class LogStream : public llvm::raw_ostream {
  Mocl3LogWriter writer;
  void *log;
  uint64_t written = 0;

  void write_impl(const char *text, size_t size) override {
    writer(log, text, size);
    written += size;
  }
  uint64_t current_pos() const override { return written; }

public:
  LogStream(Mocl3LogWriter writer, void *log)
      : raw_ostream(/*unbuffered=*/true), writer(writer), log(log) {}
};

struct Observer {
  Mocl3Observer function;
  void *observer;

  void operator()(Mocl3Observation observation, llvm::StringRef path = "",
                  llvm::StringRef text = "") const {
    function(observer, observation, path.data(), path.size(), text.data(),
             text.size());
  }
};

// A file of which clang gets the very bytes that were observed.
class ReadFile : public llvm::vfs::File {
  llvm::vfs::Status file_status;
  std::unique_ptr<llvm::MemoryBuffer> text;

public:
  ReadFile(llvm::vfs::Status status, std::unique_ptr<llvm::MemoryBuffer> text)
      : file_status(std::move(status)), text(std::move(text)) {}
  llvm::ErrorOr<llvm::vfs::Status> status() override { return file_status; }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
  getBuffer(const llvm::Twine &name, int64_t, bool, bool) override {
    return llvm::MemoryBuffer::getMemBufferCopy(text->getBuffer(), name);
  }
  std::error_code close() override { return {}; }

protected:
  void setPath(const llvm::Twine &path) override {
    file_status = llvm::vfs::Status::copyWithNewName(file_status, path);
  }
};

// The real file system; all that is asked of it is observed.
class ObservedFileSystem : public llvm::vfs::ProxyFileSystem {
  Observer observe;

public:
  ObservedFileSystem(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> real,
                     Observer observe)
      : ProxyFileSystem(std::move(real)), observe(observe) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override {
    auto found = ProxyFileSystem::status(path);
    if (!found)
      observe(MOCL3_NOTHING, path.str());
    else if (found->isDirectory())
      observe(MOCL3_DIRECTORY, path.str());
    else if (found->isRegularFile())
      observe(MOCL3_FILE, path.str());
    else
      observe(MOCL3_UNREPEATABLE);
    return found;
  }

  bool exists(const llvm::Twine &path) override {
    return static_cast<bool>(status(path));
  }

  // The current folder may have been deleted; there are no files in it then.
  llvm::ErrorOr<std::string> getCurrentWorkingDirectory() const override {
    auto directory = ProxyFileSystem::getCurrentWorkingDirectory();
    return directory ? *directory : std::string("/proc/self/cwd");
  }

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &path) override {
    auto found = status(path);
    if (!found)
      return found.getError();
    auto file = ProxyFileSystem::openFileForRead(path);
    if (!file || !found->isRegularFile()) {
      observe(MOCL3_UNREPEATABLE);
      return file;
    }
    auto opened = (*file)->status();
    if (!opened)
      return opened.getError();
    auto text = (*file)->getBuffer(path);
    if (!text)
      return text.getError();
    observe(MOCL3_TEXT, path.str(), (*text)->getBuffer());
    return std::make_unique<ReadFile>(
        llvm::vfs::Status::copyWithNewSize(*opened, (*text)->getBufferSize()),
        std::move(*text));
  }

  llvm::vfs::directory_iterator dir_begin(const llvm::Twine &path,
                                          std::error_code &error) override {
    observe(MOCL3_UNREPEATABLE);
    return ProxyFileSystem::dir_begin(path, error);
  }
};

// Notes when a macro that tells the time is used.
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

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
with_virtual_files(const Mocl3File *files, size_t file_count,
                   Observer observe) {
  auto real = llvm::makeIntrusiveRefCnt<ObservedFileSystem>(
      llvm::vfs::getRealFileSystem(), observe);
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  if (auto directory = real->getCurrentWorkingDirectory())
    memory->setCurrentWorkingDirectory(*directory);
  for (size_t i = 0; i < file_count; ++i)
    memory->addFile(files[i].name, 0,
                    llvm::MemoryBuffer::getMemBufferCopy(
                        llvm::StringRef(files[i].text, files[i].size),
                        files[i].name));
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(real);
  overlay->pushOverlay(memory);
  return overlay;
}

// What OpenCL C forbids and clang lets pass (6.9).
class Restrictions : public clang::ASTConsumer,
                     public clang::RecursiveASTVisitor<Restrictions> {
  clang::DiagnosticsEngine &diagnostics;
  const clang::ASTContext *context = nullptr;
  unsigned flexible_array;

  template <unsigned Size>
  void refuse(clang::SourceLocation location, const char (&sentence)[Size]) {
    diagnostics.Report(location,
                       diagnostics.getCustomDiagID(
                           clang::DiagnosticsEngine::Error, sentence));
  }

  // One addressing mode and at most one filter; without one, the nearest.
  static bool is_sampler(uint64_t bits) {
    uint64_t addressing = bits & 0xe, filter = bits & ~uint64_t(0xf);
    return addressing <= 8 && (filter == 0 || filter == 0x10 || filter == 0x20);
  }

  // Where such a sampler is passed to a function clang puts its value; elsewhere it
  // would take the address of the variable.
  void refuse_if_of_program_scope(const clang::Expr *sampler) {
    const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(sampler->IgnoreParens());
    const auto *variable =
        name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
    if (variable && variable->getType()->isSamplerT() &&
        variable->hasGlobalStorage())
      refuse(sampler->getExprLoc(), "a sampler of the program's scope can only be "
                                    "passed to a function");
  }

public:
  explicit Restrictions(clang::DiagnosticsEngine &engine)
      : diagnostics(engine),
        flexible_array(engine.getCustomDiagID(
            clang::DiagnosticsEngine::Error,
            "structures with flexible array members are not supported in "
            "OpenCL")) {}

  void HandleTagDeclDefinition(clang::TagDecl *tag) override {
    auto *record = llvm::dyn_cast<clang::RecordDecl>(tag);
    if (record && record->hasFlexibleArrayMember())
      diagnostics.Report(record->getLocation(), flexible_array);
  }

  void Initialize(clang::ASTContext &of) override { context = &of; }

  bool HandleTopLevelDecl(clang::DeclGroupRef declarations) override {
    // What clang declares of its own is not the program's.
    mocl3_check();
    for (clang::Decl *declaration : declarations)
      if (declaration->getLocation().isValid())
        TraverseDecl(declaration);
    return true;
  }

  // Samplers are known when the program is built (6.12.14.1).
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr *cast) {
    const clang::Expr *from = cast->getSubExpr();
    if (cast->getCastKind() == clang::CK_IntToOCLSampler) {
      clang::Expr::EvalResult value;
      if (from->isValueDependent())
        return true;
      if (!from->EvaluateAsInt(value, *context))
        refuse(from->getExprLoc(), "a sampler is made of a constant expression");
      else if (!is_sampler(value.Val.getInt().getZExtValue()))
        refuse(from->getExprLoc(),
               "a sampler has one addressing mode and one filter mode");
    }
    if (cast->getCastKind() == clang::CK_LValueToRValue)
      refuse_if_of_program_scope(from);
    return true;
  }

  bool VisitVarDecl(clang::VarDecl *variable) {
    if (variable->getType()->isSamplerT() &&
        !llvm::isa<clang::ParmVarDecl>(variable)) {
      if (variable->hasInit())
        refuse_if_of_program_scope(variable->getInit());
      else
        refuse(variable->getLocation(), "a sampler variable must be initialized");
    }
    std::string type = variable->getType().getUnqualifiedType().getAsString();
    if (variable->getType()->isImageType() &&
        llvm::StringRef(type).contains("depth"))
      refuse(variable->getLocation(),
             "depth images need cl_khr_depth_images, which is not supported");
    return true;
  }
};

class CompileAction : public clang::EmitLLVMOnlyAction {
  Observer observe;

public:
  CompileAction(llvm::LLVMContext &context, Observer observe)
      : EmitLLVMOnlyAction(&context), observe(observe) {}

protected:
  bool BeginSourceFileAction(clang::CompilerInstance &compiler) override {
    clang::Preprocessor &preprocessor = compiler.getPreprocessor();
    preprocessor.addPPCallbacks(std::make_unique<ObservedMacros>(observe));
    if (mocl3_is_limited())
      preprocessor.setTokenWatcher([](const clang::Token &) { mocl3_check(); });
    return EmitLLVMOnlyAction::BeginSourceFileAction(compiler);
  }

  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &compiler,
                    llvm::StringRef file) override {
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(
        std::make_unique<Restrictions>(compiler.getDiagnostics()));
    consumers.push_back(EmitLLVMOnlyAction::CreateASTConsumer(compiler, file));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }
};

std::unique_ptr<llvm::Module>
compile(llvm::LLVMContext &context, llvm::ArrayRef<const char *> arguments,
        const Mocl3File *files, size_t file_count, Observer observe,
        llvm::raw_ostream &log) {
  auto file_system = with_virtual_files(files, file_count, observe);
  auto invocation = std::make_shared<clang::CompilerInvocation>();

  clang::DiagnosticOptions option_diagnostics;
  clang::TextDiagnosticPrinter printer(log, option_diagnostics);
  auto option_engine = clang::CompilerInstance::createDiagnostics(
      *file_system, option_diagnostics, &printer, /*ShouldOwnClient=*/false);
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, arguments,
                                                 *option_engine))
    return nullptr;
  // Memory is returned to the host program, unlike in a compiler that exits.
  invocation->getFrontendOpts().DisableFree = false;
  invocation->getCodeGenOpts().DisableFree = false;

  clang::CompilerInstance compiler(invocation);
  compiler.setVirtualFileSystem(file_system);
  clang::TextDiagnosticPrinter source_printer(
      log, compiler.getInvocation().getDiagnosticOpts());
  compiler.createDiagnostics(&source_printer, /*ShouldOwnClient=*/false);
  compiler.setVerboseOutputStream(log);
  compiler.createFileManager();

  CompileAction action(context, observe);
  bool succeeded = compiler.ExecuteAction(action);
  auto module = action.takeModule();
  return succeeded ? std::move(module) : nullptr;
}

} // namespace

extern "C" LLVMModuleRef
mocl3_compile(LLVMContextRef context, const char *const *arguments,
              size_t argument_count, const Mocl3File *files, size_t file_count,
              Mocl3Observer observe, void *observer, Mocl3LogWriter write_log,
              void *log) {
  LogStream stream(write_log, log);
  auto module = compile(*llvm::unwrap(context),
                        llvm::ArrayRef(arguments, argument_count), files,
                        file_count, Observer{observe, observer}, stream);
  return llvm::wrap(module.release());
}

extern "C" const void *mocl3_address_in_clang(void) {
  return reinterpret_cast<const void *>(&clang::getClangFullVersion);
}
