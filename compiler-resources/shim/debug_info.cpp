// Full debug information of kernels, which work-group formation moves to the work-group function.

#include "shim.h"

#include "llvm-c/Core.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace {

bool is_debugged(const llvm::Function &function) {
  const llvm::DISubprogram *program = function.getSubprogram();
  return program && program->getUnit() &&
         program->getUnit()->getEmissionKind() == llvm::DICompileUnit::FullDebug;
}

bool is_local_memory(const llvm::GlobalVariable &variable) {
  constexpr unsigned local = 3;
  return variable.getAddressSpace() == local;
}

// Variables of local memory have no address of their own any more.
void forget_local_memory(llvm::Module &module) {
  llvm::SmallPtrSet<llvm::Metadata *, 8> gone;
  for (llvm::GlobalVariable &variable : module.globals()) {
    llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> expressions;
    variable.getDebugInfo(expressions);
    if (is_local_memory(variable)) {
      gone.insert(expressions.begin(), expressions.end());
      variable.eraseMetadata(llvm::LLVMContext::MD_dbg);
    }
  }
  if (gone.empty())
    return;
  for (llvm::DICompileUnit *unit : module.debug_compile_units()) {
    llvm::SmallVector<llvm::Metadata *, 16> kept;
    for (llvm::DIGlobalVariableExpression *expression : unit->getGlobalVariables())
      if (!gone.count(expression))
        kept.push_back(expression);
    unit->replaceGlobalVariables(llvm::MDTuple::get(module.getContext(), kept));
  }
}

// clang makes two functions of a kernel: one that calls the other, and the other with the body,
// which has been inlined. So the code of the kernel is inlined code of the work-group function.
struct Body {
  llvm::DISubprogram *program;
  // Where it is inlined; null if clang made one function only.
  llvm::DILocation *call;

  static Body of(llvm::Function &function) {
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      llvm::DILocation *location = instruction.getDebugLoc();
      while (location && location->getInlinedAt()) {
        llvm::DILocation *call = location->getInlinedAt();
        if (!call->getInlinedAt())
          return {location->getScope()->getSubprogram(), call};
        location = call;
      }
    }
    return {function.getSubprogram(), nullptr};
  }
};

// Code around the work-items is at the line of the kernel's name, and so is what is at no line of
// the kernel before its first statement: it stores the arguments, and a breakpoint at the kernel
// comes after that. Other functions need lines for calls that may be inlined, and have prologues
// without any.
void locate(llvm::Function &function, bool is_work_group_function) {
  llvm::DISubprogram *program = function.getSubprogram();
  auto *around = llvm::DILocation::get(function.getContext(), program->getLine(), 0, program);
  bool has_begun = !is_work_group_function;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    const llvm::DILocation *location = instruction.getDebugLoc();
    has_begun |= location && location->getInlinedAt() && location->getLine();
    bool is_around = location ? !has_begun && !location->getLine()
                              : is_work_group_function || llvm::isa<llvm::CallBase>(instruction);
    if (is_around)
      instruction.setDebugLoc(around);
  }
}

// Debuggers prefer linkage names, which the bodies of kernels have of clang.
void forget_linkage_names(llvm::Function &function) {
  constexpr unsigned linkage_name = 3;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    for (const llvm::DILocation *location = instruction.getDebugLoc(); location;
         location = location->getInlinedAt()) {
      llvm::DISubprogram *program = location->getScope()->getSubprogram();
      if (program->getLinkageName().starts_with("__clang_ocl_kern_imp_"))
        program->replaceOperandWith(linkage_name, nullptr);
    }
}

llvm::DIType *field_type(llvm::DIBuilder &builder, const Mocl3Field &field) {
  auto *number = builder.createBasicType("size_t", 64, llvm::dwarf::DW_ATE_unsigned);
  if (field.is_pointer)
    return builder.createPointerType(nullptr, 64);
  if (field.count == 1)
    return number;
  auto range = builder.getOrCreateArray({builder.getOrCreateSubrange(0, field.count)});
  return builder.createArrayType(64 * field.count, 64, number, range);
}

} // namespace

