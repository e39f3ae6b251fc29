// Addresses folded into memory operations; loads, stores, atomics and asynchronous copies.
#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>

#include "lanescope/memory.h"
#include "lower/lower_function.h"
#include "model/simulator_messages.h"

namespace lanescope {
namespace {

using Kind = Part::Kind;

/// LANESCOPE_TEXTURE_SPACE in prelude/device/lanescope_textures.h
constexpr unsigned kTextureAddressSpace = 16;

ScalarType element_of(const llvm::Type& type) {
  const llvm::Type* scalar = type.getScalarType();
  if (scalar->isFloatTy()) return ScalarType::f32;
  if (scalar->isDoubleTy()) return ScalarType::f64;
  if (scalar->isHalfTy()) return ScalarType::f16;
  if (scalar->isPointerTy()) return ScalarType::pointer;
  switch (scalar->getScalarSizeInBits()) {
  case 1:
    return ScalarType::boolean;
  case 8:
    return ScalarType::u8;
  case 16:
    return ScalarType::i16;
  case 32:
    return ScalarType::i32;
  case 64:
    return ScalarType::i64;
  default:
    return ScalarType::unknown;
  }
}

/// What a pointer that was made of a number says of where it leads, by NVPTX's address spaces.
MemorySpace space_of_number(const llvm::Value& pointer) {
  switch (pointer.getType()->getPointerAddressSpace()) {
  case 1:
    return MemorySpace::global;
  case 3:
    return MemorySpace::shared;
  case 4:
    return MemorySpace::constant;
  case 5:
    return MemorySpace::local;
  default:
    return MemorySpace::generic;
  }
}

/// How an access is served whose reference does not say so.
Service service_of(const MemRef& ref, AccessOp op) {
  switch (op) {
  case AccessOp::load:
    return ref.service;
  case AccessOp::store:
    return ref.service == Service::load ? Service::store : ref.service;
  case AccessOp::async_copy:
    return ref.is_store || ref.service == Service::bypass ? ref.service : Service::load;
  case AccessOp::atomic:
  case AccessOp::product:
  case AccessOp::bulk_load:
  case AccessOp::bulk_store:
    break;
  }
  switch (ref.atomic) {
  case AtomicOp::compare_exchange:
    return Service::compare_exchange;
  case AtomicOp::fadd:
  case AtomicOp::fadd_f16:
  case AtomicOp::fadd_bf16:
  case AtomicOp::fmin:
  case AtomicOp::fmax:
    return Service::exchange_loop;
  default:
    return Service::atomic;
  }
}

/// Is what a plain load reads only a guess, which a compare-exchange of the same address confirms or
/// replaces (CUDA C++ Programming Guide, "Atomic Functions": atomicAdd of doubles)?
bool is_confirmed(const llvm::LoadInst& load) {
  const llvm::Value* place = load.getPointerOperand()->stripPointerCasts();
  llvm::SmallPtrSet<const llvm::Value*, 16> seen{&load};
  std::vector<const llvm::Value*> work = {&load};
  for (std::size_t i = 0; i < work.size() && i < 16; ++i)
    for (const llvm::User* user : work[i]->users()) {
      if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(user)) {
        if (exchange->getCompareOperand() == work[i] &&
            exchange->getPointerOperand()->stripPointerCasts() == place)
          return true;
      } else if ((llvm::isa<llvm::PHINode>(user) || llvm::isa<llvm::SelectInst>(user) ||
                  llvm::isa<llvm::BitCastInst>(user) || llvm::isa<llvm::FreezeInst>(user)) &&
                 seen.insert(user).second) {
        work.push_back(user);
      }
    }
  return false;
}

/// The strength of a load or store.
template <class Access>
Strength strength_of(const Access& access) {
  if (access.isAtomic() || (access.isVolatile() && is_polled(access))) return Strength::flag;
  if constexpr (std::is_same_v<Access, llvm::LoadInst>)
    if (is_confirmed(access)) return Strength::is_volatile;
  return access.isVolatile() ? Strength::is_volatile : Strength::plain;
}

/// Orders what is around it. Sums of floats are not asked for an order when they are made, and get the
/// strongest.
template <class Access>
bool is_ordered(const Access& access) {
  return llvm::isReleaseOrStronger(access.getOrdering()) ||
         llvm::isAcquireOrStronger(access.getOrdering());
}

/// How far one counter is ahead of another
bool is_difference(const llvm::BinaryOperator& op) {
  return op.getOpcode() == llvm::Instruction::Add || op.getOpcode() == llvm::Instruction::Sub;
}

}  // namespace

