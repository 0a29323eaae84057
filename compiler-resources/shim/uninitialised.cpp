// Definedness of values, with LLVM's MemorySanitizer: it computes which bits of each value are
// undefined, its shadow. Here its shadow addresses become those of shadow objects, one for each
// object of the kernel, and its warnings become reports.

#include "device_c/shadow_memory.h"
#include "shim.h"
#include "undefined_origins.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Instrumentation/MemorySanitizer.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

#include <limits>
#include <mutex>

namespace {

using namespace llvm;
using namespace undefined;

constexpr StringLiteral held = "mocl3.held.";
constexpr StringLiteral used = "mocl3.used.";
constexpr StringLiteral finding = "__mocl3_memory_finding";
constexpr StringLiteral device_finding = "__ht_check_access";
constexpr StringLiteral image_finding = "__mocl3_image_finding";
constexpr StringLiteral transfer = "__mocl3_dma_transfer";
constexpr StringLiteral shadow_transfer = "__mocl3_shadow_transfer";

bool calls(const Instruction &instruction, StringRef prefix) {
  auto *call = dyn_cast<CallBase>(&instruction);
  Function *function = call ? call->getCalledFunction() : nullptr;
  return function && function->getName().starts_with(prefix);
}

// Very large kernels have calls in place of branches otherwise.
void set_options() {
  static std::once_flag once;
  std::call_once(once, [] {
    auto &options = cl::getRegisteredOptions();
    auto found = options.find("msan-instrumentation-with-call-threshold");
    if (found != options.end())
      static_cast<cl::opt<int> *>(found->second)
          ->setValue(std::numeric_limits<int>::max());
  });
}

class Sanitizer {
  Module &module;
  Function &kernel;
  ArrayRef<uint8_t> arguments;
  Origins origins;
  DenseMap<Function *, AttributeList> attributes;
  SmallVector<std::pair<WeakVH, AttributeList>> call_attributes;
  // The conditions of checks of addresses before a bounds check, by the branch of that.
  DenseMap<Instruction *, Value *> guarded;
  // Of device code: where the values of marked uses are stored.
  const bool is_device;
  ShadowMemory memory;
  DenseMap<CallInst *, Value *> destinations;

public:
  SmallVector<Report> reports;

  Sanitizer(Function &kernel, ArrayRef<uint8_t> arguments, bool is_device)
      : module(*kernel.getParent()), kernel(kernel), arguments(arguments),
        origins(kernel, arguments), is_device(is_device), memory(kernel) {}

  void run() {
    prepare();
    sanitize();
    rewrite();
  }

private:
  void prepare() {
    // MemorySanitizer removes them itself.
    removeUnreachableBlocks(kernel);
    memory.note_scope();
    SmallVector<Instruction *> instructions;
    for (Instruction &instruction : llvm::instructions(kernel))
      instructions.push_back(&instruction);
    for (Instruction *instruction : instructions) {
      for (Use &operand : instruction->operands())
        define_elements(operand);
      if (auto *shuffle = dyn_cast<ShuffleVectorInst>(instruction))
        define_mask(*shuffle);
      else if (auto *memory = dyn_cast<MemIntrinsic>(instruction))
        hold(*memory);
      else
        mark_uses(*instruction);
    }
    for (Instruction &instruction : llvm::instructions(kernel))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        call_attributes.push_back({call, call->getAttributes()});
    for (Function &function : module) {
      attributes[&function] = function.getAttributes();
      if (&function == &kernel)
        function.addFnAttr(Attribute::SanitizeMemory);
      else if (!function.isDeclaration())
        function.addFnAttr(Attribute::DisableSanitizerInstrumentation);
    }
    origins.note_program();
    for (Instruction &instruction : llvm::instructions(kernel))
      if (calls(instruction, used))
        if (auto *store = dyn_cast_or_null<StoreInst>(instruction.getNextNode()))
          destinations[cast<CallInst>(&instruction)] = store->getPointerOperand();
  }

