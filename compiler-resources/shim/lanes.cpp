// Builds vector forms of instructions, which LLVM's C interface cannot.

#include "shim.h"

#include "llvm-c/Core.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace {

llvm::Value *call_alike(llvm::IRBuilder<> &builder, llvm::CallInst &call,
                        llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::Intrinsic::ID id = call.getIntrinsicID();
  if (id == llvm::Intrinsic::not_intrinsic)
    return nullptr;
  // The overloaded types of the scalar form, with vectors in place of widened ones.
  llvm::Type *result = call.getType();
  for (llvm::Value *argument : arguments)
    if (auto *vector = llvm::dyn_cast<llvm::VectorType>(argument->getType()))
      result = llvm::VectorType::get(result->getScalarType(),
                                     vector->getElementCount());
  llvm::SmallVector<llvm::Type *, 2> types;
  if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, -1, nullptr))
    types.push_back(result);
  for (unsigned i = 0; i < arguments.size(); ++i)
    if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, i, nullptr))
      types.push_back(arguments[i]->getType());
  llvm::Function *function =
      llvm::Intrinsic::getOrInsertDeclaration(
          builder.GetInsertBlock()->getModule(), id, types);
  return builder.CreateCall(function, arguments);
}

} // namespace

extern "C" LLVMValueRef mocl3_build_alike(LLVMBuilderRef builder_,
                                          LLVMValueRef instruction_,
                                          const LLVMValueRef *operands_,
                                          size_t count, LLVMTypeRef type) {
  llvm::IRBuilder<> &builder = *llvm::unwrap(builder_);
  auto &instruction =
      *llvm::cast<llvm::Instruction>(llvm::unwrap(instruction_));
  llvm::SmallVector<llvm::Value *, 4> operands;
  for (size_t i = 0; i < count; ++i)
    operands.push_back(llvm::unwrap(operands_[i]));
  llvm::Value *made = nullptr;
  if (auto *binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
    made = builder.CreateBinOp(binary->getOpcode(), operands[0], operands[1]);
  else if (auto *unary = llvm::dyn_cast<llvm::UnaryOperator>(&instruction))
    made = builder.CreateUnOp(unary->getOpcode(), operands[0]);
  else if (auto *cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
    made = builder.CreateCast(cast->getOpcode(), operands[0],
                              llvm::unwrap(type));
  else if (auto *compare = llvm::dyn_cast<llvm::CmpInst>(&instruction))
    made = builder.CreateCmp(compare->getPredicate(), operands[0], operands[1]);
  else if (llvm::isa<llvm::SelectInst>(instruction))
    made = builder.CreateSelect(operands[0], operands[1], operands[2]);
  else if (llvm::isa<llvm::FreezeInst>(instruction))
    made = builder.CreateFreeze(operands[0]);
  else if (auto *gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
    made = builder.CreateGEP(gep->getSourceElementType(), operands[0],
                             llvm::ArrayRef(operands).drop_front(), "",
                             gep->getNoWrapFlags());
  else if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
    made = call_alike(builder, *call, operands);
  if (!made)
    return nullptr;
  if (auto *copy = llvm::dyn_cast<llvm::Instruction>(made);
      copy && !llvm::is_contained(operands, made)) {
    copy->copyIRFlags(&instruction);
    if (auto *accuracy = instruction.getMetadata(llvm::LLVMContext::MD_fpmath))
      copy->setMetadata(llvm::LLVMContext::MD_fpmath, accuracy);
  }
  return llvm::wrap(made);
}

extern "C" bool mocl3_is_elementwise(LLVMValueRef call_) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(llvm::unwrap(call_));
  if (!call)
    return false;
  llvm::Intrinsic::ID id = call->getIntrinsicID();
  return id != llvm::Intrinsic::not_intrinsic &&
         llvm::isTriviallyVectorizable(id) && !call->getType()->isStructTy();
}

extern "C" bool mocl3_operand_stays_scalar(LLVMValueRef call, unsigned index) {
  return llvm::isVectorIntrinsicWithScalarOpAtArg(
      llvm::cast<llvm::CallInst>(llvm::unwrap(call))->getIntrinsicID(), index,
      nullptr);
}

extern "C" bool mocl3_only_computes(LLVMValueRef call_) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(llvm::unwrap(call_));
  return call && call->doesNotAccessMemory() && call->doesNotThrow() &&
         !call->isConvergent();
}

extern "C" LLVMValueRef mocl3_masked_load(LLVMBuilderRef builder,
                                          LLVMTypeRef type,
                                          LLVMValueRef pointer,
                                          unsigned alignment,
                                          LLVMValueRef mask) {
  return llvm::wrap(llvm::unwrap(builder)->CreateMaskedLoad(
      llvm::unwrap(type), llvm::unwrap(pointer), llvm::Align(alignment),
      llvm::unwrap(mask)));
}

extern "C" void mocl3_masked_store(LLVMBuilderRef builder, LLVMValueRef value,
                                   LLVMValueRef pointer, unsigned alignment,
                                   LLVMValueRef mask) {
  llvm::unwrap(builder)->CreateMaskedStore(
      llvm::unwrap(value), llvm::unwrap(pointer), llvm::Align(alignment),
      llvm::unwrap(mask));
}

extern "C" LLVMValueRef mocl3_masked_gather(LLVMBuilderRef builder,
                                            LLVMTypeRef type,
                                            LLVMValueRef pointers,
                                            unsigned alignment,
                                            LLVMValueRef mask) {
  return llvm::wrap(llvm::unwrap(builder)->CreateMaskedGather(
      llvm::unwrap(type), llvm::unwrap(pointers), llvm::Align(alignment),
      llvm::unwrap(mask)));
}

extern "C" void mocl3_masked_scatter(LLVMBuilderRef builder, LLVMValueRef value,
                                     LLVMValueRef pointers, unsigned alignment,
                                     LLVMValueRef mask) {
  llvm::unwrap(builder)->CreateMaskedScatter(
      llvm::unwrap(value), llvm::unwrap(pointers), llvm::Align(alignment),
      llvm::unwrap(mask));
}

extern "C" void mocl3_drop_promises(LLVMValueRef instruction) {
  llvm::cast<llvm::Instruction>(llvm::unwrap(instruction))
      ->dropPoisonGeneratingAnnotations();
}