bool is_polled(const llvm::Instruction& load) {
  std::vector<const llvm::Value*> work = {&load};
  for (std::size_t i = 0; i < work.size() && i < 32; ++i)
    for (const llvm::User* user : work[i]->users()) {
      if (llvm::isa<llvm::BranchInst>(user) || llvm::isa<llvm::SwitchInst>(user)) return true;
      const auto* op = llvm::dyn_cast<llvm::BinaryOperator>(user);
      if (llvm::isa<llvm::CmpInst>(user) || llvm::isa<llvm::CastInst>(user) ||
          llvm::isa<llvm::FreezeInst>(user) || llvm::isa<llvm::ExtractElementInst>(user) ||
          (op != nullptr && (op->isBitwiseLogicOp() || is_difference(*op))))
        work.push_back(user);
    }
  return false;
}

// Walks through address arithmetic to something that has a row, or to a variable with a fixed
// address.
const Address& LowerFunction::address_of(const llvm::Value* pointer) {
  std::unique_ptr<Address>& entry = addresses_[pointer];
  if (entry) return *entry;
  auto address = std::make_unique<Address>();
  const llvm::Value* at = pointer;
  for (;;) {
    if (const auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(at)) {
      at = cast->getOperand(0);
      continue;
    }
    const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(at);
    if (gep == nullptr) break;
    llvm::MapVector<llvm::Value*, llvm::APInt> variable;
    llvm::APInt constant(64, 0);
    if (!gep->collectOffset(tables_.layout(), 64, variable, constant)) break;
    address->constant += constant.getSExtValue();
    for (const auto& [index, scale] : variable)
      address->terms.push_back(term_of(index, scale.getSExtValue()));
    note_indices(*gep, *address);
    at = gep->getPointerOperand();
  }
  classify(pointer, *address);
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(at)) {
    if (const auto base = tables_.address(*global))
      address->constant += static_cast<std::int64_t>(*base);
  } else if (const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(at)) {
    address->constant += static_cast<std::int64_t>(kLocalWindow + tables_.local_offset(*slot));
  } else if (!llvm::isa<llvm::ConstantPointerNull>(at)) {
    address->base = at;
  }
  return *(addresses_[pointer] = std::move(address));
}

void LowerFunction::classify(const llvm::Value* pointer, Address& address) {
  if (pointer->getType()->getPointerAddressSpace() == kTextureAddressSpace) {
    address.space = MemorySpace::texture;
    return;
  }
  llvm::SmallVector<const llvm::Value*, 4> objects;
  llvm::getUnderlyingObjects(pointer, objects);
  bool first = true;
  for (const llvm::Value* object : objects) {
    MemorySpace space = MemorySpace::generic;
    std::string root;
    if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object))
      space = tables_.space(*global), root = tables_.source_name(*global);
    else if (llvm::isa<llvm::AllocaInst>(object))
      space = MemorySpace::local, root = object->getName().str();
    else if (const auto* argument = llvm::dyn_cast<llvm::Argument>(object))
      space = argument->hasByValAttr() ? MemorySpace::constant : MemorySpace::global,
      root = object->getName().str();
    else if (llvm::Operator::getOpcode(object) == llvm::Instruction::IntToPtr)
      space = space_of_number(*object);
    if (first)
      address.space = space, address.root = root;
    else if (space != address.space)
      address.space = MemorySpace::generic;
    if (root != address.root) address.root.clear();
    first = false;
  }
}

MemRef LowerFunction::ref_of(const llvm::Value* pointer, std::int64_t extra) {
  const Address& address = address_of(pointer);
  MemRef ref;
  ref.space = address.space;
  ref.constant = address.constant + extra;
  if (address.base != nullptr) ref.base = part(*address.base).index;
  for (const Address::Term& term : address.terms) {
    if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(term.value))
      ref.constant += known->getSExtValue() * term.scale;
    else
      ref.terms.push_back({term.kind, part(*term.value).index, term.scale});
  }
  return ref;
}