// Code generation leaves out scopes without variables, and gdb those without symbols: a variable
// without a name, which gdb does not show, and a label.
static void declare_scope(llvm::Instruction &before, llvm::DILexicalBlock *scope,
                          llvm::DILocation *location) {
  llvm::DIBuilder builder(*before.getModule(), /*AllowUnresolved=*/false);
  auto *type = builder.createBasicType("char", 8, llvm::dwarf::DW_ATE_signed_char);
  auto *variable =
      builder.createAutoVariable(scope, "", scope->getFile(), scope->getLine(), type);
  auto *zero = llvm::ConstantInt::get(llvm::Type::getInt8Ty(before.getContext()), 0);
  builder.insertDbgValueIntrinsic(zero, variable, builder.createExpression(), location,
                                  before.getIterator());
  auto *label = builder.createLabel(scope, "mocl3_region", scope->getFile(), scope->getLine(),
                                    scope->getColumn(), /*IsArtificial=*/true, std::nullopt);
  builder.insertLabel(label, location, before.getIterator());
}

extern "C" bool mocl3_is_debugged(LLVMValueRef function) {
  return is_debugged(*llvm::cast<llvm::Function>(llvm::unwrap(function)));
}

extern "C" size_t mocl3_declared_variables(LLVMValueRef function, Mocl3Variable *variables,
                                           size_t capacity) {
  auto &kernel = *llvm::cast<llvm::Function>(llvm::unwrap(function));
  Body body = Body::of(kernel);
  size_t count = 0;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    for (llvm::DbgVariableRecord &record :
         llvm::filterDbgVars(instruction.getDbgRecordRange())) {
      // Those of the function that only calls the body are its arguments once more.
      bool is_of_body = !body.call || record.getDebugLoc().getInlinedAt();
      if (!record.isDbgDeclare() || record.isKillLocation() || !is_of_body)
        continue;
      if (count < capacity)
        variables[count] = {llvm::wrap(record.getVariableLocationOp(0)),
                            llvm::wrap(static_cast<llvm::DbgRecord *>(&record))};
      ++count;
    }
  return count;
}

extern "C" void mocl3_declare_again(LLVMBasicBlockRef block, LLVMDbgRecordRef declared,
                                    LLVMValueRef address, bool is_indirect) {
  auto &record = *llvm::cast<llvm::DbgVariableRecord>(llvm::unwrap(declared));
  llvm::DIExpression *expression = record.getExpression();
  if (is_indirect)
    expression = llvm::DIExpression::prepend(expression, llvm::DIExpression::DerefBefore);
  llvm::BasicBlock &place = *llvm::unwrap(block);
  llvm::DIBuilder builder(*place.getModule(), /*AllowUnresolved=*/false);
  builder.insertDeclare(llvm::unwrap(address), record.getVariable(), expression,
                        record.getDebugLoc().get(), &place);
}

extern "C" void mocl3_declare_local_memory(LLVMValueRef before, LLVMValueRef global,
                                           LLVMValueRef slot) {
  auto *place = llvm::cast<llvm::Instruction>(llvm::unwrap(before));
  auto &variable = *llvm::cast<llvm::GlobalVariable>(llvm::unwrap(global));
  Body body = Body::of(*place->getFunction());
  llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> expressions;
  variable.getDebugInfo(expressions);
  if (expressions.empty())
    return;
  llvm::DIGlobalVariable *described = expressions[0]->getVariable();
  auto *scope = llvm::dyn_cast<llvm::DILocalScope>(described->getScope());
  // A variable of another kernel that this one calls has no place to be shown at.
  if (!scope || scope->getSubprogram() != body.program)
    return;
  llvm::DIBuilder builder(*place->getModule(), /*AllowUnresolved=*/false);
  auto *local = builder.createAutoVariable(scope, described->getName(), described->getFile(),
                                           described->getLine(), described->getType());
  auto *expression = builder.createExpression({llvm::dwarf::DW_OP_deref});
  auto *location =
      llvm::DILocation::get(place->getContext(), described->getLine(), 0, scope, body.call);
  builder.insertDeclare(llvm::unwrap(slot), local, expression, location,
                        place->getIterator());
}

