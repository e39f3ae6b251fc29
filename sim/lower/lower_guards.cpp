// What checks want to know of an access beyond its address: which object its pointer belongs to, which
// indices have bounds, which bytes are padding, which arithmetic may go wrong.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/Support/Path.h>

#include "lower/lower_function.h"

namespace lanescope {
namespace {

/// The array's own type, or that of the arrays that its elements are.
bool has_level(const llvm::Type* object, const llvm::Type* array) {
  while (object != nullptr && object != array) {
    const auto* outer = llvm::dyn_cast<llvm::ArrayType>(object);
    object = outer != nullptr ? outer->getElementType() : nullptr;
  }
  return object != nullptr;
}

/// The array is all of the object. One that is initialised in part has the type of its pieces.
bool is_whole(const llvm::DataLayout& layout, const llvm::Type* object, const llvm::Type* array) {
  const auto bytes = [&](const llvm::Type* type) {
    return layout.getTypeAllocSize(const_cast<llvm::Type*>(type));
  };
  return object == array ||
         (object != nullptr && object->isStructTy() && bytes(object) == bytes(array));
}

/// A pointer as the kernel was given it, or has loaded it: nothing has been added to it yet.
bool is_given(const llvm::Value* value, int depth = 0) {
  if (depth > 4 || !value->getType()->isPointerTy()) return false;
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(value))
    return !argument->hasByValAttr();
  if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(value))
    return is_given(choice->getTrueValue(), depth + 1) &&
           is_given(choice->getFalseValue(), depth + 1);
  return llvm::isa<llvm::LoadInst>(value);
}

/// The product of a 32-bit index that others are computed from by sums, products and widening alone.
void find_products(const llvm::Value* value, std::set<const llvm::Value*>& products,
                   std::set<const llvm::Value*>& seen) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (instruction == nullptr || !seen.insert(value).second) return;
  switch (instruction->getOpcode()) {
  case llvm::Instruction::Mul:
    if (value->getType()->isIntegerTy(32) && !instruction->hasNoSignedWrap())
      products.insert(value);
    [[fallthrough]];
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
  case llvm::Instruction::ZExt:
  case llvm::Instruction::SExt:
    for (const llvm::Use& operand : instruction->operands())
      find_products(operand.get(), products, seen);
    break;
  default:
    break;
  }
}

/// A selection may leave its result aside, which is then no mistake: it was computed ahead of a guard.
bool may_be_left_aside(const llvm::Instruction& instruction, int depth = 0) {
  for (const llvm::User* user : instruction.users()) {
    if (llvm::isa<llvm::SelectInst>(user)) return true;
    const auto* next = llvm::dyn_cast<llvm::Instruction>(user);
    const bool passes =
        next != nullptr && (llvm::isa<llvm::BinaryOperator>(next) ||
                            llvm::isa<llvm::CastInst>(next) || llvm::isa<llvm::CmpInst>(next));
    if (passes && (depth > 6 || may_be_left_aside(*next, depth + 1))) return true;
  }
  return false;
}

/// By conjunctions and disjunctions alone it becomes part of what is stored at `place`.
bool is_merged_into(const llvm::Value& value, const llvm::Value* place, int depth = 0) {
  return llvm::any_of(value.users(), [&](const llvm::User* user) {
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
      return store->getPointerOperand() == place && store->getValueOperand() == &value;
    const auto* merged = llvm::dyn_cast<llvm::BinaryOperator>(user);
    return depth < 32 && merged != nullptr &&
           (merged->getOpcode() == llvm::Instruction::And ||
            merged->getOpcode() == llvm::Instruction::Or) &&
           is_merged_into(*merged, place, depth + 1);
  });
}

/// Written back with other bits changed, as bit-fields are that share a word with neighbours.
bool writes_back(const llvm::LoadInst& load) {
  return load.getName().starts_with("bf.load") && is_merged_into(load, load.getPointerOperand());
}

/// Named so for aliasing, it may be anything: a union, of which a part may have been set.
bool is_any_type(const llvm::MDNode* tag) {
  const auto* type = tag != nullptr && tag->getNumOperands() > 1
                         ? llvm::dyn_cast<llvm::MDNode>(tag->getOperand(1))
                         : nullptr;
  const auto* name = type != nullptr && type->getNumOperands() > 0
                         ? llvm::dyn_cast<llvm::MDString>(type->getOperand(0))
                         : nullptr;
  return tag == nullptr || (name != nullptr && name->getString() == "omnipotent char");
}

