#include "unroll_vectors.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace {

// Vectors that the machine has registers for.
constexpr unsigned registers = 64;

// Bits of a vector.
constexpr unsigned vector_bits = 1024;

bool is_array_of_vectors(const Type *type) {
  uint64_t count = 1;
  while (auto *array = dyn_cast<ArrayType>(type)) {
    count *= array->getNumElements();
    if (count > registers)
      return false;
    type = array->getElementType();
  }
  return isa<FixedVectorType>(type) && type->getPrimitiveSizeInBits() == vector_bits;
}

bool counts_through_vectors(Loop &loop, ScalarEvolution &evolution) {
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      auto *address = dyn_cast<GetElementPtrInst>(&instruction);
      if (!address)
        continue;
      auto *array = dyn_cast<AllocaInst>(getUnderlyingObject(address));
      if (array && is_array_of_vectors(array->getAllocatedType()) &&
          !evolution.isLoopInvariant(evolution.getSCEV(address), &loop))
        return true;
    }
  return false;
}

} // namespace

PreservedAnalyses UnrollVectors::run(Loop &loop, LoopAnalysisManager &,
                                     LoopStandardAnalysisResults &results, LPMUpdater &) {
  unsigned count = results.SE.getSmallConstantTripCount(&loop);
  if (count > 1 && count <= registers && counts_through_vectors(loop, results.SE))
    addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
  return PreservedAnalyses::all();
}

void register_unroll_vectors(PassBuilder &builder) {
  builder.registerPipelineParsingCallback(
      [](StringRef name, LoopPassManager &manager, ArrayRef<PassBuilder::PipelineElement>) {
        if (name != "unroll-vectors")
          return false;
        manager.addPass(UnrollVectors());
        return true;
      });
}
