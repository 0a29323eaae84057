// Hides narrow induction variables in addresses from LLVM's loop vectoriser.
//
// `a[4 * i + (i & 3)]` has an induction of two bits, which wraps. Scalar evolution of LLVM 22 takes
// a run-time check that a wider induction does not wrap as a check of the narrow one, if that has a
// smaller start and step. Without its own check the access is a strided one, which it is not.
#pragma once

#include "llvm/IR/PassManager.h"

namespace llvm {
class PassBuilder;
}

// In loops whose addresses contain inductions of less than 32 bits, freezes the values that are
// truncated to fewer bits. Wider inductions take 2^32 steps to wrap; they stay as they are.
struct HideNarrowInductions : llvm::PassInfoMixin<HideNarrowInductions> {
  llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

// Runs the pass before loops are vectorised, and gives it the name `hide-narrow-inductions`.
void register_narrow_inductions(llvm::PassBuilder &);
