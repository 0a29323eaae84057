// Operations on LLVM modules that LLVM's C interface lacks.

#include "device_c/alignment_checks.h"
#include "device_c/unroll_vectors.h"
#include "narrow_inductions.h"
#include "shim.h"

#include "llvm-c/Core.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/IRMover.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Target/CGPassBuilderOption.h"
#include "llvm/Target/TargetMachine.h"

#include <cstring>

namespace {

char *copy_text(const std::string &text) { return strdup(text.c_str()); }

// Instructions. Instruction selection and scheduling are quadratic in a block's length.
constexpr unsigned longest_block = 400;

// Splits long blocks. Code generation merges a block into its only predecessor unless its
// address is taken, hence the block addresses.
void cut_long_blocks(llvm::Function &function) {
  // Splitting a block moves all that follows, hence from the last place to the first.
  llvm::SmallVector<llvm::Instruction *> places;
  for (llvm::BasicBlock &block : function) {
    // Static allocas stay in the entry block: elsewhere they would move the stack pointer.
    auto first = block.getFirstNonPHIOrDbgOrAlloca();
    unsigned length = 0;
    for (llvm::Instruction &instruction : llvm::make_range(first, block.end()))
      if (length++ == longest_block && !instruction.isTerminator()) {
        places.push_back(&instruction);
        length = 1;
      }
  }
  for (llvm::Instruction *place : llvm::reverse(places))
    llvm::BlockAddress::get(place->getParent()->splitBasicBlock(place));
  // Tuning for some CPUs enables a second scheduler, which runs after blocks are merged.
  if (!places.empty())
    function.addFnAttr("tune-cpu", "generic");
}

// Blocks of a function above which two passes are skipped. They are quadratic in the length of
// a chain of comparisons: SimplifyCFG turns it into a switch one case at a time and copies all
// cases each time; InstCombine searches all comparisons for facts about a value. The limit in
// size_limits.rs is the same.
constexpr size_t most_blocks = 6000;

bool runs_pass(llvm::StringRef name, llvm::Any unit) {
  if (auto *function = llvm::any_cast<const llvm::Function *>(&unit))
    if ((*function)->hasOptNone())
      return false;
  if (name == "SimplifyCFGPass" || name == "InstCombinePass") {
    auto *function = llvm::any_cast<const llvm::Function *>(&unit);
    return !function || (*function)->size() <= most_blocks;
  }
  // Constraint elimination infers from an access to an array that the index is less than the
  // array's length. A loop that reads one element beyond the end would become endless.
  return name != "ConstraintEliminationPass";
}

std::unique_ptr<llvm::Module> lazy_module(llvm::LLVMContext &context,
                                          llvm::StringRef bitcode) {
  auto module = llvm::getLazyBitcodeModule(
      llvm::MemoryBufferRef(bitcode, "bitcode"), context);
  if (!module) {
    llvm::consumeError(module.takeError());
    return nullptr;
  }
  return std::move(*module);
}

} // namespace

extern "C" bool mocl3_link_needed(LLVMModuleRef destination,
                                  const char *bitcode, size_t size) {
  llvm::Module &module = *llvm::unwrap(destination);
  auto source =
      lazy_module(module.getContext(), llvm::StringRef(bitcode, size));
  return source &&
         !llvm::Linker::linkModules(module, std::move(source),
                                    llvm::Linker::Flags::LinkOnlyNeeded);
}

extern "C" LLVMModuleRef mocl3_extract_function(LLVMContextRef context,
                                                const char *bitcode,
                                                size_t size, const char *name) {
  auto source =
      lazy_module(*llvm::unwrap(context), llvm::StringRef(bitcode, size));
  if (!source)
    return nullptr;
  llvm::Function *function = source->getFunction(name);
  if (!function || function->isDeclaration())
    return nullptr;
  auto module =
      std::make_unique<llvm::Module>(name, *llvm::unwrap(context));
  module->setDataLayout(source->getDataLayout());
  module->setTargetTriple(source->getTargetTriple());
  llvm::IRMover mover(*module);
  llvm::Error error =
      mover.move(std::move(source), {function}, nullptr, /*IsPerformingImport=*/false);
  if (error) {
    llvm::consumeError(std::move(error));
    return nullptr;
  }
  return llvm::wrap(module.release());
}

