// clang in process: OpenCL C text and virtual files in, an LLVM module and
// diagnostics out. A crash inside clang comes back as a failure.

#include "shim.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <cstring>
#include <string>

namespace {

char *copy_text(const std::string &text) {
  char *copy = static_cast<char *>(std::malloc(text.size() + 1));
  if (copy)
    std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
with_virtual_files(const Mocl3File *files, size_t file_count) {
  auto real = llvm::vfs::getRealFileSystem();
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
class Restrictions : public clang::ASTConsumer {
  clang::DiagnosticsEngine &diagnostics;
  unsigned flexible_array;

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
};

class CompileAction : public clang::EmitLLVMOnlyAction {
public:
  using EmitLLVMOnlyAction::EmitLLVMOnlyAction;

protected:
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
        const Mocl3File *files, size_t file_count, llvm::raw_ostream &log) {
  auto file_system = with_virtual_files(files, file_count);
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

  CompileAction action(&context);
  bool succeeded = compiler.ExecuteAction(action);
  auto module = action.takeModule();
  return succeeded ? std::move(module) : nullptr;
}

} // namespace

extern "C" Mocl3CompileStatus
mocl3_compile(LLVMContextRef context, const char *const *arguments,
              size_t argument_count, const Mocl3File *files, size_t file_count,
              LLVMModuleRef *module_out, char **log_out) {
  std::string log;
  std::unique_ptr<llvm::Module> module;
  bool survived = mocl3_run_guarded([&] {
    llvm::raw_string_ostream stream(log);
    module = compile(*llvm::unwrap(context),
                     llvm::ArrayRef(arguments, argument_count), files,
                     file_count, stream);
  });
  *log_out = copy_text(log);
  if (!survived)
    return MOCL3_CRASHED;
  if (!module)
    return MOCL3_REFUSED;
  *module_out = llvm::wrap(module.release());
  return MOCL3_COMPILED;
}
