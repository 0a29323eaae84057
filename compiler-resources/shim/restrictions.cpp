// Reports what OpenCL C forbids but clang accepts, and what this platform does not support.

#include "restrictions.h"
#include "shim.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/Builtins.h"

namespace {

// The restrictions of section 6.9, and those on attributes.
class Restrictions : public clang::ASTConsumer,
                     public clang::RecursiveASTVisitor<Restrictions> {
  clang::DiagnosticsEngine &diagnostics;
  const clang::ASTContext *context = nullptr;
  static constexpr unsigned most_invalid_declarations = 100;
  unsigned invalid_declarations = 0;
  unsigned flexible_array;
  unsigned unsupported_attribute;

  template <unsigned Size>
  void refuse(clang::SourceLocation location, const char (&sentence)[Size]) {
    diagnostics.Report(location,
                       diagnostics.getCustomDiagID(
                           clang::DiagnosticsEngine::Error, sentence));
  }

  // One addressing mode and at most one filter mode, which defaults to CLK_FILTER_NEAREST.
  static bool is_sampler(uint64_t bits) {
    uint64_t addressing = bits & 0xe, filter = bits & ~uint64_t(0xf);
    return addressing <= 8 && (filter == 0 || filter == 0x10 || filter == 0x20);
  }

  // clang replaces a program-scope sampler by its value only where it is an argument of a call;
  // elsewhere it would take the variable's address.
  void refuse_if_of_program_scope(const clang::Expr *sampler) {
    const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(sampler->IgnoreParens());
    const auto *variable =
        name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
    if (variable && variable->getType()->isSamplerT() &&
        variable->hasGlobalStorage())
      refuse(sampler->getExprLoc(), "a sampler of the program's scope can only be "
                                    "passed to a function");
  }

  // Rejects attributes that rename, replace or split a symbol, change how a function is called
  // or entered, or use address spaces other than OpenCL's: the passes and the JIT linker rely
  // on the name and type of each function and variable.
  static bool is_supported(const clang::Attr &attribute) {
    switch (attribute.getKind()) {
    // Other symbol names, linkage or sections.
    case clang::attr::Alias:
    case clang::attr::AsmLabel:
    case clang::attr::CodeModel:
    case clang::attr::Constructor:
    case clang::attr::Destructor:
    case clang::attr::DLLExport:
    case clang::attr::DLLImport:
    case clang::attr::IFunc:
    case clang::attr::InitPriority:
    case clang::attr::LoaderUninitialized:
    case clang::attr::PragmaClangBSSSection:
    case clang::attr::PragmaClangDataSection:
    case clang::attr::PragmaClangRelroSection:
    case clang::attr::PragmaClangRodataSection:
    case clang::attr::PragmaClangTextSection:
    case clang::attr::Section:
    case clang::attr::Thread:
    case clang::attr::TLSModel:
    case clang::attr::WeakRef:
    // Several versions of a function, or one for another CPU.
    case clang::attr::CPUDispatch:
    case clang::attr::CPUSpecific:
    case clang::attr::Target:
    case clang::attr::TargetClones:
    case clang::attr::TargetVersion:
    // Other entries to a function, and exits from it.
    case clang::attr::AnyX86Interrupt:
    case clang::attr::AnyX86NoCallerSavedRegisters:
    case clang::attr::MustTail:
    case clang::attr::Naked:
    case clang::attr::ReturnsTwice:
    // Other calling conventions.
    case clang::attr::IntelOclBicc:
    case clang::attr::MSABI:
    case clang::attr::PreserveAll:
    case clang::attr::PreserveMost:
    case clang::attr::PreserveNone:
    case clang::attr::RegCall:
    case clang::attr::SwiftAsyncCall:
    case clang::attr::SwiftCall:
    case clang::attr::SysVABI:
    case clang::attr::VectorCall:
    // Address spaces that are not OpenCL's, among them x86's segments.
    case clang::attr::AddressSpace:
    case clang::attr::Ptr32:
      return false;
    // Kernels of other languages, for which clang emits no function that can be called.
    case clang::attr::DeviceKernel:
      return attribute.getSyntax() == clang::AttributeCommonInfo::AS_Keyword;
    default:
      return true;
    }
  }

  void check_attribute(const clang::Attr *attribute) {
    if (attribute && !is_supported(*attribute))
      diagnostics.Report(attribute->getLocation(), unsupported_attribute)
          << attribute->getSpelling();
  }

  // Reserves the names of intrinsics (intrinsics.rs) and of the host functions that native
  // code calls: the passes rely on their types.
  void check_name(const clang::NamedDecl *declaration) {
    const clang::IdentifierInfo *name = declaration->getIdentifier();
    if (name && (name->getName().starts_with("__mocl3_") ||
                 name->getName().starts_with("mocl3_")))
      refuse(declaration->getLocation(),
             "names that begin with 'mocl3_' or '__mocl3_' are reserved");
  }

public:
  explicit Restrictions(clang::DiagnosticsEngine &engine)
      : diagnostics(engine),
        flexible_array(engine.getCustomDiagID(
            clang::DiagnosticsEngine::Error,
            "structures with flexible array members are not supported in "
            "OpenCL")),
        unsupported_attribute(engine.getCustomDiagID(
            clang::DiagnosticsEngine::Error,
            "attribute '%0' is not supported in OpenCL programs")) {}

  void HandleTagDeclDefinition(clang::TagDecl *tag) override {
    auto *record = llvm::dyn_cast<clang::RecordDecl>(tag);
    if (record && record->hasFlexibleArrayMember())
      diagnostics.Report(record->getLocation(), flexible_array);
  }

  void Initialize(clang::ASTContext &of) override { context = &of; }

  bool HandleTopLevelDecl(clang::DeclGroupRef declarations) override {
    mocl3_check();
    for (clang::Decl *declaration : declarations) {
      // Implicit declarations of clang have no location and are not checked.
      if (declaration->getLocation().isValid())
        TraverseDecl(declaration);
      // clang reports few of these, and every lookup of their name visits all of them.
      if (declaration->isInvalidDecl() &&
          ++invalid_declarations == most_invalid_declarations)
        diagnostics.Report(declaration->getLocation(),
                           clang::diag::fatal_too_many_errors);
    }
    return !diagnostics.hasFatalErrorOccurred();
  }

  bool VisitDecl(clang::Decl *declaration) {
    for (const clang::Attr *attribute : declaration->attrs())
      check_attribute(attribute);
    return true;
  }

  bool VisitAttributedTypeLoc(clang::AttributedTypeLoc type) {
    check_attribute(type.getAttr());
    return true;
  }

  bool VisitAttributedStmt(clang::AttributedStmt *statement) {
    for (const clang::Attr *attribute : statement->getAttrs())
      check_attribute(attribute);
    return true;
  }

  // Samplers in a program are compile-time constants (6.12.14.1).
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

  // clang 22 does not report that it cannot convert zero to event_t within an array's initializer,
  // and crashes when it generates its code.
  bool VisitRecoveryExpr(clang::RecoveryExpr *expression) {
    if (!diagnostics.hasErrorOccurred())
      refuse(expression->getExprLoc(), "an element of type 'event_t' cannot be "
                                       "initialized: assign an event to it");
    return true;
  }

  bool VisitFunctionDecl(clang::FunctionDecl *function) {
    check_name(function);
    return true;
  }

  // Kernels have no stack to unwind.
  bool VisitCallExpr(clang::CallExpr *call) {
    switch (call->getBuiltinCallee()) {
    case clang::Builtin::BI__builtin_eh_return:
    case clang::Builtin::BI__builtin_longjmp:
    case clang::Builtin::BI__builtin_setjmp:
    case clang::Builtin::BI__builtin_unwind_init:
      refuse(call->getExprLoc(), "this builtin is not supported in OpenCL programs");
    }
    return true;
  }

  bool VisitVarDecl(clang::VarDecl *variable) {
    if (variable->hasGlobalStorage())
      check_name(variable);
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

} // namespace

std::unique_ptr<clang::ASTConsumer>
mocl3_restrictions(clang::DiagnosticsEngine &diagnostics) {
  return std::make_unique<Restrictions>(diagnostics);
}
