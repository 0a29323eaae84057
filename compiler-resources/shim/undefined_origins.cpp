#include "undefined_origins.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace undefined {

namespace {

// MemorySanitizer's mapping on x86-64.
constexpr uint64_t shadow_bits = 0x500000000000;
// Values followed to find the origin of one.
constexpr size_t most_values = 256;

constexpr StringLiteral marker = "__mocl3_undefined.";
constexpr StringLiteral device_check = "__ht_check_";
constexpr StringLiteral print = "mocl3_printf";

// What a pointer is made of by arithmetic or casts; null if it is made otherwise.
Value *source(Value *pointer) {
  if (isa<GetElementPtrInst, BitCastInst, AddrSpaceCastInst, FreezeInst>(pointer))
    return cast<Instruction>(pointer)->getOperand(0);
  if (auto *made = dyn_cast<IntToPtrInst>(pointer))
    if (auto *address = dyn_cast<PtrToIntInst>(made->getOperand(0)))
      return address->getPointerOperand();
  return nullptr;
}

} // namespace

GlobalVariable *tls_of(Value *address) {
  while (isa<GetElementPtrInst>(address))
    address = cast<Instruction>(address)->getOperand(0);
  auto *variable = dyn_cast<GlobalVariable>(address);
  return variable && variable->getName().starts_with("__msan_") ? variable : nullptr;
}

Value *shadowed_address(Value *pointer) {
  auto *made = dyn_cast<IntToPtrInst>(pointer);
  auto *combined = made ? dyn_cast<BinaryOperator>(made->getOperand(0)) : nullptr;
  if (!combined || combined->getOpcode() != Instruction::Xor)
    return nullptr;
  auto *mask = dyn_cast<ConstantInt>(combined->getOperand(1));
  auto *address = dyn_cast<PtrToIntInst>(combined->getOperand(0));
  return mask && mask->getZExtValue() == shadow_bits && address
             ? address->getPointerOperand()
             : nullptr;
}

bool is_marker(const Instruction *instruction) {
  auto *call = dyn_cast_or_null<CallInst>(instruction);
  const Function *function = call ? call->getCalledFunction() : nullptr;
  return function && function->getName().starts_with(marker);
}

void Origins::note_program() {
  for (Instruction &instruction : instructions(kernel))
    program.insert(&instruction);
}

bool Origins::is_printed(Value *pointer) {
  for (Value *root : roots(pointer)) {
    // Null and other constants of data have no list of users.
    if (isa<ConstantData>(root))
      continue;
    for (User *user : root->users())
      if (auto *call = dyn_cast<CallInst>(user))
        if (Function *function = call->getCalledFunction())
          if (function->getName() == print)
            return true;
  }
  return false;
}

SmallVector<Value *> Origins::roots(Value *pointer) {
  SmallVector<Value *> found, pending{pointer};
  DenseSet<Value *> seen;
  while (!pending.empty()) {
    Value *value = pending.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (Value *from = source(value))
      pending.push_back(from);
    else if (auto *phi = dyn_cast<PHINode>(value))
      pending.append(phi->op_begin(), phi->op_end());
    else if (auto *select = dyn_cast<SelectInst>(value))
      pending.append({select->getTrueValue(), select->getFalseValue()});
    else
      found.push_back(value);
  }
  return found;
}

// Whether all accesses of a variable are known.
bool Origins::is_tracked(AllocaInst &variable) {
  auto [known, is_new] = tracked.try_emplace(&variable, true);
  if (!is_new)
    return known->second;
  SmallVector<Value *> pending{&variable};
  DenseSet<Value *> seen;
  bool escapes = false;
  while (!pending.empty() && !escapes) {
    Value *value = pending.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (User *user : value->users()) {
      if (source(user) == value)
        pending.push_back(user);
      else if (isa<PHINode, SelectInst>(user)) {
        // Accesses through it are those of all objects that it may lead into, or of none.
        for (Value *root : roots(user)) {
          if (isa<AllocaInst>(root))
            pending.push_back(root);
          else
            escapes |= !isa<ConstantData>(root) && !is_marker(dyn_cast<Instruction>(root));
        }
        pending.push_back(user);
      }
      else if (auto *store = dyn_cast<StoreInst>(user))
        escapes |= store->getValueOperand() == value;
      else if (auto *call = dyn_cast<CallInst>(user)) {
        Function *function = call->getCalledFunction();
        StringRef name = function ? function->getName() : "";
        escapes |= !name.starts_with("mocl3.") && !name.starts_with(device_check) && !name.starts_with("llvm.mem") &&
                   !name.starts_with("llvm.lifetime.") && name != print;
      } else
        escapes |= !isa<LoadInst, ICmpInst, PtrToIntInst, AtomicRMWInst,
                        AtomicCmpXchgInst>(user);
    }
  }
  return tracked[&variable] = !escapes;
}

bool Origins::has_shadow(Value *root) {
  if (auto *argument = dyn_cast<Argument>(root))
    return arguments[argument->getArgNo()] != 0;
  if (auto *variable = dyn_cast<GlobalVariable>(root))
    return variable->getAddressSpace() == local_space;
  auto *variable = dyn_cast<AllocaInst>(root);
  return variable && is_tracked(*variable);
}

