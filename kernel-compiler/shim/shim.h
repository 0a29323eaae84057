// The C interface between the Rust crate and clang's and LLVM's C++: only what
// LLVM's own C interface lacks.

#pragma once

#include "llvm-c/TargetMachine.h"
#include "llvm-c/Types.h"
#include <stddef.h>

#ifdef __cplusplus
#include "llvm/ADT/STLFunctionalExtras.h"
/// Runs `body` on a thread with a deep stack; false if it crashed.
bool mocl3_run_guarded(llvm::function_ref<void()> body);
extern "C" {
#endif

/// A file that exists only for one compilation.
struct Mocl3File {
  const char *name;
  const char *text;
  size_t size;
};

enum Mocl3CompileStatus {
  MOCL3_COMPILED = 0,
  /// The source or the options are wrong; the log says where.
  MOCL3_REFUSED = 1,
  /// clang crashed; the context must not be used again.
  MOCL3_CRASHED = 2,
};

/// What a compilation learnt from the real file system, or from the clock.
enum Mocl3Observation {
  /// There is nothing of that name.
  MOCL3_NOTHING = 0,
  MOCL3_DIRECTORY = 1,
  /// There is a file; it was not read.
  MOCL3_FILE = 2,
  /// The file was read and holds this text.
  MOCL3_TEXT = 3,
  /// Something that cannot be asked again, such as the time. There is no path.
  MOCL3_UNREPEATABLE = 4,
};

/// Is told each observation, by the thread that compiles.
typedef void (*Mocl3Observer)(void *observer, Mocl3Observation observation,
                              const char *path, size_t path_size,
                              const char *text, size_t text_size);

/// Compiles with clang -cc1 `arguments`. `log_out` is to be freed with free().
Mocl3CompileStatus mocl3_compile(LLVMContextRef context,
                                 const char *const *arguments,
                                 size_t argument_count, const Mocl3File *files,
                                 size_t file_count, Mocl3Observer observe,
                                 void *observer, LLVMModuleRef *module_out,
                                 char **log_out);

/// An address in the clang library that this one uses.
const void *mocl3_address_in_clang(void);

/// Adds to `destination` those definitions of a bitcode image that it lacks,
/// reading no other function bodies. False if the image cannot be read.
bool mocl3_link_needed(LLVMModuleRef destination, const char *bitcode,
                       size_t size);

/// A new module with function `name` of a bitcode image and all it needs; null
/// if there is no such function.
LLVMModuleRef mocl3_extract_function(LLVMContextRef context,
                                     const char *bitcode, size_t size,
                                     const char *name);

/// Turns constant expressions over `global` that `function` uses into instructions.
void mocl3_expand_constant_users(LLVMValueRef global, LLVMValueRef function);

/// A metadata node without operands that is equal to no other.
LLVMMetadataRef mocl3_distinct_node(LLVMContextRef context);

/// Runs a textual pass pipeline; 0, or 1 with a message, or 2 if LLVM crashed. Once
/// `process_ends` returns true, passes that only optimise are left out.
int mocl3_run_passes(LLVMModuleRef module, const char *passes,
                     LLVMTargetMachineRef machine, bool (*process_ends)(void),
                     char **message_out);

/// Emits an object file, or assembly, into a memory buffer; status as mocl3_run_passes.
int mocl3_emit(LLVMModuleRef module, LLVMTargetMachineRef machine, int assembly,
               LLVMMemoryBufferRef *file_out, char **message_out);

/// An instruction alike with other operands (all with as many elements, or scalar), its
/// flags kept; `type` is a cast's result. Null for what has no form with vectors.
LLVMValueRef mocl3_build_alike(LLVMBuilderRef builder, LLVMValueRef instruction,
                               const LLVMValueRef *operands, size_t count,
                               LLVMTypeRef type);

/// Whether a call is of an intrinsic that has a form with vectors.
bool mocl3_is_elementwise(LLVMValueRef call);

/// Whether an operand of such an intrinsic is a scalar in the form with vectors as well.
bool mocl3_operand_stays_scalar(LLVMValueRef call, unsigned index);

/// Whether a call only computes a value, so that it may be made more often than asked.
bool mocl3_only_computes(LLVMValueRef call);

/// Drops flags and metadata that make an instruction's value meaningless in some cases.
void mocl3_drop_promises(LLVMValueRef instruction);

/// Loads and stores of the elements that a mask names. `alignment` is an element's.
LLVMValueRef mocl3_masked_load(LLVMBuilderRef builder, LLVMTypeRef type,
                               LLVMValueRef pointer, unsigned alignment,
                               LLVMValueRef mask);
void mocl3_masked_store(LLVMBuilderRef builder, LLVMValueRef value,
                        LLVMValueRef pointer, unsigned alignment,
                        LLVMValueRef mask);
LLVMValueRef mocl3_masked_gather(LLVMBuilderRef builder, LLVMTypeRef type,
                                 LLVMValueRef pointers, unsigned alignment,
                                 LLVMValueRef mask);
void mocl3_masked_scatter(LLVMBuilderRef builder, LLVMValueRef value,
                          LLVMValueRef pointers, unsigned alignment,
                          LLVMValueRef mask);

#ifdef __cplusplus
}
#endif
