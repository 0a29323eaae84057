#include "shadow_memory.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace undefined {

namespace {

// The bits of an address that tell its shadow: `check/shadow.rs` of device threads.
constexpr uint64_t window = (uint64_t(1) << 44) - 1;
// Functions of the platform.
constexpr StringLiteral shadow_start = "__ht_check_shadow";
constexpr StringLiteral keeps_undefined = "__ht_check_keeps";
constexpr StringLiteral move_shadow = "__ht_check_move";
// What the code of checks and of lane masks calls.
constexpr StringLiteral check = "__ht_check_";
constexpr StringLiteral lane_mask = "__ht_lane_mask";
// Branches that a value is followed behind, to find where it comes from.
constexpr int most_steps = 8;
// The scope of the thread's state (`checks/pass.rs`).
constexpr StringLiteral state_scope = "mocl3.check";

bool is_of_platform(const Value *root) {
  auto *call = dyn_cast<CallInst>(root);
  const Function *called = call ? call->getCalledFunction() : nullptr;
  return called && (called->getName().starts_with(check) || called->getName() == lane_mask);
}

bool is_scope_of_state(const MDNode *list) {
  for (const MDOperand &operand : list->operands())
    if (auto *node = dyn_cast<MDNode>(operand); node && node->getNumOperands() > 0)
      if (auto *name = dyn_cast<MDString>(node->getOperand(0)); name && name->getString() == state_scope)
        return true;
  return false;
}

// A loaded shadow where it is known. Accesses are under branches, behind which a value is defined if it was not loaded.
Instruction *known_at(DominatorTree &tree, Instruction &at, Instruction *shadow) {
  for (int steps = 0; shadow && !tree.dominates(shadow, &at); ++steps) {
    if (steps == most_steps)
      return nullptr;
    PHINode *behind = nullptr;
    for (User *user : shadow->users()) {
      auto *phi = dyn_cast<PHINode>(user);
      auto is_expected = [shadow](const Use &value) {
        auto *constant = dyn_cast<Constant>(value);
        return value == shadow || (constant && constant->isNullValue());
      };
      if (phi && all_of(phi->incoming_values(), is_expected))
        behind = phi;
    }
    shadow = behind;
  }
  return shadow;
}

} // namespace

void ShadowMemory::note_scope() {
  for (Instruction &instruction : instructions(function))
    if (MDNode *list = instruction.getMetadata(LLVMContext::MD_alias_scope); list && is_scope_of_state(list)) {
      scope = list;
      return;
    }
}

bool ShadowMemory::covers(ArrayRef<Value *> roots) {
  return any_of(roots, [](Value *root) {
    return !isa<AllocaInst, GlobalValue, ConstantData>(root) && !is_of_platform(root);
  });
}

Value *ShadowMemory::address(IRBuilder<> &builder, Value *pointer) {
  if (!start) {
    IRBuilder<> first(&*function.getEntryBlock().getFirstInsertionPt());
    first.SetCurrentDebugLocation({});
    Module &module = *function.getParent();
    FunctionType *type = FunctionType::get(builder.getPtrTy(), {}, false);
    FunctionCallee callee = module.getOrInsertFunction(shadow_start, type);
    auto *query = cast<Function>(callee.getCallee());
    query->setDoesNotAccessMemory();
    query->setDoesNotThrow();
    query->setWillReturn();
    start = first.CreateCall(callee);
  }
  Value *number = builder.CreatePtrToInt(pointer, builder.getInt64Ty());
  return builder.CreatePtrAdd(start, builder.CreateAnd(number, window));
}

