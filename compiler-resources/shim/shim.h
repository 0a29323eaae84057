// The C interface between the Rust crate and clang's and LLVM's C++: only what
// LLVM's own C interface lacks.

#pragma once

#include "llvm-c/TargetMachine.h"
#include "llvm-c/Types.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How a guarded call ended.
enum Mocl3Ending {
  /// The body has returned.
  MOCL3_ENDED = 0,
  /// The thread or its stack could not be created; `number` is an `errno`.
  MOCL3_NOT_STARTED = 1,
  /// A fault or an abort; `number` is the signal.
  MOCL3_FAULT = 2,
  /// The stack of `stack_bytes` is exhausted.
  MOCL3_STACK_EXHAUSTED = 3,
  /// The system has no memory left.
  MOCL3_NO_MEMORY = 4,
  /// LLVM reported a fatal error; `text` is its message.
  MOCL3_FATAL_ERROR = 5,
  /// The time limit is exceeded.
  MOCL3_TOO_LONG = 6,
  /// The memory limit is exceeded.
  MOCL3_TOO_LARGE = 7,
};

/// Limits of a guarded call; 0 is no limit.
struct Mocl3Limits {
  /// Wall-clock time.
  uint64_t nanoseconds;
  /// Growth of the process's resident memory during the call.
  uint64_t bytes;
};

/// The result of a guarded call.
struct Mocl3Run {
  enum Mocl3Ending ending;
  int number;
  size_t stack_bytes;
  char text[1024];
};

/// Runs `body` on a guarded thread of its own and waits for it. Unless `body` returns, the
/// data that it worked on is in an undefined state and must not be used again.
void mocl3_run_guarded(void (*body)(void *), void *data,
                       const struct Mocl3Limits *limits, struct Mocl3Run *run);

/// Whether this thread runs guarded.
bool mocl3_is_guarded(void);

/// Whether this thread runs guarded, with limits.
bool mocl3_is_limited(void);

/// Ends the guarded call on this thread (does not return) if a limit is exceeded or memory
/// is short; does nothing on other threads. To be called where no lock is held.
void mocl3_check(void);

/// To be called when an allocation on this thread has failed. Returns true if the caller may
/// retry it once, since reserved memory was released, and false if the thread is not guarded;
/// ends the guarded call (does not return) if the reserve is used up.
bool mocl3_out_of_memory(void);

/// A virtual file of one compilation.
struct Mocl3File {
  const char *name;
  const char *text;
  size_t size;
};

/// What a compilation read from the real file system or the clock.
enum Mocl3Observation {
  /// No file or directory has that path.
  MOCL3_NOTHING = 0,
  MOCL3_DIRECTORY = 1,
  /// The path is a file, which was not read.
  MOCL3_FILE = 2,
  /// The file was read and holds this text.
  MOCL3_TEXT = 3,
  /// A result that a later compilation cannot verify, such as the time. There is no path.
  MOCL3_UNREPEATABLE = 4,
};

/// Receives each observation, on the thread that compiles.
typedef void (*Mocl3Observer)(void *observer, Mocl3Observation observation,
                              const char *path, size_t path_size,
                              const char *text, size_t text_size);

/// Receives each piece of the log, on the compiling thread.
typedef void (*Mocl3LogWriter)(void *log, const char *text, size_t size);

/// What a compilation may read from the real file system, and the observer of these reads.
struct Mocl3Reading {
  /// Only files within `folders` may be read; else any regular file.
  bool only_folders;
  const char *const *folders;
  size_t folder_count;
  Mocl3Observer observe;
  void *observer;
};

/// Languages of the front end.
enum Mocl3Language {
  MOCL3_OPENCL_C = 0,
  /// C with `lvector` types, for hthreads.
  MOCL3_DEVICE_C = 1,
};