bool LowerFunction::shape_of(const llvm::Type& type, MemRef& ref) const {
  llvm::SmallVector<Kind, 4> kinds;
  if (!kinds_of(&type, kinds) || kinds.empty() || kinds.size() > 8) return false;
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  if (type.isAggregateType()) return false;
  const llvm::Type* scalar = type.getScalarType();
  const std::uint64_t size =
      scalar->isIntegerTy(1) ? 1
                             : tables_.layout().getTypeStoreSize(const_cast<llvm::Type*>(scalar));
  ref.predicate_value = scalar->isIntegerTy(1);
  ref.components = static_cast<std::uint8_t>(vector != nullptr ? vector->getNumElements() : 1);
  ref.component_bytes = static_cast<std::uint8_t>(size);
  ref.bytes = static_cast<std::uint8_t>(size * ref.components);
  return std::has_single_bit(ref.bytes) && ref.bytes <= 16 &&
         std::has_single_bit(ref.component_bytes);
}

std::uint32_t LowerFunction::add_access(const llvm::Instruction& instruction, MemRef& ref,
                                        AccessOp op, const llvm::Type& type,
                                        const llvm::Value* pointer) {
  const Address& address = address_of(pointer);
  ref.guard = guard_of(pointer);
  return add_access(instruction, ref, op, type, address);
}

std::uint32_t LowerFunction::add_access(const llvm::Instruction& instruction, MemRef& ref,
                                        AccessOp op, const llvm::Type& type,
                                        const Address& address) {
  if (matrices_of(ref.service) == 0) shape_of(type, ref);
  mark(ref, instruction);
  ref.service = service_of(ref, op);
  ref.access =
      tables_.access(instruction, {address.space, op, ref.service, ref.transposed, ref.bytes,
                                   ref.components, element_of(type), address.root});
  access_of_[&instruction] = ref.access;
  if (op == AccessOp::atomic && address.space != MemorySpace::shared &&
      address.space != MemorySpace::local)
    tables_.program().has_global_atomics = true;
  return ref.access;
}

void LowerFunction::mark(Mark::Kind kind, std::uint32_t count) {
  code_.marks.push_back({kind, static_cast<std::uint32_t>(code_.ops.size()), count});
}

/// How many groups stay, where the compiler does not know: none.
bool LowerFunction::emit_async_mark(llvm::CallInst& call, llvm::StringRef name) {
  if (name == "commit") return mark(Mark::Kind::commit), true;
  if (name == "wait_all") return mark(Mark::Kind::wait_all), true;
  if (name == "wait_oldest") return mark(Mark::Kind::wait_oldest), true;
  if (name == "bulk_commit") return mark(Mark::Kind::bulk_commit), true;
  if (name == "sums_commit") return mark(Mark::Kind::sums_commit), true;
  if (name == "fence_proxy") return mark(Mark::Kind::fence_proxy), true;
  const auto kind = name == "wait"        ? std::optional(Mark::Kind::wait)
                    : name == "bulk_wait" ? std::optional(Mark::Kind::bulk_wait)
                    : name == "sums_wait" ? std::optional(Mark::Kind::sums_wait)
                                          : std::nullopt;
  if (!kind) return false;
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
  mark(*kind, known != nullptr ? static_cast<std::uint32_t>(known->getZExtValue()) : 0);
  return true;
}

void LowerFunction::finish_ref(Code code, MemRef ref, const llvm::Instruction& instruction) {
  info_ =
      tables_.op_info(&instruction, StepKind::access, tables_.position(instruction.getDebugLoc()),
                      static_cast<int>(ref.access));
  code_.refs.push_back(std::move(ref));
  code_.ops.push_back(
      {code, kStep, kNone, static_cast<std::uint32_t>(code_.refs.size() - 1), kNone, kNone, info_});
}

void LowerFunction::emit_load(llvm::LoadInst& load) {
  MemRef ref = ref_of(load.getPointerOperand());
  if (!shape_of(*load.getType(), ref)) return unsupported(load, say::load_of_this_type);
  ref.strength = strength_of(load);
  ref.is_ordered = is_ordered(load);
  if (ref.strength == Strength::flag && ref.space != MemorySpace::shared)
    tables_.program().has_flags = true;
  const Parts to = define(load);
  for (std::size_t i = 0; i < to.size(); ++i) ref.value[i] = to[i].index;
  add_access(load, ref, AccessOp::load, *load.getType(), load.getPointerOperand());
  finish_ref(Code::load, ref, load);
}

