// Shadows of memory in device code, by address: the platform keeps one byte for each byte of the process.

#ifndef MOCL3_SHADOW_MEMORY_H
#define MOCL3_SHADOW_MEMORY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace undefined {

// A load of a shadow, and the address whose shadow it is.
struct ShadowLoad {
  llvm::LoadInst *load;
  llvm::Value *pointer;
};

class ShadowMemory {
  llvm::Function &function;
  // The start of the shadow, once it is needed.
  llvm::Value *start = nullptr;
  // What stores of the program have: they do not change the thread's state.
  llvm::MDNode *scope = nullptr;
  llvm::DenseSet<llvm::Value *> reported;

  llvm::Value *kept(llvm::StoreInst &store, llvm::Value *pointer);

public:
  explicit ShadowMemory(llvm::Function &function) : function(function) {}

  // Notes what the program's stores have, before others are inserted.
  void note_scope();

  // Whether a pointer with these roots may lead into memory whose shadow is found by address.
  static bool covers(llvm::ArrayRef<llvm::Value *> roots);

  // The shadow of an address.
  llvm::Value *address(llvm::IRBuilder<> &builder, llvm::Value *pointer);

  // A value with this shadow is reported in any case: it is defined from then on.
  void report(llvm::Value *shadow) { reported.insert(shadow); }

  // Has an access of a shadow lead to that of an address. Only some memory keeps that values are undefined.
  void rewrite(llvm::Instruction &access, llvm::Value *pointer);

  // Copies the shadow of bytes that are copied, or marks them as defined without one.
  void move(llvm::IRBuilder<> &builder, llvm::Value *to, llvm::Value *shadow, llvm::Value *bytes);

  // An address from which the undefined bits of a value come that was loaded at these places; null if it is not
  // known at an instruction.
  llvm::Value *origin(llvm::DominatorTree &tree, llvm::Instruction &at, llvm::ArrayRef<ShadowLoad> loads,
                      llvm::Value *root);
};

} // namespace undefined

#endif