/// Compiles with clang -cc1 `arguments`. Null if the source or the options have errors; the
/// log lists them. To be called guarded.
LLVMModuleRef mocl3_compile(LLVMContextRef context, Mocl3Language language,
                            const char *const *arguments, size_t argument_count,
                            const Mocl3File *files, size_t file_count,
                            const Mocl3Reading *reading, Mocl3LogWriter write_log,
                            void *log);

/// Preprocesses with clang -cc1 `arguments`: writes the text to `text`, and what is wrong to
/// `log`; false if something is. To be called guarded.
bool mocl3_preprocess(const char *const *arguments, size_t argument_count,
                      const Mocl3File *files, size_t file_count,
                      const Mocl3Reading *reading, Mocl3LogWriter write, void *log,
                      void *text);

/// An address within the loaded clang library.
const void *mocl3_address_in_clang(void);

/// Adds to `destination` those definitions of a bitcode image that it lacks,
/// reading no other function bodies. False if the image cannot be read.
bool mocl3_link_needed(LLVMModuleRef destination, const char *bitcode,
                       size_t size);

/// A new module with function `name` of a bitcode image and everything that it uses; null
/// if the image does not define it.
LLVMModuleRef mocl3_extract_function(LLVMContextRef context,
                                     const char *bitcode, size_t size,
                                     const char *name);

/// Turns constant expressions over `global` that `function` uses into instructions. Expressions
/// that become unused stay allocated.
void mocl3_expand_constant_users(LLVMValueRef global, LLVMValueRef function);

/// Unlinks an instruction or a function from its parent, if it has one, replaces its uses by
/// poison, and drops its operands, also those of instructions in the function. It stays allocated.
void mocl3_bury(LLVMValueRef value);

/// Frees distinct buried values, except for instructions that were inserted again.
void mocl3_free_buried(const LLVMValueRef *values, size_t count);

/// Whether `builder` can insert instructions: at the end of a block of a module, or before the
/// instruction `before` if it is not null and still in the block.
bool mocl3_is_placed(LLVMBuilderRef builder, LLVMValueRef before);

/// The name of the function in the source that an instruction was made of, with its length; null
/// without line tables.
const char *mocl3_source_function(LLVMValueRef instruction, size_t *length);

/// A distinct metadata node without operands.
LLVMMetadataRef mocl3_distinct_node(LLVMContextRef context);

/// Whether a function has full debug information, as programs that are debugged have.
bool mocl3_is_debugged(LLVMValueRef function);

/// A variable that a function declares to debuggers.
struct Mocl3Variable {
  LLVMValueRef address;
  LLVMDbgRecordRef record;
};

/// Writes at most `capacity` variables that a function declares, and returns how many it has.
size_t mocl3_declared_variables(LLVMValueRef function, struct Mocl3Variable *variables,
                                size_t capacity);

/// Declares a variable again at the end of `block`: it is at `address`, or, if `is_indirect`, at
/// the address that is stored there.
void mocl3_declare_again(LLVMBasicBlockRef block, LLVMDbgRecordRef record, LLVMValueRef address,
                         bool is_indirect);

/// Declares a variable of local memory, whose address is stored in `slot`, before an instruction
/// of the kernel that it belongs to.
void mocl3_declare_local_memory(LLVMValueRef before, LLVMValueRef global, LLVMValueRef slot);

/// A field of eight bytes, or an array of such.
struct Mocl3Field {
  const char *name;
  uint64_t count;
  bool is_pointer;
};

/// Declares, at the end of `block`, the structure `mocl3` with these fields at `storage`.
void mocl3_declare_work_item(LLVMValueRef kernel, LLVMBasicBlockRef block, LLVMValueRef storage,
                             const struct Mocl3Field *fields, size_t field_count);

/// Makes the kernel's debug information that of the work-group function.
void mocl3_move_subprogram(LLVMValueRef kernel, LLVMValueRef function);

/// Gives the code of these blocks scopes of its own within those that it has. gdb has one breakpoint
/// for a line in each scope, and copies of code need one each.
void mocl3_separate_scopes(const LLVMBasicBlockRef *blocks, size_t count);