  // The fourth component of a vector of three is not written by the program: it is as defined as
  // another one.
  void define_mask(ShuffleVectorInst &shuffle) {
    SmallVector<int> mask(shuffle.getShuffleMask());
    int count = cast<FixedVectorType>(shuffle.getOperand(0)->getType())->getNumElements();
    for (int &of : mask)
      if (of >= 0 && isa<UndefValue>(shuffle.getOperand(of / count)))
        of = -1;
    auto known = find_if(mask, [](int element) { return element >= 0; });
    int element = known == mask.end() ? 0 : *known;
    for (int &of : mask)
      if (of < 0)
        of = element;
    shuffle.setShuffleMask(mask);
  }

  // The same of constants.
  void define_elements(Use &operand) {
    auto *vector = dyn_cast<ConstantVector>(operand);
    if (!vector || !vector->containsUndefOrPoisonElement())
      return;
    SmallVector<Constant *> elements;
    for (Use &element : vector->operands()) {
      auto *value = cast<Constant>(element);
      elements.push_back(isa<UndefValue>(value)
                             ? Constant::getNullValue(value->getType())
                             : value);
    }
    operand.set(ConstantVector::get(elements));
  }

  // MemorySanitizer calls its library instead.
  void hold(MemIntrinsic &memory) {
    Function *function = memory.getCalledFunction();
    memory.setCalledFunction(module.getOrInsertFunction(
        (held + function->getName()).str(), function->getFunctionType()));
  }