Value *Origins::shadow(Value *pointer) {
  bool has_object = false;
  for (Value *root : roots(pointer)) {
    if (isa<ConstantPointerNull>(root) || is_marker(dyn_cast<Instruction>(root)))
      continue;
    if (!has_shadow(root))
      return nullptr;
    has_object = true;
  }
  return has_object ? build(pointer) : nullptr;
}

// An address in a buffer or local memory, plus the distance to its shadow.
Value *Origins::moved(Value *pointer, uint64_t argument) {
  IRBuilder<> builder(&*kernel.getEntryBlock().getFirstInsertionPt());
  Module &module = *kernel.getParent();
  FunctionType *type =
      FunctionType::get(builder.getInt64Ty(), {builder.getInt32Ty()}, false);
  FunctionCallee query = module.getOrInsertFunction("__mocl3_argument_bytes", type);
  Value *distance =
      builder.CreateCall(query, {builder.getInt32(2 * arguments.size() + argument)});
  return builder.CreatePtrAdd(pointer, distance);
}

Value *Origins::build(Value *pointer) {
  if (Value *known = shadows.lookup(pointer))
    return known;
  Value *made = nullptr;
  if (auto *argument = dyn_cast<Argument>(pointer))
    made = moved(argument, arguments[argument->getArgNo()] == 1
                               ? argument->getArgNo()
                               : arguments.size());
  else if (isa<GlobalVariable>(pointer))
    made = moved(pointer, arguments.size());
  else if (auto *variable = dyn_cast<AllocaInst>(pointer)) {
    auto *copy = cast<AllocaInst>(variable->clone());
    copy->insertBefore(variable->getIterator());
    copy->setName("shadow");
    made = copy;
  } else if (auto *phi = dyn_cast<PHINode>(pointer)) {
    PHINode *copy = PHINode::Create(phi->getType(), phi->getNumIncomingValues());
    copy->insertBefore(phi->getIterator());
    // Loops lead back to it.
    shadows[pointer] = copy;
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
      copy->addIncoming(build(phi->getIncomingValue(i)), phi->getIncomingBlock(i));
    return copy;
  } else if (auto *select = dyn_cast<SelectInst>(pointer)) {
    Value *yes = build(select->getTrueValue());
    Value *no = build(select->getFalseValue());
    made = IRBuilder<>(select).CreateSelect(select->getCondition(), yes, no);
  } else if (Value *from = source(pointer)) {
    auto *instruction = cast<Instruction>(pointer);
    Value *base = build(from);
    IRBuilder<> builder(instruction);
    if (isa<GetElementPtrInst>(pointer)) {
      Instruction *copy = instruction->clone();
      copy->dropPoisonGeneratingFlags();
      copy->insertBefore(instruction->getIterator());
      copy->setOperand(0, base);
      made = copy;
    } else {
      made = builder.CreatePointerBitCastOrAddrSpaceCast(base, pointer->getType());
    }
  } else {
    return ConstantPointerNull::get(cast<PointerType>(pointer->getType()));
  }
  return shadows[pointer] = made;
}

void Origins::mark_defined(IRBuilder<> &builder, Value *pointer, Value *bytes) {
  unsigned space = pointer->getType()->getPointerAddressSpace();
  if (space != global_space && space != local_space)
    return;
  for (Value *root : roots(pointer)) {
    // Memory of the implementation has no shadow.
    if (isa<Argument>(root))
      return;
  }
  Module &module = *kernel.getParent();
  Type *generic = builder.getPtrTy();
  FunctionType *type = FunctionType::get(
      builder.getVoidTy(), {generic, builder.getInt64Ty()}, false);
  Value *address = builder.CreateAddrSpaceCast(pointer, generic);
  builder.CreateCall(module.getOrInsertFunction("mocl3.defined_memory", type),
                     {address, bytes});
}

bool Origins::visit_loads(Value *shadow, function_ref<void(LoadInst &)> visit) {
  DenseSet<Value *> seen;
  SmallVector<Value *> pending{shadow};
  while (!pending.empty() && seen.size() < most_values) {
    auto *value = dyn_cast<Instruction>(pending.pop_back_val());
    if (!value || is_of_program(*value) || !seen.insert(value).second)
      continue;
    if (auto *load = dyn_cast<LoadInst>(value))
      visit(*load);
    else
      pending.append(value->op_begin(), value->op_end());
  }
  return pending.empty();
}

std::optional<SmallVector<ShadowLoad>> Origins::loads(Value *shadow) {
  SmallVector<ShadowLoad> found;
  bool is_whole = visit_loads(shadow, [&](LoadInst &load) {
    Value *pointer = shadowed_address(load.getPointerOperand());
    if (pointer && !this->shadow(pointer) && ShadowMemory::covers(roots(pointer)))
      found.push_back({&load, pointer});
  });
  return is_whole ? std::optional(found) : std::nullopt;
}

Value *Origins::of(Value *shadow) {
  DenseSet<Value *> found;
  bool is_whole = visit_loads(shadow, [&](LoadInst &load) {
    if (Value *pointer = shadowed_address(load.getPointerOperand())) {
      auto objects = roots(pointer);
      found.insert(objects.begin(), objects.end());
    } else if (is_marker(load.getPrevNode()))
      found.insert(load.getPrevNode());
  });
  SmallVector<Value *> objects;
  for (Value *root : found)
    if (is_marker(dyn_cast<Instruction>(root)) || has_shadow(root))
      objects.push_back(root);
  return objects.size() == 1 && is_whole ? objects[0] : nullptr;
}

} // namespace undefined
