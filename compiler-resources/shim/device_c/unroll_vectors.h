// Arrays of vectors as registers, in device C.
#pragma once

#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class LPMUpdater;
class Loop;
class PassBuilder;
} // namespace llvm

// Has loops unrolled that count through an array of vectors of a function, so that the array can be
// kept in registers, of which the machine has 64. LLVM's own limit counts the operations of an x86
// processor, which needs several for one of the machine's.
struct UnrollVectors : llvm::PassInfoMixin<UnrollVectors> {
  llvm::PreservedAnalyses run(llvm::Loop &, llvm::LoopAnalysisManager &,
                              llvm::LoopStandardAnalysisResults &, llvm::LPMUpdater &);
};

// Gives the pass the name `unroll-vectors`.
void register_unroll_vectors(llvm::PassBuilder &);
