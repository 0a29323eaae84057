// The shadow objects of a kernel's objects, and the objects that undefined values come from.

#ifndef MOCL3_UNDEFINED_ORIGINS_H
#define MOCL3_UNDEFINED_ORIGINS_H

#include "device_c/shadow_memory.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"

#include <cstdint>
#include <optional>

namespace undefined {

constexpr unsigned global_space = 1, local_space = 3;

// How an undefined value is used: `UseKind` in `check/uninitialised.rs`.
enum class UseKind { Branch, Address, Stored, Argument };

// A report that the kernel makes. Device code gives the call an address in the object whose value it is, and the one
// that gets the value, or null.
struct Report {
  llvm::CallInst *call;
  UseKind use;
  llvm::Value *shadow;
  // The object, or the call that marks a variable without memory; null if there are several.
  llvm::Value *origin;
};

// The variable of MemorySanitizer's interface that an address leads into; null if none.
llvm::GlobalVariable *tls_of(llvm::Value *address);

// The address whose shadow MemorySanitizer accesses through a pointer; null if it is none.
llvm::Value *shadowed_address(llvm::Value *pointer);

// Whether an instruction stands where a variable has no value yet.
bool is_marker(const llvm::Instruction *instruction);

class Origins {
  llvm::Function &kernel;
  // For each argument: 0 has no shadow, 1 leads to a buffer, 2 into local memory.
  llvm::ArrayRef<uint8_t> arguments;
  llvm::DenseSet<const llvm::Instruction *> program;
  llvm::DenseMap<llvm::Value *, llvm::Value *> shadows;
  llvm::DenseMap<llvm::Value *, bool> tracked;

  // Visits the loads that a shadow is computed from; false if it is from too many values.
  bool visit_loads(llvm::Value *shadow, llvm::function_ref<void(llvm::LoadInst &)> visit);
  bool has_shadow(llvm::Value *root);
  bool is_tracked(llvm::AllocaInst &variable);
  llvm::Value *build(llvm::Value *pointer);
  llvm::Value *moved(llvm::Value *pointer, uint64_t argument);

public:
  Origins(llvm::Function &kernel, llvm::ArrayRef<uint8_t> arguments)
      : kernel(kernel), arguments(arguments) {}

  // What a pointer is made of by arithmetic and choices.
  llvm::SmallVector<llvm::Value *> roots(llvm::Value *pointer);

  // Notes which instructions are the program's.
  void note_program();
  bool is_of_program(const llvm::Instruction &instruction) const {
    return program.contains(&instruction);
  }

  void forget(const llvm::Instruction &instruction) { program.erase(&instruction); }

  // Whether it leads into the arguments of a printf.
  bool is_printed(llvm::Value *pointer);

  // The same place in the shadow of the object that a pointer leads into; null if it has none.
  llvm::Value *shadow(llvm::Value *pointer);

  // Marks memory as defined, of which it is not known what it is part of.
  void mark_defined(llvm::IRBuilder<> &builder, llvm::Value *pointer,
                    llvm::Value *bytes);

  // Where the undefined bits of a value come from, before shadows are rewritten.
  llvm::Value *of(llvm::Value *shadow);

  // The loads by address that a shadow is computed from; none if it is from too many values.
  std::optional<llvm::SmallVector<ShadowLoad>> loads(llvm::Value *shadow);
};

} // namespace undefined

#endif