/// A piece of a struct's copy, of which nobody knows any more what was padding.
bool is_split_copy(const llvm::Instruction& instruction) {
  const auto is_piece = [](const llvm::Value* pointer) {
    return llvm::getUnderlyingObject(pointer)->getName().contains(".sroa.");
  };
  if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction))
    return is_piece(copy->getRawDest()) || is_piece(copy->getRawSource());
  // Of a struct that a function gives back, its members one by one.
  if (llvm::isa<llvm::LoadInst>(instruction) && instruction.getName().contains(".fca."))
    return true;
  return llvm::isa<llvm::LoadInst>(instruction) && instruction.getName().contains("copyload") &&
         is_any_type(instruction.getMetadata(llvm::LLVMContext::MD_tbaa));
}

/// Written in a function of our headers whose name begins and ends so.
bool is_in(const llvm::DebugLoc& location, llvm::StringRef begin, llvm::StringRef end) {
  for (const llvm::DILocation* at = location.get(); at != nullptr; at = at->getInlinedAt()) {
    // Without a template's arguments.
    const llvm::StringRef name = at->getScope()->getSubprogram()->getName().split('<').first;
    const bool is_ours = llvm::sys::path::filename(at->getFilename()).starts_with("lanescope_");
    if (is_ours && name.starts_with(begin) && name.ends_with(end)) return true;
  }
  return false;
}

/// Atomic among the threads of a block: by the name of what it is written in, or as PTX says.
bool is_of_block(const llvm::Instruction& instruction) {
  const llvm::DebugLoc& location = instruction.getDebugLoc();
  const std::optional scope = llvm::getAtomicSyncScopeID(&instruction);
  return is_in(location, "atomic", "_block") || is_in(location, "lanescope_atomic", "_block") ||
         (scope && *scope == instruction.getContext().getOrInsertSyncScopeID(kBlockScope));
}

}  // namespace

// ---- indices and objects ----

Address::Term LowerFunction::term_of(const llvm::Value* index, std::int64_t scale) {
  Address::Term term{index, MemTerm::Kind::i64, scale};
  const auto* extension = llvm::dyn_cast<llvm::CastInst>(index);
  if (extension != nullptr && extension->getSrcTy()->isIntegerTy(32) &&
      (llvm::isa<llvm::SExtInst>(extension) || llvm::isa<llvm::ZExtInst>(extension))) {
    term.kind = llvm::isa<llvm::SExtInst>(extension) ? MemTerm::Kind::s32 : MemTerm::Kind::u32;
    term.value = extension->getOperand(0);
  } else if (index->getType()->isIntegerTy(32)) {
    term.kind = MemTerm::Kind::s32;
  }
  return term;
}

/// The indices of arrays that `gep` steps into. Behind a step of the pointer itself nothing further up
/// counts: who walks from an element's address may walk through the whole object.
void LowerFunction::note_indices(const llvm::GEPOperator& gep, Address& address) {
  if (address.stepped) return;
  bool is_first = true;
  llvm::SmallVector<Address::Index, 2> found;
  const llvm::Type* outer = nullptr;
  for (auto level = llvm::gep_type_begin(gep); level != llvm::gep_type_end(gep); ++level) {
    const llvm::Value* index = level.getOperand();
    const auto* array = llvm::dyn_cast_or_null<llvm::ArrayType>(outer);
    outer = level.getIndexedType();
    const auto* known = llvm::dyn_cast<llvm::ConstantInt>(index);
    if (is_first) {
      is_first = false;
      address.stepped = known == nullptr || !known->isZero();
      continue;
    }
    if (level.isStruct() || array == nullptr) continue;
    const auto count = static_cast<std::int64_t>(array->getNumElements());
    // An array of one element at a struct's end stands for as many as there is room for; one that stands alone
    // is an object with bounds of its own.
    if (count <= 1) continue;
    Address::Index noted;
    noted.term = term_of(index, 1);
    noted.count = count;
    noted.array = array;
    found.push_back(noted);
  }
  address.indices.append(found.rbegin(), found.rend());
}

std::uint32_t LowerFunction::guard_of(const llvm::Value* pointer) {
  const Address& address = address_of(pointer);
  Guard guard;
  llvm::SmallVector<const llvm::Value*, 4> sources;
  llvm::getUnderlyingObjects(pointer, sources, nullptr, 0);
  const llvm::Type* type = nullptr;
  bool known = !sources.empty();
  for (const llvm::Value* source : sources) {
    const auto object = tables_.object(*source);
    known = known && object;
    if (object) guard.objects.push_back(*object);
    if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(source))
      type = global->getValueType();
    else if (const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(source))
      type = slot->getAllocatedType();
  }
  if (!known) guard.objects.clear();
  if (sources.size() != 1) type = nullptr;
  bool outer_varies = false;
  for (const Address::Index& index : llvm::reverse(address.indices)) {
    IndexBound bound;
    bound.count = index.count;
    bound.kind = index.term.kind;
    bound.whole = is_whole(tables_.layout(), type, index.array);
    bound.flattened = has_level(type, index.array) && !bound.whole && !outer_varies;
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(index.term.value))
      bound.constant = constant->getSExtValue();
    else
      bound.row = part(*index.term.value).index, outer_varies = true;
    guard.bounds.push_back(bound);
  }
  if (address.base != nullptr) {
    const auto* argument = llvm::dyn_cast<llvm::Argument>(address.base);
    guard.from_outside = is_given(address.base);
    if (argument != nullptr && argument->hasByValAttr())
      guard.parameter_bytes = static_cast<std::uint32_t>(
          tables_.layout().getTypeAllocSize(argument->getParamByValType()));
    else if (argument != nullptr)
      guard.argument = argument->getArgNo();
  }
  if (guard.bounds.empty() && guard.objects.empty() && !guard.from_outside &&
      guard.parameter_bytes == 0)
    return kNone;
  code_.guards.push_back(std::move(guard));
  return static_cast<std::uint32_t>(code_.guards.size() - 1);
}