void LowerFunction::emit_store(llvm::StoreInst& store) {
  MemRef ref = ref_of(store.getPointerOperand());
  const llvm::Type& type = *store.getValueOperand()->getType();
  if (!shape_of(type, ref)) return unsupported(store, say::store_of_this_type);
  ref.is_store = true;
  ref.strength = strength_of(store);
  ref.is_ordered = is_ordered(store);
  const Parts from = parts(*store.getValueOperand());
  // Of a number that is too wide, which has been refused where it is made.
  if (from.size() != ref.components) return unsupported(store, say::store_of_this_type);
  for (std::size_t i = 0; i < from.size(); ++i) ref.value[i] = from[i].index;
  const std::uint32_t access =
      add_access(store, ref, AccessOp::store, type, store.getPointerOperand());
  link_value(store, access);
  finish_ref(Code::store, ref, store);
}

void LowerFunction::emit_atomic(llvm::AtomicRMWInst& atomic) {
  using R = llvm::AtomicRMWInst;
  MemRef ref = ref_of(atomic.getPointerOperand());
  switch (atomic.getOperation()) {
  case R::Add:
    ref.atomic = AtomicOp::add;
    break;
  case R::Sub:
    ref.atomic = AtomicOp::sub;
    break;
  case R::And:
    ref.atomic = AtomicOp::and_;
    break;
  case R::Or:
    ref.atomic = AtomicOp::or_;
    break;
  case R::Xor:
    ref.atomic = AtomicOp::xor_;
    break;
  case R::Min:
    ref.atomic = AtomicOp::smin;
    break;
  case R::Max:
    ref.atomic = AtomicOp::smax;
    break;
  case R::UMin:
    ref.atomic = AtomicOp::umin;
    break;
  case R::UMax:
    ref.atomic = AtomicOp::umax;
    break;
  case R::Xchg:
    ref.atomic = AtomicOp::exchange;
    break;
  case R::FAdd:
    ref.atomic = AtomicOp::fadd;
    break;
  case R::FMin:
    ref.atomic = AtomicOp::fmin;
    break;
  case R::FMax:
    ref.atomic = AtomicOp::fmax;
    break;
  default:
    return unsupported(atomic, say::this_atomic);
  }
  const bool is_half = atomic.getType()->isHalfTy();
  if (is_half && ref.atomic == AtomicOp::fadd) ref.atomic = AtomicOp::fadd_f16;
  if (!shape_of(*atomic.getType(), ref) || ref.bytes < 2 ||
      (is_half && ref.atomic != AtomicOp::fadd_f16 && ref.atomic != AtomicOp::exchange))
    return unsupported(atomic, say::narrow_atomic);
  ref.operand = part(*atomic.getValOperand()).index;
  ref.value[0] = define(atomic)[0].index;
  ref.strength = Strength::atomic;
  ref.is_ordered = !atomic.isFloatingPointOperation() && is_ordered(atomic);
  add_access(atomic, ref, AccessOp::atomic, *atomic.getType(), atomic.getPointerOperand());
  finish_ref(Code::atomic, ref, atomic);
}

/// Additions that no instruction of LLVM's names: `what` is f16, bf16 or one of both in pairs (x2).
void LowerFunction::emit_half_atomic(llvm::CallInst& call, llvm::StringRef what) {
  llvm::LLVMContext& context = call.getContext();
  const bool is_pair = what.consume_back("x2"), is_half = what == "f16";
  llvm::Type* type = is_pair   ? llvm::Type::getInt32Ty(context)
                     : is_half ? llvm::Type::getHalfTy(context)
                               : llvm::Type::getInt16Ty(context);
  emit_atomic_call(call, is_half ? AtomicOp::fadd_f16 : AtomicOp::fadd_bf16, *type);
}

void LowerFunction::emit_mbarrier(llvm::CallInst& call) {
  emit_atomic_call(call, AtomicOp::mbarrier, *llvm::Type::getInt64Ty(call.getContext()));
}

