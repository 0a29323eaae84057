// The C interface between the Rust crate and clang's and LLVM's C++: only what
// LLVM's own C interface lacks.

#pragma once

#include "llvm-c/TargetMachine.h"
#include "llvm-c/Types.h"
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How what ran guarded has ended.
enum Mocl3Ending {
  /// The body has returned.
  MOCL3_ENDED = 0,
  /// There is no thread or no memory to begin with; `number` is an `errno`.
  MOCL3_NOT_STARTED = 1,
  /// A fault or an abort; `number` is the signal.
  MOCL3_FAULT = 2,
  /// The stack of `stack_bytes` is exhausted.
  MOCL3_STACK_EXHAUSTED = 3,
  /// The system has no memory left.
  MOCL3_NO_MEMORY = 4,
  /// LLVM cannot go on; `text` is its reason.
  MOCL3_FATAL_ERROR = 5,
  /// The limit of time is exceeded.
  MOCL3_TOO_LONG = 6,
  /// The limit of memory is exceeded.
  MOCL3_TOO_LARGE = 7,
};

/// Limits of a guarded call; 0 is no limit.
struct Mocl3Limits {
  uint64_t nanoseconds;
  /// By which the process may grow in memory.
  uint64_t bytes;
};

struct Mocl3Run {
  enum Mocl3Ending ending;
  int number;
  size_t stack_bytes;
  char text[1024];
};

/// Runs `body` on a guarded thread of its own and waits for it. Unless it ends by
/// returning, what it worked on is as it was left and must not be used again.
void mocl3_run_guarded(void (*body)(void *), void *data,
                       const struct Mocl3Limits *limits, struct Mocl3Run *run);

/// Whether this thread runs guarded.
bool mocl3_is_guarded(void);

/// Whether this thread runs guarded, with limits.
bool mocl3_is_limited(void);

/// Does not return if this thread runs guarded and shall not go on: a limit is exceeded,
/// or memory is short. To be called where no lock is held.
void mocl3_check(void);

/// An allocation on this thread has failed. True if it may be tried once more; does not
/// return if there is no hope; false if the thread is not guarded.
bool mocl3_out_of_memory(void);

/// A file that exists only for one compilation.
struct Mocl3File {
  const char *name;
  const char *text;
  size_t size;
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

/// Receives each observation, on the thread that compiles.
typedef void (*Mocl3Observer)(void *observer, Mocl3Observation observation,
                              const char *path, size_t path_size,
                              const char *text, size_t text_size);

/// Receives each piece of the log, on the compiling thread.
typedef void (*Mocl3LogWriter)(void *log, const char *text, size_t size);

/// What a compilation may read of the real file system, and who observes that.
struct Mocl3Reading {
  /// Only files within `folders` may be read; else any regular file.
  bool only_folders;
  const char *const *folders;
  size_t folder_count;
  Mocl3Observer observe;
  void *observer;
};

/// Compiles with clang -cc1 `arguments`; null if the source or the options are wrong,
/// and the log says where. To be called guarded.
LLVMModuleRef mocl3_compile(LLVMContextRef context, const char *const *arguments,
                            size_t argument_count, const Mocl3File *files,
                            size_t file_count, const Mocl3Reading *reading,
                            Mocl3LogWriter write_log, void *log);

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

/// Runs a textual pass pipeline; false with a message. To be called guarded. Once
/// `process_ends` returns true, passes that only optimise are left out.
bool mocl3_run_passes(LLVMModuleRef module, const char *passes,
                      LLVMTargetMachineRef machine, bool (*process_ends)(void),
                      char **message_out);

/// Emits an object file, or assembly, into a memory buffer; false with a message. To be
/// called guarded.
bool mocl3_emit(LLVMModuleRef module, LLVMTargetMachineRef machine, int assembly,
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