/// Prepares the module of a work-group function that is debugged for code generation.
void mocl3_complete_debug_info(LLVMValueRef work_group_function);

/// Runs a textual pass pipeline; on failure false, with a message to be freed. To be called
/// guarded. Once `process_ends` returns true, optional passes are skipped.
bool mocl3_run_passes(LLVMModuleRef module, const char *passes,
                      LLVMTargetMachineRef machine, bool (*process_ends)(void),
                      char **message_out);

/// Whether code for a target machine's CPU uses a feature, written as `+avx2`.
bool mocl3_has_feature(LLVMTargetMachineRef machine, const char *feature);

/// Emits an object file, or assembly, into a memory buffer; on failure false, with a message
/// to be freed. To be called guarded.
bool mocl3_emit(LLVMModuleRef module, LLVMTargetMachineRef machine, int assembly,
               LLVMMemoryBufferRef *file_out, char **message_out);

/// Has code generation write a line table of a work-group function that was made of a kernel with
/// lines.
void mocl3_attach_line_table(LLVMValueRef work_group_function);

/// Receives a place in the source: file, function (may be empty), the file's text (may be empty),
/// line and column.
typedef void (*Mocl3PlaceReader)(void *reader, const char *file, size_t file_size,
                                 const char *function, size_t function_size,
                                 const char *source, size_t source_size,
                                 uint32_t line, uint32_t column);

/// Passes the source place of the instruction at `offset` in the section of `function` to `read`, and
/// then those of the calls that are inlined there, at most `most` in all; false if the object file has
/// none. To be called guarded.
bool mocl3_source_places(const char *file, size_t size, const char *function, uint64_t offset,
                         uint32_t most, Mocl3PlaceReader read, void *reader);

/// Receives a row of a line table: offset in the section, file and line.
typedef void (*Mocl3RowReader)(void *reader, uint64_t offset, const char *file,
                               size_t file_size, uint32_t line);

/// Passes the rows of the line tables for the section of `function` to `read`; those without a
/// line are left out. To be called guarded.
void mocl3_line_rows(const char *file, size_t size, const char *function, Mocl3RowReader read,
                     void *reader);

/// Builds `instruction` with other operands, which are scalars or vectors of one length, and
/// with its flags; `type` is the result type of a cast. Null if it has no vector form.
LLVMValueRef mocl3_build_alike(LLVMBuilderRef builder, LLVMValueRef instruction,
                               const LLVMValueRef *operands, size_t count,
                               LLVMTypeRef type);

/// Whether a call is of an intrinsic that has a vector form.
bool mocl3_is_elementwise(LLVMValueRef call);

/// Whether an operand of such an intrinsic is scalar in the vector form as well.
bool mocl3_operand_stays_scalar(LLVMValueRef call, unsigned index);

/// Whether a call has no side effects, so that it may be executed speculatively or repeated.
bool mocl3_only_computes(LLVMValueRef call);

/// Drops flags and metadata that can make an instruction's result poison.
void mocl3_drop_promises(LLVMValueRef instruction);

/// Masked loads and stores. `alignment` is that of one element, in bytes.
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

/// Called with each report: the call in the kernel that has to be replaced, the use
/// (`undefined::Use`), and the object or marker that the value comes from, or null.
typedef void (*Mocl3UndefinedReport)(void *data, LLVMValueRef call, int use,
                                     LLVMValueRef origin);

/// Has a kernel compute which bits of its values are undefined, and report uses of them. For each
/// of its arguments: 0 has no shadow memory, 1 leads to a buffer, 2 into local memory. In device code the shadow of memory
/// that is no variable of the function is found by address.
void mocl3_check_uninitialised(LLVMValueRef kernel, const uint8_t *arguments,
                               size_t count, bool is_device,
                               Mocl3UndefinedReport report, void *data);

#ifdef __cplusplus
}
#endif
