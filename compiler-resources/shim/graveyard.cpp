// Erases instructions and functions in two steps, so that references to them stay valid between.

#include "shim.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace {

void replace_uses(llvm::Value &value) {
  if (!value.getType()->isVoidTy())
    value.replaceAllUsesWith(llvm::PoisonValue::get(value.getType()));
}

// Poison, rather than null, lets functions that read an operand's type still work.
void empty_operands(llvm::Instruction &instruction) {
  for (llvm::Use &operand : instruction.operands()) {
    llvm::Type *type = operand ? operand->getType() : nullptr;
    bool has_poison = type && type->isFirstClassType() && !type->isLabelTy() &&
                      !type->isMetadataTy() && !type->isTokenTy();
    operand.set(has_poison ? llvm::PoisonValue::get(type) : nullptr);
  }
}

void empty(llvm::Value &value) {
  replace_uses(value);
  if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value)) {
    empty_operands(*instruction);
    return;
  }
  auto &function = *llvm::cast<llvm::Function>(&value);
  for (llvm::Argument &argument : function.args())
    replace_uses(argument);
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block)
      empty(instruction);
}

} // namespace

extern "C" void mocl3_bury(LLVMValueRef value_) {
  llvm::Value *value = llvm::unwrap(value_);
  if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(value)) {
    if (instruction->getParent())
      instruction->removeFromParent();
  } else if (auto *function = llvm::cast<llvm::Function>(value);
             function->getParent()) {
    function->removeFromParent();
  }
  empty(*value);
}

extern "C" void mocl3_free_buried(const LLVMValueRef *values, size_t count) {
  llvm::SmallVector<llvm::Value *, 32> buried;
  for (size_t i = 0; i < count; ++i) {
    llvm::Value *value = llvm::unwrap(values[i]);
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    // An instruction may have been inserted again.
    if (!instruction || !instruction->getParent())
      buried.push_back(value);
  }
  // They may have been made to use each other since.
  for (llvm::Value *value : buried)
    empty(*value);
  for (llvm::Value *value : buried) {
    if (auto *function = llvm::dyn_cast<llvm::Function>(value))
      delete function;
    else
      value->deleteValue();
  }
}

extern "C" bool mocl3_is_placed(LLVMBuilderRef builder, LLVMValueRef before) {
  llvm::BasicBlock *block = llvm::unwrap(builder)->GetInsertBlock();
  if (!block || !block->getParent() || !block->getModule())
    return false;
  return !before ||
         llvm::cast<llvm::Instruction>(llvm::unwrap(before))->getParent() == block;
}