/// (address, operand) → what was there before
void LowerFunction::emit_atomic_call(llvm::CallInst& call, AtomicOp operation, llvm::Type& type) {
  const llvm::Value* pointer = call.getArgOperand(0);
  MemRef ref = ref_of(pointer);
  ref.atomic = operation;
  ref.operand = part(*call.getArgOperand(1)).index;
  ref.value[0] = define(call)[0].index;
  ref.strength = Strength::atomic;
  add_access(call, ref, AccessOp::atomic, type, pointer);
  finish_ref(Code::atomic, ref, call);
}

void LowerFunction::emit_compare_exchange(llvm::AtomicCmpXchgInst& exchange) {
  MemRef ref = ref_of(exchange.getPointerOperand());
  const llvm::Type& type = *exchange.getNewValOperand()->getType();
  if (!shape_of(type, ref) || ref.bytes < 2) return unsupported(exchange, say::narrow_atomic);
  const Part expected = part(*exchange.getCompareOperand());
  ref.atomic = AtomicOp::compare_exchange;
  ref.operand = part(*exchange.getNewValOperand()).index;
  ref.compare = expected.index;
  ref.strength = Strength::atomic;
  ref.is_ordered = llvm::isAcquireOrStronger(exchange.getSuccessOrdering()) ||
                   llvm::isReleaseOrStronger(exchange.getSuccessOrdering());
  const Parts to = define(exchange);
  ref.value[0] = to[0].index;
  add_access(exchange, ref, AccessOp::atomic, type, exchange.getPointerOperand());
  finish_ref(Code::atomic, ref, exchange);
  emit(expected.kind == Kind::row64 ? Code::eq64 : Code::eq32, to[1], to[0], expected);
}

void LowerFunction::emit_lea(llvm::Instruction& instruction) {
  code_.refs.push_back(ref_of(&instruction));
  const Part reference{Kind::reference, static_cast<std::uint32_t>(code_.refs.size() - 1)};
  set(instruction, {make(Code::lea, reference)});
}

// One asynchronous copy is a global read and a shared write of the same lanes, without passing
// registers. What does not say its way past the first cache takes it with 16 bytes, as compilers choose.
void LowerFunction::emit_async_copy(llvm::CallInst& call) {
  const auto* width = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(2));
  if (width == nullptr) return unsupported(call, say::copy_of_unknown_width);
  const unsigned words = static_cast<unsigned>(width->getZExtValue()) / 4;
  const llvm::StringRef name = call.getCalledFunction()->getName();
  const bool bypasses = name.ends_with("_cg") || (!name.ends_with("_ca") && words == 4);
  MemRef to = ref_of(call.getArgOperand(0)), from = ref_of(call.getArgOperand(1));
  to.guard = guard_of(call.getArgOperand(0)), from.guard = guard_of(call.getArgOperand(1));
  to.service = from.service = bypasses ? Service::bypass : Service::copy;
  llvm::Type* word = llvm::Type::getInt32Ty(call.getContext());
  llvm::Type* type = words == 1 ? word : llvm::FixedVectorType::get(word, words);
  for (unsigned i = 0; i < words; ++i) from.value[i] = to.value[i] = fresh(Kind::row32).index;
  to.is_store = true;
  to.is_async = from.is_async = true;
  from.other_side = static_cast<std::uint32_t>(code_.refs.size() + 1);
  to.other_side = static_cast<std::uint32_t>(code_.refs.size());
  const std::uint32_t load =
      add_access(call, from, AccessOp::async_copy, *type, address_of(call.getArgOperand(1)));
  const std::uint32_t store =
      add_access(call, to, AccessOp::async_copy, *type, address_of(call.getArgOperand(0)));
  for (std::uint32_t i = 0; i < words; ++i)
    tables_.link_store(store, {i, static_cast<int>(load), i});
  const char* key = reinterpret_cast<const char*>(&call);
  emit_side(call, Code::load, std::move(from), key, load);
  emit_side(call, Code::store, std::move(to), key + 1, store);
}

void LowerFunction::emit_side(const llvm::CallInst& call, Code code, MemRef ref, const void* key,
                              std::uint32_t access) {
  info_ = tables_.op_info(key, StepKind::access, tables_.position(call.getDebugLoc()),
                          static_cast<int>(access));
  code_.refs.push_back(std::move(ref));
  code_.ops.push_back(
      {code, kStep, kNone, static_cast<std::uint32_t>(code_.refs.size() - 1), kNone, kNone, info_});
}

}  // namespace lanescope
