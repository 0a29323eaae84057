#include "alignment_checks.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MustExecute.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include <map>
#include <tuple>

using namespace llvm;

namespace {

// The runtime's function.
constexpr StringRef raise_name = "__ht_misaligned";

// Bytes of the machine's words. It demands no more of any access.
constexpr uint64_t word = 8;

// Instructions that are followed from an address to its pointer.
constexpr unsigned most_steps = 16;

// Accesses that one branch tests. More of them would keep more addresses in registers.
constexpr size_t most_accesses = 4;

struct Access {
  Instruction *instruction;
  Value *address;
  // What is tested.
  Value *pointer;
  // Lanes that are accessed; none if all are.
  SmallVector<Value *, 2> masks;
};

// What one branch tests.
struct Check {
  // Before which instruction: the last of the accesses, or the end of the block before a loop
  // around them.
  Instruction *place;
  uint64_t alignment;
  SmallVector<Access, most_accesses> accesses;
};

// What an expression is at an access in the first iteration of the loops around it that a place
// before is not in.
class FirstIteration : public SCEVRewriteVisitor<FirstIteration> {
public:
  FirstIteration(ScalarEvolution &evolution, Instruction *access, Instruction *place)
      : SCEVRewriteVisitor(evolution), access(access), place(place) {}

  const SCEV *visitAddRecExpr(const SCEVAddRecExpr *steps) {
    if (steps->getLoop()->contains(place))
      return steps;
    // The last value of a loop before the access.
    is_known &= steps->getLoop()->contains(access);
    return visit(steps->getStart());
  }

  bool is_known = true;

private:
  Instruction *access;
  Instruction *place;
};

class Checks {
public:
  Checks(Function &function, FunctionAnalysisManager &analyses)
      : function(function), layout(function.getDataLayout()),
        tree(analyses.getResult<DominatorTreeAnalysis>(function)),
        loops(analyses.getResult<LoopAnalysis>(function)),
        evolution(analyses.getResult<ScalarEvolutionAnalysis>(function)),
        assumptions(analyses.getResult<AssumptionAnalysis>(function)) {}

  bool run() {
    // Blocks follow those that dominate them.
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function)) {
      close();
      for (Instruction &instruction : *block) {
        find(instruction);
        // A function may not return, or let other threads see what the thread has done.
        if (isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction))
          close();
      }
    }
    for (const Check &check : checks)
      insert(check);
    return !checks.empty();
  }