// What is stored of a shadow.
Value *ShadowMemory::kept(StoreInst &store, Value *pointer) {
  Value *shadow = store.getValueOperand();
  Type *type = shadow->getType();
  if (auto *constant = dyn_cast<Constant>(shadow); constant && constant->isNullValue())
    return shadow;
  if (reported.contains(shadow) || type->isAggregateType())
    return Constant::getNullValue(type);
  Module &module = *function.getParent();
  IRBuilder<> builder(&store);
  unsigned bits = module.getDataLayout().getTypeSizeInBits(type);
  Value *is_undefined = builder.CreateIsNotNull(builder.CreateBitCast(shadow, builder.getIntNTy(bits)));
  BasicBlock *before = store.getParent();
  Instruction *end = SplitBlockAndInsertIfThen(is_undefined, &store, /*Unreachable=*/false);
  IRBuilder<> inner(end);
  FunctionType *asks = FunctionType::get(builder.getInt64Ty(), {builder.getPtrTy()}, false);
  Value *answer = inner.CreateCall(module.getOrInsertFunction(keeps_undefined, asks), {pointer});
  Value *keeps = inner.CreateIsNotNull(answer);
  builder.SetInsertPoint(store.getParent(), store.getParent()->begin());
  PHINode *is_kept = builder.CreatePHI(builder.getInt1Ty(), 2);
  is_kept->addIncoming(builder.getFalse(), before);
  is_kept->addIncoming(keeps, end->getParent());
  builder.SetInsertPoint(&store);
  return builder.CreateSelect(is_kept, shadow, Constant::getNullValue(type));
}

void ShadowMemory::rewrite(Instruction &access, Value *pointer) {
  if (auto *store = dyn_cast<StoreInst>(&access)) {
    store->setOperand(0, kept(*store, pointer));
    IRBuilder<> builder(store);
    store->setOperand(StoreInst::getPointerOperandIndex(), address(builder, pointer));
  } else if (auto *load = dyn_cast<LoadInst>(&access)) {
    IRBuilder<> builder(load);
    load->setOperand(LoadInst::getPointerOperandIndex(), address(builder, pointer));
  } else if (auto *call = dyn_cast<IntrinsicInst>(&access)) {
    IRBuilder<> builder(call);
    if (call->getIntrinsicID() == Intrinsic::masked_store) {
      call->setArgOperand(0, Constant::getNullValue(call->getArgOperand(0)->getType()));
      call->setArgOperand(1, address(builder, pointer));
    } else if (call->getIntrinsicID() == Intrinsic::masked_load) {
      call->setArgOperand(0, address(builder, pointer));
    }
  }
  if (scope && access.mayReadOrWriteMemory())
    access.setMetadata(LLVMContext::MD_noalias, scope);
}

void ShadowMemory::move(IRBuilder<> &builder, Value *to, Value *shadow, Value *bytes) {
  Type *pointer = builder.getPtrTy();
  FunctionType *type =
      FunctionType::get(builder.getVoidTy(), {pointer, pointer, builder.getInt64Ty()}, false);
  FunctionCallee callee = function.getParent()->getOrInsertFunction(move_shadow, type);
  Value *from = shadow ? shadow : Constant::getNullValue(pointer);
  builder.CreateCall(callee, {to, from, builder.CreateZExtOrTrunc(bytes, builder.getInt64Ty())});
}

Value *ShadowMemory::origin(DominatorTree &tree, Instruction &at, ArrayRef<ShadowLoad> loads, Value *root) {
  IRBuilder<> builder(&at);
  // One object: its own pointer, which may be known where those of its elements are not.
  if (root && tree.dominates(root, &at))
    return root;
  Value *found = Constant::getNullValue(builder.getPtrTy());
  for (const ShadowLoad &one : loads) {
    Instruction *shadow = known_at(tree, at, one.load);
    if (!shadow || !tree.dominates(one.pointer, &at) || shadow->getType()->isAggregateType())
      continue;
    unsigned bits = function.getParent()->getDataLayout().getTypeSizeInBits(shadow->getType());
    Value *whole = builder.CreateBitCast(shadow, builder.getIntNTy(bits));
    found = builder.CreateSelect(builder.CreateIsNotNull(whole), one.pointer, found);
  }
  return found;
}

} // namespace undefined