/// What checks know of an access besides: what it reads and does not use, whose it is.
void LowerFunction::mark(MemRef& ref, const llvm::Instruction& instruction, std::uint64_t first) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    ref.keeps_bits = writes_back(*load);
    ref.incoherent = is_in(instruction.getDebugLoc(), "__ldg", "");
  } else if (llvm::isa<llvm::StoreInst>(instruction)) {
    ref.keeps_bits = instruction.hasMetadata(llvm::LLVMContext::MD_access_group);
  }
  const bool is_plain = ref.strength == Strength::plain || ref.strength == Strength::is_volatile;
  ref.in_block = !is_plain && is_of_block(instruction);
  // Not memcpy and memset, which stand there too.
  ref.of_heap = tables_.in_header(instruction.getDebugLoc(), "lanescope_heap.h") &&
                !is_in(instruction.getDebugLoc(), "mem", "");
  const llvm::MDNode* fields = instruction.getMetadata(llvm::LLVMContext::MD_tbaa_struct);
  if (fields == nullptr && is_split_copy(instruction)) ref.keeps_bits = true;
  if (fields == nullptr || fields->getNumOperands() % 3 != 0) return;
  auto padding = static_cast<std::uint32_t>((1u << ref.bytes) - 1);
  for (unsigned i = 0; i < fields->getNumOperands(); i += 3) {
    const auto* at = llvm::mdconst::dyn_extract<llvm::ConstantInt>(fields->getOperand(i));
    const auto* bytes = llvm::mdconst::dyn_extract<llvm::ConstantInt>(fields->getOperand(i + 1));
    if (at == nullptr || bytes == nullptr) return;
    for (std::uint64_t b = 0; b < bytes->getZExtValue(); ++b)
      if (const std::uint64_t place = at->getZExtValue() + b - first; place < ref.bytes)
        padding &= ~(1u << place);
  }
  ref.padding = static_cast<std::uint16_t>(padding);
}

// ---- scopes, and arithmetic that may go wrong ----

void LowerFunction::emit_scope(const llvm::IntrinsicInst& call, Code code) {
  const llvm::Value* place = call.getArgOperand(call.arg_size() - 1)->stripPointerCasts();
  const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(place);
  if (slot == nullptr) return;
  code_.ops.push_back({code, 0, kNone, *tables_.object(*slot), kNone, kNone, info_});
}

void LowerFunction::find_index_products() {
  std::set<const llvm::Value*> seen;
  for (const llvm::BasicBlock& block : function_)
    for (const llvm::Instruction& instruction : block) {
      const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
        pointer = atomic->getPointerOperand();
      if (pointer == nullptr) continue;
      for (const Address::Term& term : address_of(pointer).terms)
        find_products(term.value, index_products_, seen);
    }
}

/// What is looked at in the operands of the last operation emitted for this one.
std::uint16_t LowerFunction::watched_for(const llvm::BinaryOperator& op) const {
  using I = llvm::Instruction;
  const unsigned width = op.getType()->isIntegerTy() ? op.getType()->getIntegerBitWidth() : 0;
  std::uint16_t flags = 0;
  if (llvm::isa<llvm::OverflowingBinaryOperator>(op) && op.hasNoSignedWrap() && width == 32)
    flags |= kNoOverflow;
  if (index_products_.contains(&op)) flags |= kIndexProduct;
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(op.getOperand(1));
  if ((width != 32 && width != 64) || tables_.in_prelude(op.getDebugLoc())) return flags;
  switch (op.getOpcode()) {
  case I::UDiv:
  case I::URem:
  case I::SDiv:
  case I::SRem:
    if (known == nullptr || known->isZero() || known->isMinusOne()) flags |= kPartial;
    break;
  case I::Shl:
  case I::LShr:
  case I::AShr:
    if ((known == nullptr || known->getValue().uge(width)) && !may_be_left_aside(op))
      flags |= kPartial;
    break;
  default:
    break;
  }
  return flags;
}

}  // namespace lanescope