  // Values that reach global memory, atomic operations, and printf.
  void mark_uses(Instruction &instruction) {
    IRBuilder<> builder(&instruction);
    if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      if (store->getPointerAddressSpace() == global_space ||
          origins.is_printed(store->getPointerOperand()))
        mark_use(builder, store->getValueOperand());
    } else if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction)) {
      mark_use(builder, atomic->getValOperand());
      if (atomic->getOperation() != AtomicRMWInst::Xchg)
        mark_use(builder, builder.CreateLoad(atomic->getType(),
                                             atomic->getPointerOperand()));
    } else if (auto *atomic = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
      mark_use(builder, atomic->getNewValOperand());
      mark_use(builder, builder.CreateLoad(atomic->getNewValOperand()->getType(),
                                           atomic->getPointerOperand()));
    }
  }

  void mark_use(IRBuilder<> &builder, Value *value) {
    Type *type = value->getType();
    if (!type->isFirstClassType() || type->isAggregateType() ||
        isa<ConstantData>(value))
      return;
    std::string name = used.str();
    raw_string_ostream(name) << *type;
    FunctionType *takes = FunctionType::get(builder.getVoidTy(), {type}, false);
    builder.CreateCall(module.getOrInsertFunction(name, takes), {value});
  }

  void sanitize() {
    set_options();
    PassBuilder builder;
    LoopAnalysisManager loops;
    FunctionAnalysisManager functions;
    CGSCCAnalysisManager components;
    ModuleAnalysisManager modules;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
    MemorySanitizerPass({/*TrackOrigins=*/0, /*Recover=*/true, /*Kernel=*/false,
                         /*EagerChecks=*/false})
        .run(module, modules);
    forget_run();
    for (auto &[function, list] : attributes)
      function->setAttributes(function->isDeclaration() ? list : with_shadows(list));
    for (auto &[call, list] : call_attributes)
      if (call) {
        auto *base = cast<CallBase>(call);
        Function *called = base->getCalledFunction();
        base->setAttributes(called && called->isDeclaration() ? list : with_shadows(list));
      }
  }

  // Functions of device code access shadows, too.
  AttributeList with_shadows(AttributeList list) {
    return is_device ? list.removeFnAttribute(module.getContext(), Attribute::Memory) : list;
  }

  // A module is only instrumented once, and other functions of it may follow.
  void forget_run() {
    NamedMDNode *flags = module.getModuleFlagsMetadata();
    if (!flags)
      return;
    SmallVector<MDNode *> others;
    for (MDNode *flag : flags->operands())
      if (auto *name = dyn_cast<MDString>(flag->getOperand(1));
          !name || name->getString() != "nosanitize_memory")
        others.push_back(flag);
    flags->clearOperands();
    for (MDNode *flag : others)
      flags->addOperand(flag);
  }

  void rewrite() {
    SmallVector<Constant *> constants;
    for (GlobalVariable &global : module.globals())
      constants.push_back(&global);
    convertUsersOfConstantsToInstructions(constants, &kernel);
    take_uses();
    take_warnings();
    find_origins();
    drop_parameters();
    rewrite_shadows();
    restore_held();
    transfer_shadows();
    fold();
    drop_runtime();
  }

  Instruction *report(IRBuilder<> &builder, UseKind use, Value *shadow,
                      const DebugLoc &place) {
    Type *address = builder.getPtrTy();
    FunctionType *type = FunctionType::get(builder.getVoidTy(), {address, address}, false);
    Value *none = Constant::getNullValue(address);
    CallInst *call = builder.CreateCall(
        module.getOrInsertFunction("mocl3.undefined_value", type), {none, none});
    call->setDebugLoc(place);
    reports.push_back({call, use, shadow, nullptr});
    return call;
  }

  // The shadow of the argument was stored just before the call.
  void take_uses() {
    SmallVector<CallInst *> marked;
    for (Instruction &instruction : llvm::instructions(kernel))
      if (calls(instruction, used))
        marked.push_back(cast<CallInst>(&instruction));
    for (CallInst *call : marked) {
      Value *shadow = nullptr;
      if (auto *store = dyn_cast_or_null<StoreInst>(call->getPrevNode()))
        if (tls_of(store->getPointerOperand()))
          shadow = store->getValueOperand();
      if (shadow && !isa<Constant>(shadow)) {
        IRBuilder<> builder(call);
        unsigned bits = module.getDataLayout().getTypeSizeInBits(shadow->getType());
        Value *whole = builder.CreateBitCast(shadow, builder.getIntNTy(bits));
        Value *is_undefined = builder.CreateIsNotNull(whole);
        Instruction *end =
            SplitBlockAndInsertIfThen(is_undefined, call, /*Unreachable=*/false);
        IRBuilder<> inner(end);
        Instruction *made = report(inner, UseKind::Stored, shadow, call->getDebugLoc());
        // Buffers that keep undefined values may get those of other buffers.
        auto loads = origins.loads(shadow);
        if (loads && loads->empty())
          memory.report(shadow);
        else if (Value *to = destinations.lookup(call))
          cast<CallInst>(made)->setArgOperand(1, to);
      }
      if (auto *constant = dyn_cast_or_null<Constant>(shadow); constant && !constant->isNullValue()) {
        IRBuilder<> builder(call);
        report(builder, UseKind::Stored, shadow, call->getDebugLoc());
      }
      origins.forget(*call);
      call->eraseFromParent();
    }
  }

  void take_warnings() {
    SmallVector<CallInst *> warnings;
    for (Instruction &instruction : llvm::instructions(kernel))
      if (calls(instruction, "__msan_warning"))
        warnings.push_back(cast<CallInst>(&instruction));
    for (CallInst *warning : warnings) {
      Instruction *user = user_of(*warning);
      // The access to the image uses the same coordinates.
      if (leads_to(*user, image_finding))
        continue;
      UseKind use = use_by(*user);
      Value *condition = condition_of(*warning);
      if (use == UseKind::Argument && may_be_padding(*user, condition))
        continue;
      if (use == UseKind::Address && user->isTerminator())
        guarded[user] = condition;
      IRBuilder<> builder(warning);
      report(builder, use, condition, user->getDebugLoc());
    }
    for (CallInst *warning : warnings) {
      Instruction *user = user_of(*warning);
      if (is_conditional(*warning) && use_by(*user) == UseKind::Address &&
          !user->isTerminator())
        report_once(*warning);
      warning->eraseFromParent();
    }
  }

  // Whether it is an operation on vectors of buffers in device code, of which lanes may be padding.
  bool may_be_padding(Instruction &user, Value *condition) {
    if (!is_device || isa<ExtractElementInst, InsertElementInst>(user) ||
        none_of(user.operands(), [](const Use &one) { return one->getType()->isVectorTy(); }))
      return false;
    auto loads = origins.loads(condition);
    return !loads || !loads->empty();
  }

  // A warning of a value that is always undefined is under no branch of its own.
  static bool is_conditional(CallInst &warning) {
    Instruction *next = warning.getNextNode();
    while (next && !next->isTerminator() && calls(*next, "mocl3.undefined_value"))
      next = next->getNextNode();
    BasicBlock *before = warning.getParent()->getSinglePredecessor();
    auto *branch = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
    return branch && branch->isConditional() && isa_and_nonnull<BranchInst>(next) &&
           next->getNumSuccessors() == 1;
  }

  Value *condition_of(CallInst &warning) {
    if (!is_conditional(warning))
      return ConstantInt::getTrue(module.getContext());
    BasicBlock *before = warning.getParent()->getSinglePredecessor();
    return cast<BranchInst>(before->getTerminator())->getCondition();
  }

  // The instruction of the program before which a check is made.
  Instruction *user_of(CallInst &warning) {
    if (is_conditional(warning))
      return user_after(warning.getParent());
    for (Instruction *next = warning.getNextNode(); next; next = next->getNextNode())
      if (origins.is_of_program(*next))
        return next;
    return user_after(warning.getParent());
  }

  // The bounds check of an access has reported its address already.
  void report_once(CallInst &warning) {
    BasicBlock *block = warning.getParent()->getSinglePredecessor();
    auto *branch = cast<BranchInst>(block->getTerminator());
    while ((block = block->getSinglePredecessor())) {
      auto found = guarded.find(block->getTerminator());
      if (found == guarded.end())
        continue;
      IRBuilder<> builder(branch);
      Value *is_known = builder.CreateNot(found->second);
      branch->setCondition(builder.CreateAnd(branch->getCondition(), is_known));
      return;
    }
  }

  Instruction *user_after(BasicBlock *block) {
    for (;;) {
      Instruction *end = block->getTerminator();
      block = end->getSuccessor(end->getNumSuccessors() - 1);
      for (Instruction &instruction : *block)
        if (origins.is_of_program(instruction) && !isa<PHINode>(instruction))
          return &instruction;
    }
  }

  static UseKind use_by(Instruction &user) {
    if (isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(user))
      return UseKind::Address;
    if (!user.isTerminator())
      return UseKind::Argument;
    return leads_to(user, finding) || leads_to(user, device_finding) ? UseKind::Address : UseKind::Branch;
  }

  // Whether an instruction is a branch to a block that reports a finding.
  static bool leads_to(Instruction &branch, StringRef name) {
    if (!branch.isTerminator())
      return false;
    for (BasicBlock *next : successors(branch.getParent()))
      for (Instruction &instruction : *next)
        if (calls(instruction, name))
          return true;
    return false;
  }

  void find_origins() {
    DominatorTree tree(kernel);
    for (Report &report : reports) {
      report.origin = origins.of(report.shadow);
      if (is_device)
        find_address(tree, report);
    }
  }

  void find_address(DominatorTree &tree, Report &report) {
    auto loads = origins.loads(report.shadow);
    if (!loads || loads->empty())
      return;
    DenseSet<Value *> objects;
    for (const ShadowLoad &one : *loads)
      for (Value *root : origins.roots(one.pointer))
        objects.insert(root);
    Value *root = objects.size() == 1 ? *objects.begin() : nullptr;
    Value *address = memory.origin(tree, *report.call, *loads, root);
    report.call->setArgOperand(0, address);
    // A value of a variable, unless the memory at the address can be undefined.
    if (address != root)
      report.origin = nullptr;
  }

  // Arguments of kernels are defined, and results of functions. What is used before it has a value
  // is not.
  void drop_parameters() {
    SmallVector<Instruction *> instructions;
    for (Instruction &instruction : llvm::instructions(kernel))
      instructions.push_back(&instruction);
    for (Instruction *instruction : instructions) {
      if (auto *load = dyn_cast<LoadInst>(instruction)) {
        if (!tls_of(load->getPointerOperand()))
          continue;
        Type *type = load->getType();
        load->replaceAllUsesWith(is_marker(load->getPrevNode())
                                     ? Constant::getAllOnesValue(type)
                                     : Constant::getNullValue(type));
        load->eraseFromParent();
      } else if (auto *store = dyn_cast<StoreInst>(instruction)) {
        if (tls_of(store->getPointerOperand()))
          store->eraseFromParent();
      } else if (auto *copy = dyn_cast<MemTransferInst>(instruction)) {
        if (tls_of(copy->getArgOperand(1)))
          copy->eraseFromParent();
      }
    }
  }

  void rewrite_shadows() {
    SmallVector<IntToPtrInst *> addresses;
    for (Instruction &instruction : llvm::instructions(kernel))
      if (auto *address = dyn_cast<IntToPtrInst>(&instruction))
        if (shadowed_address(address))
          addresses.push_back(address);
    for (IntToPtrInst *address : addresses) {
      Value *pointer = shadowed_address(address);
      Value *shadow = origins.shadow(pointer);
      for (User *user : make_early_inc_range(address->users()))
        rewrite_access(*cast<Instruction>(user), pointer, shadow);
    }
  }

  // Whether a pointer leads into memory whose shadow is found by address.
  bool is_by_address(Value *pointer) {
    return is_device && ShadowMemory::covers(origins.roots(pointer));
  }

  void rewrite_access(Instruction &access, Value *pointer, Value *shadow) {
    if (!shadow && !isa<MemIntrinsic>(access) && is_by_address(pointer)) {
      memory.rewrite(access, pointer);
      return;
    }
    if (auto *load = dyn_cast<LoadInst>(&access)) {
      if (!shadow) {
        load->replaceAllUsesWith(Constant::getNullValue(load->getType()));
        load->eraseFromParent();
        return;
      }
      load->setOperand(LoadInst::getPointerOperandIndex(), shadow);
    } else if (auto *store = dyn_cast<StoreInst>(&access)) {
      Value *value = store->getValueOperand();
      if (!shadow) {
        IRBuilder<> builder(store);
        uint64_t bytes = module.getDataLayout().getTypeStoreSize(value->getType());
        origins.mark_defined(builder, pointer, builder.getInt64(bytes));
        store->eraseFromParent();
        return;
      }
      // A value that was reported is defined from then on.
      if (pointer->getType()->getPointerAddressSpace() == global_space)
        store->setOperand(0, Constant::getNullValue(value->getType()));
      store->setOperand(StoreInst::getPointerOperandIndex(), shadow);
    } else if (auto *memory = dyn_cast<MemIntrinsic>(&access)) {
      if (!shadow)
        memory->eraseFromParent();
      else
        memory->setArgOperand(0, shadow);
    }
  }

  void restore_held() {
    SmallVector<CallInst *> calls_;
    for (Instruction &instruction : llvm::instructions(kernel))
      if (calls(instruction, held))
        calls_.push_back(cast<CallInst>(&instruction));
    for (CallInst *call : calls_) {
      StringRef name = call->getCalledFunction()->getName().drop_front(held.size());
      Function *original = module.getFunction(name);
      call->setCalledFunction(original);
      auto *held = cast<MemIntrinsic>(call);
      IRBuilder<> builder(call);
      Value *bytes = held->getLength();
      Value *to = origins.shadow(held->getRawDest());
      auto *transfer = dyn_cast<MemTransferInst>(held);
      Value *from = transfer ? origins.shadow(transfer->getRawSource()) : nullptr;
      if (transfer && !from && is_by_address(transfer->getRawSource()))
        from = memory.address(builder, transfer->getRawSource());
      if (!to && is_by_address(held->getRawDest()))
        memory.move(builder, held->getRawDest(), from, bytes);
      else if (!to)
        origins.mark_defined(builder, held->getRawDest(),
                             builder.CreateZExtOrTrunc(bytes, builder.getInt64Ty()));
      else if (from)
        builder.CreateMemMove(to, held->getDestAlign(), from,
                              transfer->getSourceAlign(), bytes);
      else
        builder.CreateMemSet(to, builder.getInt8(0), bytes, held->getDestAlign());
    }
  }

  // A transfer of definedness for each one of data; without a source it is of defined data.
  void transfer_shadows() {
    SmallVector<CallInst *> transfers;
    for (Instruction &instruction : llvm::instructions(kernel))
      if (calls(instruction, transfer))
        transfers.push_back(cast<CallInst>(&instruction));
    for (CallInst *call : transfers) {
      IRBuilder<> builder(call);
      SmallVector<Value *> operands(call->args());
      Value *to = origins.shadow(operands[0]);
      Value *from = origins.shadow(operands[2]);
      if (!to)
        continue;
      operands[0] = to;
      operands[2] = from ? from : Constant::getNullValue(operands[2]->getType());
      FunctionCallee callee = module.getOrInsertFunction(
          shadow_transfer, call->getFunctionType(), call->getCalledFunction()->getAttributes());
      builder.CreateCall(callee, operands);
    }
  }

  // Without a position, since that leads to conditions of branches.
  static Value *simplified(Instruction &instruction, const DataLayout &layout) {
    if (auto *phi = dyn_cast<PHINode>(&instruction))
      return phi->hasConstantValue();
    if (auto *select = dyn_cast<SelectInst>(&instruction))
      if (select->getTrueValue() == select->getFalseValue())
        return select->getTrueValue();
    if (auto *binary = dyn_cast<BinaryOperator>(&instruction))
      return simplifyBinOp(binary->getOpcode(), binary->getOperand(0),
                           binary->getOperand(1), layout);
    return ConstantFoldInstruction(&instruction, layout);
  }

  // Removes checks of what is defined.
  void fold() {
    const DataLayout &layout = module.getDataLayout();
    for (bool changes = true; changes;) {
      changes = false;
      for (Instruction &instruction :
           make_early_inc_range(llvm::instructions(kernel))) {
        if (origins.is_of_program(instruction) || instruction.use_empty())
          continue;
        if (Value *value = simplified(instruction, layout)) {
          instruction.replaceAllUsesWith(value);
          changes = true;
        }
      }
    }
    erase_if(reports, [](const Report &report) {
      BasicBlock *block = report.call->getParent();
      BasicBlock *before = block->getSinglePredecessor();
      // What is always undefined is reported in a block of the program.
      if (!before || &block->front() != report.call)
        return false;
      auto *check = dyn_cast<BranchInst>(before->getTerminator());
      auto *is_undefined = check ? dyn_cast<ConstantInt>(check->getCondition()) : nullptr;
      if (!is_undefined || !is_undefined->isZero())
        return false;
      ConstantFoldTerminator(check->getParent(), /*DeleteDeadConditions=*/false);
      DeleteDeadBlock(block);
      return true;
    });
  }

  void drop_runtime() {
    for (Instruction &instruction :
         make_early_inc_range(llvm::instructions(kernel)))
      if (calls(instruction, "llvm.donothing"))
        instruction.eraseFromParent();
      else if (is_marker(&instruction))
        // The report still has its name.
        instruction.replaceAllUsesWith(Constant::getNullValue(instruction.getType()));
    for (StringRef name : {"llvm.used", "llvm.global_ctors"})
      if (GlobalVariable *variable = module.getGlobalVariable(name))
        variable->eraseFromParent();
    if (Function *constructor = module.getFunction("msan.module_ctor"))
      constructor->eraseFromParent();
    for (Function &function : make_early_inc_range(module))
      if (function.use_empty() && function.isDeclaration() &&
          (function.getName().starts_with("__msan_") ||
           function.getName().starts_with("mocl3.")))
        function.eraseFromParent();
    for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
      variable.removeDeadConstantUsers();
      if (variable.use_empty() && variable.getName().starts_with("__msan_"))
        variable.eraseFromParent();
    }
  }
};

} // namespace

extern "C" void mocl3_check_uninitialised(LLVMValueRef kernel,
                                          const uint8_t *arguments, size_t count,
                                          bool is_device,
                                          Mocl3UndefinedReport report,
                                          void *data) {
  auto *function = llvm::cast<llvm::Function>(llvm::unwrap(kernel));
  Sanitizer pass(*function, {arguments, count}, is_device);
  pass.run();
  for (const undefined::Report &found : pass.reports)
    report(data, llvm::wrap(found.call), static_cast<int>(found.use),
           llvm::wrap(found.origin));
}
