// Exceptions of misaligned accesses, in device C.
#pragma once

#include "llvm/IR/PassManager.h"

namespace llvm {
class PassBuilder;
} // namespace llvm

// Code tests addresses whose alignment is not proven, and calls a function of the runtime that does
// not return: the host's processor makes misaligned accesses, the machine raises exceptions. The pass
// runs after all optimisations, so that it hinders none. The test is of the pointer that an address
// differs from by multiples of the alignment, once before a loop that makes the access in any case.
// Otherwise one branch tests several accesses of a block, before the last of them.
struct AlignmentChecks : llvm::PassInfoMixin<AlignmentChecks> {
  llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);

  // Code without optimisations has checks, too.
  static bool isRequired() { return true; }
};

// Gives the pass the name `alignment-checks`.
void register_alignment_checks(llvm::PassBuilder &);