extern "C" void mocl3_declare_work_item(LLVMValueRef kernel, LLVMBasicBlockRef block,
                                        LLVMValueRef storage, const Mocl3Field *fields,
                                        size_t field_count) {
  Body body = Body::of(*llvm::cast<llvm::Function>(llvm::unwrap(kernel)));
  llvm::DISubprogram *program = body.program;
  llvm::BasicBlock &place = *llvm::unwrap(block);
  llvm::DIFile *file = program->getFile();
  llvm::DIBuilder builder(*place.getModule(), /*AllowUnresolved=*/false, program->getUnit());
  llvm::SmallVector<llvm::Metadata *, 16> members;
  uint64_t bits = 0;
  for (const Mocl3Field &field : llvm::ArrayRef(fields, field_count)) {
    uint64_t size = 64 * field.count;
    members.push_back(builder.createMemberType(file, field.name, file, 0, size, 64, bits,
                                               llvm::DINode::FlagZero,
                                               field_type(builder, field)));
    bits += size;
  }
  auto *type = builder.createStructType(file, "mocl3_work_item", file, 0, bits, 64,
                                        llvm::DINode::FlagZero, nullptr,
                                        builder.getOrCreateArray(members));
  auto *variable = builder.createAutoVariable(program, "mocl3", file, program->getLine(), type);
  auto *location =
      llvm::DILocation::get(place.getContext(), program->getLine(), 0, program, body.call);
  builder.insertDeclare(llvm::unwrap(storage), variable, builder.createExpression(), location,
                        &place);
}

extern "C" void mocl3_move_subprogram(LLVMValueRef kernel_, LLVMValueRef function_) {
  auto &kernel = *llvm::cast<llvm::Function>(llvm::unwrap(kernel_));
  auto &function = *llvm::cast<llvm::Function>(llvm::unwrap(function_));
  llvm::LLVMContext &context = kernel.getContext();
  Body body = Body::of(kernel);
  llvm::DISubprogram *program = kernel.getSubprogram();
  if (body.call) {
    constexpr unsigned name = 2;
    program->replaceOperandWith(name, llvm::MDString::get(context, function.getName()));
  }
  kernel.setSubprogram(nullptr);
  function.setSubprogram(program);
}

extern "C" void mocl3_separate_scopes(const LLVMBasicBlockRef *blocks, size_t count) {
  llvm::DenseMap<llvm::DILocalScope *, llvm::DILexicalBlock *> own;
  llvm::DenseSet<std::pair<llvm::DILocalScope *, llvm::DILocation *>> labelled;
  for (LLVMBasicBlockRef block : llvm::ArrayRef(blocks, count))
    for (llvm::Instruction &instruction : *llvm::unwrap(block)) {
      llvm::DILocation *location = instruction.getDebugLoc();
      if (!location)
        continue;
      llvm::LLVMContext &context = instruction.getContext();
      llvm::DILocalScope *scope = location->getScope();
      unsigned line = location->getLine(), column = location->getColumn();
      llvm::DIFile *file = scope->getFile();
      llvm::DILexicalBlock *&inner = own[scope];
      if (!inner)
        inner = llvm::DILexicalBlock::getDistinct(context, scope, file, line, column);
      auto *moved =
          llvm::DILocation::get(context, line, column, inner, location->getInlinedAt());
      instruction.setDebugLoc(moved);
      if (llvm::isa<llvm::PHINode>(instruction) ||
          !labelled.insert({scope, location->getInlinedAt()}).second)
        continue;
      declare_scope(instruction, inner, moved);
    }
}

extern "C" void mocl3_complete_debug_info(LLVMValueRef work_group_function) {
  llvm::Module &module =
      *llvm::cast<llvm::Function>(llvm::unwrap(work_group_function))->getParent();
  forget_local_memory(module);
  for (llvm::Function &function : module) {
    if (!is_debugged(function))
      continue;
    forget_linkage_names(function);
    locate(function, &function == llvm::unwrap(work_group_function));
    function.addFnAttr("frame-pointer", "all");
    if (function.hasFnAttribute(llvm::Attribute::AlwaysInline))
      continue;
    function.addFnAttr(llvm::Attribute::OptimizeNone);
    function.addFnAttr(llvm::Attribute::NoInline);
  }
  unsigned number = 0;
  for (llvm::GlobalVariable &variable : module.globals()) {
    if (!variable.hasMetadata(llvm::LLVMContext::MD_dbg) || variable.isDeclaration())
      continue;
    // The debugger has to know where its section is loaded.
    variable.setName("mocl3_variable_" + llvm::Twine(number++));
    variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
  }
}
