#include "narrow_inductions.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace {

constexpr unsigned least_bits = 32;

// Whether an expression extends a narrow value that varies in the loop.
bool extends_narrow_induction(const SCEV *expression, const Loop &loop,
                              ScalarEvolution &evolution) {
  return SCEVExprContains(expression, [&](const SCEV *part) {
    if (!isa<SCEVZeroExtendExpr, SCEVSignExtendExpr>(part))
      return false;
    const SCEV *narrow = cast<SCEVCastExpr>(part)->getOperand();
    return evolution.getTypeSizeInBits(narrow->getType()) < least_bits &&
           SCEVExprContains(narrow, [&](const SCEV *inner) {
             auto *recurrence = dyn_cast<SCEVAddRecExpr>(inner);
             return recurrence && recurrence->getLoop() == &loop;
           });
  });
}

bool accesses_by_narrow_induction(const Loop &loop, ScalarEvolution &evolution) {
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block)
      if (const Value *pointer = getLoadStorePointerOperand(&instruction))
        if (extends_narrow_induction(
                evolution.getSCEV(const_cast<Value *>(pointer)), loop, evolution))
          return true;
  return false;
}

// Whether scalar evolution may take the result as one of less than 32 bits, extended.
bool truncates(Instruction &instruction) {
  using namespace PatternMatch;
  const APInt *constant;
  if (match(&instruction, m_And(m_Value(), m_APInt(constant))))
    return constant->getActiveBits() < least_bits;
  if (match(&instruction, m_AShr(m_Shl(m_Value(), m_APInt(constant)), m_Value())))
    return constant->getLimitedValue() + least_bits >
           instruction.getType()->getIntegerBitWidth();
  return isa<TruncInst>(instruction) &&
         instruction.getType()->getIntegerBitWidth() < least_bits;
}

bool freeze_truncated(const Loop &loop) {
  SmallVector<Instruction *> truncated;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block)
      if (instruction.getType()->isIntegerTy() && truncates(instruction))
        truncated.push_back(&instruction);
  for (Instruction *instruction : truncated) {
    auto *frozen = new FreezeInst(instruction, "", std::next(instruction->getIterator()));
    instruction->replaceUsesWithIf(frozen, [&](Use &use) { return use.getUser() != frozen; });
  }
  return !truncated.empty();
}

} // namespace

PreservedAnalyses HideNarrowInductions::run(Function &function,
                                            FunctionAnalysisManager &analyses) {
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  bool changed = false;
  for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (loop->isInnermost() && accesses_by_narrow_induction(*loop, evolution))
      changed |= freeze_truncated(*loop);
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

void register_narrow_inductions(PassBuilder &builder) {
  builder.registerVectorizerStartEPCallback(
      [](FunctionPassManager &manager, OptimizationLevel) {
        manager.addPass(HideNarrowInductions());
      });
  builder.registerPipelineParsingCallback(
      [](StringRef name, FunctionPassManager &manager,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (name != "hide-narrow-inductions")
          return false;
        manager.addPass(HideNarrowInductions());
        return true;
      });
}