extern "C" void mocl3_expand_constant_users(LLVMValueRef global,
                                            LLVMValueRef function) {
  llvm::convertUsersOfConstantsToInstructions(
      {llvm::cast<llvm::Constant>(llvm::unwrap(global))},
      llvm::cast<llvm::Function>(llvm::unwrap(function)),
      /*RemoveDeadConstants=*/false);
}

extern "C" const char *mocl3_source_function(LLVMValueRef instruction, size_t *length) {
  auto *location =
      llvm::cast<llvm::Instruction>(llvm::unwrap(instruction))->getDebugLoc().get();
  if (!location)
    return nullptr;
  llvm::StringRef name = location->getScope()->getSubprogram()->getName();
  *length = name.size();
  return name.data();
}

extern "C" LLVMMetadataRef mocl3_distinct_node(LLVMContextRef context) {
  return llvm::wrap(llvm::MDNode::getDistinct(*llvm::unwrap(context), {}));
}

extern "C" bool mocl3_run_passes(LLVMModuleRef module, const char *passes,
                                 LLVMTargetMachineRef machine,
                                 bool (*process_ends)(void),
                                 char **message_out) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = true;
  tuning.LoopInterleaving = true;
  llvm::PassInstrumentationCallbacks callbacks;
  callbacks.registerShouldRunOptionalPassCallback(runs_pass);
  callbacks.registerShouldRunOptionalPassCallback(
      [process_ends](llvm::StringRef, llvm::Any) { return !process_ends(); });
  callbacks.registerBeforeNonSkippedPassCallback(
      [](llvm::StringRef, llvm::Any) { mocl3_check(); });
  callbacks.registerBeforeAnalysisCallback(
      [](llvm::StringRef, llvm::Any) { mocl3_check(); });
  llvm::PassBuilder builder(reinterpret_cast<llvm::TargetMachine *>(machine),
                            tuning, std::nullopt, &callbacks);
  register_narrow_inductions(builder);
  register_unroll_vectors(builder);
  register_alignment_checks(builder);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager manager;
  if (auto error = builder.parsePassPipeline(manager, passes)) {
    *message_out = copy_text(llvm::toString(std::move(error)));
    return false;
  }
  manager.run(*llvm::unwrap(module), modules);
  return true;
}

extern "C" bool mocl3_has_feature(LLVMTargetMachineRef machine,
                                  const char *feature) {
  auto *target = reinterpret_cast<llvm::TargetMachine *>(machine);
  return target->getMCSubtargetInfo()->checkFeatures(feature);
}

extern "C" bool mocl3_emit(LLVMModuleRef module, LLVMTargetMachineRef machine,
                           int assembly, LLVMMemoryBufferRef *file_out,
                           char **message_out) {
  llvm::SmallVector<char, 0> file;
  llvm::raw_svector_ostream stream(file);
  for (llvm::Function &function : *llvm::unwrap(module))
    cut_long_blocks(function);
  mocl3_check();
  llvm::legacy::PassManager manager;
  auto *target = reinterpret_cast<llvm::TargetMachine *>(machine);
  auto type = assembly ? llvm::CodeGenFileType::AssemblyFile
                       : llvm::CodeGenFileType::ObjectFile;
  // Debuggers unwind frames by it; the code is the same.
  target->Options.ForceDwarfFrameSection = true;
  target->Options.EmitStackSizeSection = !assembly;
  if (target->addPassesToEmitFile(manager, stream, nullptr, type)) {
    *message_out = copy_text("the target cannot emit such files");
    return false;
  }
  manager.run(*llvm::unwrap(module));
  *file_out = LLVMCreateMemoryBufferWithMemoryRangeCopy(file.data(), file.size(),
                                                        "emitted");
  return true;
}