private:
  Function &function;
  const DataLayout &layout;
  DominatorTree &tree;
  LoopInfo &loops;
  ScalarEvolution &evolution;
  AssumptionCache &assumptions;
  std::vector<Check> checks;
  // Numbers of the checks of a pointer.
  DenseMap<Value *, SmallVector<size_t, 2>> checks_of;
  DenseMap<Loop *, std::unique_ptr<ICFLoopSafetyInfo>> safety_of;
  // Numbers of checks that accesses can be added to, by place, alignment and whether there are
  // masks. Null is the place of those in the block, which are where their last access is.
  std::map<std::tuple<Instruction *, uint64_t, bool>, size_t> open;

  void find(Instruction &instruction) {
    if (auto *copy = dyn_cast<MemTransferInst>(&instruction)) {
      if (!may_have_bytes(*copy))
        return;
      add(*copy, copy->getRawDest(), copy->getDestAlign().valueOrOne().value());
      add(*copy, copy->getRawSource(), copy->getSourceAlign().valueOrOne().value());
    } else if (auto *set = dyn_cast<MemSetInst>(&instruction)) {
      if (may_have_bytes(*set))
        add(*set, set->getRawDest(), set->getDestAlign().valueOrOne().value());
    } else if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) {
      find_masked(*call);
    } else if (Value *address = getLoadStorePointerOperand(&instruction)) {
      add_typed(instruction, address, getLoadStoreAlignment(&instruction).value(),
                getLoadStoreType(&instruction));
    } else if (auto *operation = dyn_cast<AtomicRMWInst>(&instruction)) {
      add_typed(*operation, operation->getPointerOperand(), operation->getAlign().value(),
                operation->getType());
    } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
      add_typed(*exchange, exchange->getPointerOperand(), exchange->getAlign().value(),
                exchange->getCompareOperand()->getType());
    }
  }

  // Constant sizes only: with others there may be nothing to access.
  static bool may_have_bytes(const MemIntrinsic &intrinsic) {
    auto *bytes = dyn_cast<ConstantInt>(intrinsic.getLength());
    return bytes && !bytes->isZero();
  }

  // What LLVM's vectoriser makes of accesses in branches.
  void find_masked(IntrinsicInst &call) {
    unsigned pointer, mask;
    Type *type = call.getType();
    switch (call.getIntrinsicID()) {
    case Intrinsic::masked_load:
    case Intrinsic::masked_gather:
      pointer = 0, mask = 1;
      break;
    case Intrinsic::masked_store:
    case Intrinsic::masked_scatter:
      pointer = 1, mask = 2;
      type = call.getArgOperand(0)->getType();
      break;
    default:
      return;
    }
    uint64_t alignment = std::min(call.getParamAlign(pointer).valueOrOne().value(),
                                  layout.getTypeStoreSize(type->getScalarType()).getFixedValue());
    add(call, call.getArgOperand(pointer), alignment, call.getArgOperand(mask));
  }

  // C may give variables a larger alignment than their size.
  void add_typed(Instruction &instruction, Value *address, uint64_t alignment, Type *type) {
    uint64_t bytes = layout.getTypeStoreSize(type).getKnownMinValue();
    add(instruction, address, std::min(alignment, bit_floor(bytes)));
  }

  void add(Instruction &instruction, Value *address, uint64_t alignment, Value *mask = nullptr) {
    alignment = std::min(alignment, word);
    if (alignment <= 1)
      return;
    Value *pointer = tested(address, alignment);
    if (!pointer->getType()->isPointerTy() ||
        getKnownAlignment(pointer, layout, &instruction, &assumptions, &tree).value() >= alignment)
      return;
    SmallVector<size_t, 2> &others = checks_of[pointer];
    for (size_t other : others)
      if (checks[other].alignment >= alignment && checks[other].accesses[0].masks.empty() &&
          tree.dominates(checks[other].place, &instruction))
        return;
    Instruction *place = mask ? &instruction : first(pointer, &instruction);
    size_t number = check_at(place, place == &instruction, alignment, mask);
    Check &check = checks[number];
    auto same = find_if(check.accesses,
                        [pointer](const Access &access) { return access.pointer == pointer; });
    if (same != check.accesses.end()) {
      same->masks.push_back(mask);
      return;
    }
    check.accesses.push_back({&instruction, address, pointer, {}});
    if (mask)
      check.accesses.back().masks.push_back(mask);
    others.push_back(number);
  }

  // No access is added to checks in the block.
  void close() {
    for (auto one = open.begin(); one != open.end();)
      one = std::get<0>(one->first) ? std::next(one) : open.erase(one);
  }

  // The number of a check that has room, whose place is moved to an access in the block.
  size_t check_at(Instruction *place, bool is_in_block, uint64_t alignment, bool has_mask) {
    auto key = std::make_tuple(is_in_block ? nullptr : place, alignment, has_mask);
    auto found = open.find(key);
    if (found == open.end() || checks[found->second].accesses.size() == most_accesses) {
      checks.push_back({place, alignment, {}});
      open[key] = checks.size() - 1;
      return checks.size() - 1;
    }
    checks[found->second].place = place;
    return found->second;
  }

  // The pointer that an address differs from by multiples of the alignment.
  Value *tested(Value *address, uint64_t alignment) {
    for (unsigned step = 0; step < most_steps; step++) {
      Value *before = nullptr;
      if (auto *element = dyn_cast<GEPOperator>(address))
        before = base(*element, alignment);
      else if (auto *phi = dyn_cast<PHINode>(address))
        before = start(*phi, alignment);
      if (!before)
        break;
      address = before;
    }
    return address;
  }

  Value *base(GEPOperator &element, uint64_t alignment) {
    SmallMapVector<Value *, APInt, 4> scales;
    unsigned bits = layout.getIndexTypeSizeInBits(element.getType());
    APInt offset(bits, 0);
    if (!element.collectOffset(layout, bits, scales, offset) || offset.urem(alignment))
      return nullptr;
    for (auto &[index, scale] : scales) {
      // Of a vector of indices, what all have.
      unsigned zeros = index->getType()->isVectorTy()
                           ? computeKnownBits(index, layout).countMinTrailingZeros()
                           : evolution.getMinTrailingZeros(evolution.getSCEV(index));
      if ((scale << std::min(zeros, 3u)).urem(alignment))
        return nullptr;
    }
    Value *pointer = element.getPointerOperand();
    Value *splat = pointer->getType()->isVectorTy() ? getSplatValue(pointer) : nullptr;
    return splat ? splat : pointer;
  }

  // Of a pointer that steps through memory in a loop, what it is at first.
  Value *start(PHINode &phi, uint64_t alignment) {
    if (!phi.getType()->isPointerTy())
      return nullptr;
    auto *steps = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&phi));
    if (!steps || steps->getLoop()->getHeader() != phi.getParent() ||
        evolution.getConstantMultiple(steps->getStepRecurrence(evolution)).urem(alignment))
      return nullptr;
    BasicBlock *before = steps->getLoop()->getLoopPredecessor();
    return before ? phi.getIncomingValueForBlock(before) : nullptr;
  }

  // The first place where the access is sure to be made once it is reached.
  Instruction *first(Value *pointer, Instruction *place) {
    // Who steps through code without optimisation finds its statements in order.
    if (function.hasOptNone())
      return place;
    while (Loop *loop = loops.getLoopFor(place->getParent())) {
      BasicBlock *before = loop->getLoopPreheader();
      if (!before || !loop->isLoopInvariant(pointer) ||
          !safety(loop).isGuaranteedToExecute(*place, &tree, loop))
        break;
      place = before->getTerminator();
    }
    return place;
  }

  ICFLoopSafetyInfo &safety(Loop *loop) {
    auto &found = safety_of[loop];
    if (!found) {
      found = std::make_unique<ICFLoopSafetyInfo>();
      found->computeLoopSafetyInfo(loop);
    }
    return *found;
  }

  void insert(const Check &check) {
    DomTreeUpdater updater(tree, DomTreeUpdater::UpdateStrategy::Eager);
    MDNode *unlikely = MDBuilder(function.getContext()).createUnlikelyBranchWeights();
    // The branches are of the access's line: a debugger would stop at that of the place.
    const DebugLoc &line = check.accesses[0].instruction->getDebugLoc();
    auto branch = [&](Value *condition, Instruction *place, bool is_last) {
      Instruction *end = SplitBlockAndInsertIfThen(condition, place, /*Unreachable=*/is_last,
                                                   unlikely, &updater, &loops);
      end->getParent()->getSinglePredecessor()->getTerminator()->setDebugLoc(line);
      end->setDebugLoc(line);
      return end;
    };
    bool has_masks = !check.accesses[0].masks.empty();
    IRBuilder<> builder(check.place);
    builder.SetCurrentDebugLocation(line);
    Value *all = nullptr;
    for (const Access &access : check.accesses) {
      Value *address = builder.CreatePtrToInt(access.pointer, builder.getInt64Ty());
      all = all ? builder.CreateOr(all, address) : address;
    }
    Instruction *end = branch(is_odd(builder, all, check.alignment), check.place, !has_masks);
    for (const Access &access : check.accesses) {
      Instruction *place = end;
      if (has_masks || &access != &check.accesses.back()) {
        builder.SetInsertPoint(end);
        Value *address = builder.CreatePtrToInt(access.pointer, builder.getInt64Ty());
        Value *is_misaligned = is_odd(builder, address, check.alignment);
        Value *any = nullptr;
        for (Value *mask : access.masks) {
          Value *one = builder.CreateOrReduce(mask);
          any = any ? builder.CreateOr(any, one) : one;
        }
        place = branch(any ? builder.CreateAnd(is_misaligned, any) : is_misaligned, end, true);
      }
      builder.SetInsertPoint(place);
      builder.SetCurrentDebugLocation(access.instruction->getDebugLoc());
      builder.CreateCall(raise(), {address(check, access, place)})->setDoesNotReturn();
    }
  }

  static Value *is_odd(IRBuilder<> &builder, Value *address, uint64_t alignment) {
    Value *low = builder.CreateAnd(address, builder.getInt64(alignment - 1));
    return builder.CreateICmpNE(low, builder.getInt64(0));
  }

  // The address that the access has at first.
  Value *address(const Check &check, const Access &access, Instruction *place) {
    // Of several addresses, one.
    if (access.address->getType()->isVectorTy())
      return access.pointer;
    if (access.instruction == check.place || tree.dominates(access.instruction, check.place)) {
      auto *element = dyn_cast<GetElementPtrInst>(access.address);
      if (!element)
        return access.address;
      // Code for the access itself needs no register for a copy.
      Instruction *copy = element->clone();
      copy->insertBefore(place->getIterator());
      return copy;
    }
    FirstIteration first(evolution, access.instruction, check.place);
    const SCEV *address = first.visit(evolution.getSCEV(access.address));
    SCEVExpander expander(evolution, "misaligned");
    if (!first.is_known || !expander.isSafeToExpandAt(address, place))
      return access.pointer;
    return expander.expandCodeFor(address, access.pointer->getType(), place);
  }

  FunctionCallee raise() {
    LLVMContext &context = function.getContext();
    auto *type = FunctionType::get(Type::getVoidTy(context), {PointerType::get(context, 0)},
                                   /*isVarArg=*/false);
    FunctionCallee callee = function.getParent()->getOrInsertFunction(raise_name, type);
    auto *declared = cast<Function>(callee.getCallee());
    declared->addFnAttr(Attribute::Cold);
    declared->addFnAttr(Attribute::NoReturn);
    return callee;
  }
};

} // namespace

PreservedAnalyses AlignmentChecks::run(Function &function, FunctionAnalysisManager &analyses) {
  return Checks(function, analyses).run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

void register_alignment_checks(PassBuilder &builder) {
  builder.registerPipelineParsingCallback(
      [](StringRef name, FunctionPassManager &manager, ArrayRef<PassBuilder::PipelineElement>) {
        if (name != "alignment-checks")
          return false;
        manager.addPass(AlignmentChecks());
        return true;
      });
}
