#include "lower/lower_tables.h"

#include "lower/initializer.h"

#include <fmt/format.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>

#include <algorithm>
#include <cstring>

#include "lanescope/memory.h"
#include "model/simulator_messages.h"

namespace lanescope {
namespace {

std::uint64_t align_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

ScalarType scalar_of(const llvm::DIType* type) {
  while (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    if (derived->getTag() == llvm::dwarf::DW_TAG_pointer_type ||
        derived->getTag() == llvm::dwarf::DW_TAG_reference_type)
      return ScalarType::pointer;
    type = derived->getBaseType();
  }
  const auto* basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(type);
  if (basic == nullptr) return ScalarType::unknown;
  const std::uint64_t bits = basic->getSizeInBits();
  const auto pick = [bits](ScalarType b8, ScalarType b16, ScalarType b32, ScalarType b64) {
    return bits == 8    ? b8
           : bits == 16 ? b16
           : bits == 32 ? b32
           : bits == 64 ? b64
                        : ScalarType::unknown;
  };
  switch (basic->getEncoding()) {
  case llvm::dwarf::DW_ATE_boolean:
    return ScalarType::boolean;
  case llvm::dwarf::DW_ATE_float:
    return pick(ScalarType::unknown, ScalarType::f16, ScalarType::f32, ScalarType::f64);
  case llvm::dwarf::DW_ATE_signed:
  case llvm::dwarf::DW_ATE_signed_char:
    return pick(ScalarType::i8, ScalarType::i16, ScalarType::i32, ScalarType::i64);
  case llvm::dwarf::DW_ATE_unsigned:
  case llvm::dwarf::DW_ATE_unsigned_char:
    return pick(ScalarType::u8, ScalarType::u16, ScalarType::u32, ScalarType::u64);
  default:
    return ScalarType::unknown;
  }
}

const llvm::DIType* strip_names(const llvm::DIType* type) {
  for (;;) {
    const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type);
    if (derived == nullptr || derived->getTag() == llvm::dwarf::DW_TAG_pointer_type) return type;
    type = derived->getBaseType();
  }
}

/// The struct member at a bit offset: (".x", float).
std::pair<std::string, ScalarType> member_at(const llvm::DIType* type, std::uint64_t bits) {
  const auto* record = llvm::dyn_cast_or_null<llvm::DICompositeType>(strip_names(type));
  if (record == nullptr) return {"", scalar_of(type)};
  for (const auto* element : record->getElements())
    if (const auto* member = llvm::dyn_cast<llvm::DIDerivedType>(element);
        member != nullptr && member->getOffsetInBits() == bits &&
        member->getTag() == llvm::dwarf::DW_TAG_member)
      return {"." + member->getName().str(), scalar_of(member->getBaseType())};
  return {"", ScalarType::unknown};
}

}  // namespace

namespace {

/// More than any multiprocessor has; what a given one takes is looked at when the launch is known.
constexpr std::uint64_t kMostShared = 1 << 20;
/// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability": local memory of a
/// thread, constant memory.
constexpr std::uint64_t kMostLocal = 512 << 10, kMostConstant = 64 << 10;
/// Ours: the module's variables are copied for every launch.
constexpr std::uint64_t kMostVariables = std::uint64_t{1} << 30;

SourcePos declared_at(const LowerTables& tables, const llvm::GlobalVariable& global) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> expressions;
  global.getDebugInfo(expressions);
  if (expressions.empty()) return {};
  const llvm::DIGlobalVariable* variable = expressions[0]->getVariable();
  return tables.place(variable->getFilename(), variable->getLine(), 1);
}

/// The variable in the source; null where it has none there.
const llvm::DILocalVariable* variable_of(const llvm::AllocaInst& slot) {
  for (const llvm::DbgVariableRecord* record :
       llvm::findDVRDeclares(const_cast<llvm::AllocaInst*>(&slot)))
    return record->getVariable();
  return nullptr;
}

/// Its name in the source, or the compiler's own.
std::string name_of(const llvm::AllocaInst& slot) {
  const llvm::DILocalVariable* variable = variable_of(slot);
  return variable != nullptr ? variable->getName().str() : slot.getName().split('.').first.str();
}

}  // namespace

bool LowerTables::fits(const std::string& name, SourcePos declared, std::uint64_t before,
                       std::uint64_t bytes, const Message& what, std::uint64_t limit) {
  if (bytes <= limit && before + bytes <= limit) return true;
  Diagnostic d;
  d.kind = DiagnosticKind::usage;
  stand_at(d, info().files, declared);
  d.message = say::array_too_large(name, bytes, what, limit);
  d.hint = say::make_it_smaller;
  refusals_.push_back(std::move(d));
  return false;
}

LowerTables::LowerTables(const LowerInput& input, FlatProgram& program)
    : input_(input), program_(program) {
  info().files = {input.file};
  info().files.insert(info().files.end(), input.texts->headers.begin(), input.texts->headers.end());
  // Shared arrays get their offsets in the order of their declaration; a dynamic one comes last.
  std::vector<const llvm::GlobalVariable*> shared;
  for (const llvm::GlobalVariable& global : input.module->globals())
    if (space(global) == MemorySpace::shared) shared.push_back(&global);
  const auto is_dynamic = [this](const llvm::GlobalVariable* g) {
    return layout().getTypeAllocSize(g->getValueType()) == 0 || g->isDeclaration();
  };
  std::stable_sort(shared.begin(), shared.end(),
                   [&](auto* a, auto* b) { return is_dynamic(a) < is_dynamic(b); });
  for (const llvm::GlobalVariable* global : shared) add_shared(*global);
}

MemorySpace LowerTables::space(const llvm::GlobalVariable& global) const {
  switch (global.getAddressSpace()) {
  case 3:
    return MemorySpace::shared;
  case 4:
    return MemorySpace::constant;
  default:
    return MemorySpace::global;
  }
}

std::string LowerTables::source_name(const llvm::GlobalVariable& global) const {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> expressions;
  global.getDebugInfo(expressions);
  if (!expressions.empty()) return expressions[0]->getVariable()->getName().str();
  return global.getName().str();
}

void LowerTables::add_shared(const llvm::GlobalVariable& global) {
  SharedArray array;
  array.name = source_name(global);
  const llvm::Type* type = global.getValueType();
  const std::uint64_t align =
      std::max<std::uint64_t>({global.getAlign().valueOrOne().value(),
                               layout().getABITypeAlign(global.getValueType()).value()});
  std::uint64_t end = 0;
  for (const SharedArray& other : info().shared_arrays)
    end = std::max<std::uint64_t>(end, std::uint64_t{other.offset} + other.bytes);
  const std::uint64_t bytes = layout().getTypeAllocSize(global.getValueType());
  if (!fits(array.name, declared_at(*this, global), end, bytes, say::of_shared_memory,
            kMostShared)) {
    addresses_[&global] = kSharedWindow;
    return;
  }
  array.bytes = static_cast<std::uint32_t>(bytes);
  array.offset = static_cast<std::uint32_t>(
      align_up(end, array.bytes == 0 ? std::max<std::uint64_t>(align, 16) : align));
  while (const auto* dim = llvm::dyn_cast<llvm::ArrayType>(type)) {
    array.dims.push_back(static_cast<std::uint32_t>(dim->getNumElements()));
    type = dim->getElementType();
  }
  array.element_bytes =
      static_cast<std::uint32_t>(layout().getTypeAllocSize(const_cast<llvm::Type*>(type)));
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> expressions;
  global.getDebugInfo(expressions);
  if (!expressions.empty()) {
    const llvm::DIGlobalVariable* variable = expressions[0]->getVariable();
    array.declared = declared_at(*this, global);
    const llvm::DIType* element = strip_names(variable->getType());
    while (const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(element)) {
      if (composite->getTag() != llvm::dwarf::DW_TAG_array_type) break;
      element = composite->getBaseType();
    }
    array.element = scalar_of(element);
  }
  addresses_[&global] = kSharedWindow + array.offset;
  info().static_shared_bytes = std::max(info().static_shared_bytes, array.offset + array.bytes);
  info().shared_arrays.push_back(std::move(array));
}

std::optional<std::uint64_t> LowerTables::address(const llvm::GlobalVariable& global) {
  if (const auto it = addresses_.find(&global); it != addresses_.end()) return it->second;
  if (input_.variables != nullptr)
    if (const auto it = input_.variables->find(global.getName().str());
        it != input_.variables->end())
      return addresses_[&global] = it->second;
  if (global.isDeclaration()) return std::nullopt;
  add_image(global);
  return addresses_.at(&global);
}

void LowerTables::add_image(const llvm::GlobalVariable& global) {
  const std::uint64_t bytes = layout().getTypeAllocSize(global.getValueType());
  const std::uint64_t offset = align_up(program_.image.size(), 256);
  const bool constant = space(global) == MemorySpace::constant;
  const std::string name = source_name(global);
  if (constant ? !fits(name, declared_at(*this, global), constant_bytes_, bytes,
                       say::of_constant_memory, kMostConstant)
               : !fits(name, declared_at(*this, global), offset, bytes, say::of_device_variables,
                       kMostVariables)) {
    addresses_[&global] = kConstantWindow;
    return;
  }
  if (constant) constant_bytes_ += bytes;
  program_.image.resize(offset + bytes);
  addresses_[&global] = kConstantWindow + offset;
  program_.variables.push_back(
      {name, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(bytes), constant});
  write_initializer(layout(), *global.getInitializer(), program_.image, offset);
  if (name == "lanescope_device_heap") add_heap(offset);
}

/// Memory for what device code allocates; prelude/device/lanescope_heap.h has the head of the variable that is
/// told where it lies.
void LowerTables::add_heap(std::uint64_t variable) {
  // The default of cudaLimitMallocHeapSize.
  constexpr std::uint32_t kHeapBytes = 8u << 20;
  const std::uint64_t offset = align_up(program_.image.size(), 256);
  program_.image.resize(offset + kHeapBytes);
  program_.variables.push_back(
      {"the device's heap", static_cast<std::uint32_t>(offset), kHeapBytes});
  const std::uint64_t ends[2] = {kConstantWindow + offset, kConstantWindow + offset + kHeapBytes};
  std::memcpy(program_.image.data() + variable, ends, sizeof ends);
}

std::uint32_t LowerTables::local_offset(const llvm::AllocaInst& slot) {
  if (const auto it = locals_.find(&slot); it != locals_.end()) return it->second;
  const auto size = slot.getAllocationSize(layout());
  std::uint64_t bytes = size && !size->isScalable() ? size->getFixedValue() : 8;
  const llvm::DILocalVariable* variable = variable_of(slot);
  const SourcePos declared =
      variable != nullptr ? place(variable->getFilename(), variable->getLine(), 1) : SourcePos();
  if (!fits(name_of(slot), declared, program_.local_bytes, bytes, say::of_local_memory, kMostLocal))
    bytes = 8;
  const std::uint64_t offset =
      align_up(program_.local_bytes, std::max<std::uint64_t>(slot.getAlign().value(), 8));
  program_.local_bytes = static_cast<std::uint32_t>(align_up(offset + bytes, 8));
  return locals_[&slot] = static_cast<std::uint32_t>(offset);
}

std::optional<std::uint32_t> LowerTables::object(const llvm::Value& value) {
  if (const auto it = objects_.find(&value); it != objects_.end()) return it->second;
  MemoryObject object;
  const llvm::Type* type = nullptr;
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&value)) {
    const auto at = address(*global);
    if (!at) return std::nullopt;
    type = global->getValueType();
    object = {source_name(*global), *at,
              layout().getTypeAllocSize(const_cast<llvm::Type*>(type)).getFixedValue()};
    object.read_only = space(*global) == MemorySpace::constant;
  } else if (const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&value)) {
    type = slot->getAllocatedType();
    const auto size = slot->getAllocationSize(layout());
    if (!size || size->isScalable()) return std::nullopt;
    object = {name_of(*slot), kLocalWindow + local_offset(*slot), size->getFixedValue()};
  } else {
    return std::nullopt;
  }
  while (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) type = array->getElementType();
  object.element_bytes = static_cast<std::uint32_t>(
      layout().getTypeAllocSize(const_cast<llvm::Type*>(type)).getFixedValue());
  program_.objects.push_back(std::move(object));
  return objects_[&value] = static_cast<std::uint32_t>(program_.objects.size()) - 1;
}

bool LowerTables::in_prelude(const llvm::DebugLoc& location) const {
  const llvm::DILocation* at = location.get();
  return at != nullptr && (at->getFilename().contains("lanescope/include/") ||
                           at->getDirectory().contains("lanescope/include"));
}

bool LowerTables::in_header(const llvm::DebugLoc& location, llvm::StringRef name) const {
  return location.get() != nullptr && location->getFilename().ends_with(name);
}

bool LowerTables::in_text(llvm::StringRef file) const {
  return file == input_.path || file == "kernel.cu";
}

SourcePos LowerTables::position(const llvm::DebugLoc& location) const {
  SourcePos in_header;
  for (const llvm::DILocation* at = location.get(); at != nullptr; at = at->getInlinedAt()) {
    const SourcePos found = place(at->getFilename(), at->getLine(), at->getColumn());
    if (found.line != 0 && found.file == 0) return found;
    if (in_header.line == 0) in_header = found;
  }
  return in_header;
}

SourcePos LowerTables::place(llvm::StringRef file, std::uint32_t line, std::uint32_t column) const {
  if (in_text(file)) return {line, column, 0};
  const auto& headers = input_.texts->headers;
  const auto header = std::find(headers.begin(), headers.end(), file);
  if (header == headers.end()) return {};
  return {line, column, static_cast<std::uint32_t>(header - headers.begin()) + 1};
}

std::uint32_t LowerTables::op_info(const void* key, StepKind kind, SourcePos pos, int access,
                                   int variable) {
  const auto [it, added] =
      op_infos_.try_emplace({key, kind}, static_cast<std::uint32_t>(info().ops.size()));
  if (added) info().ops.push_back({kind, pos, access, variable});
  return it->second;
}

std::uint32_t LowerTables::trap(const Message& what) {
  const auto [it, added] =
      traps_.try_emplace(what.english(), static_cast<std::uint32_t>(program_.traps.size()));
  if (added) program_.traps.push_back(what);
  return it->second;
}

AccessText LowerTables::text_of(const SourcePos& pos, AccessOp op) const {
  const AccessTexts::Key key{pos.line, pos.column, pos.file};
  const auto look = [&key](const std::map<AccessTexts::Key, AccessText>& map) -> const AccessText* {
    const auto it = map.find(key);
    return it == map.end() ? nullptr : &it->second;
  };
  const AccessTexts& texts = *input_.texts;
  const AccessText* found = op == AccessOp::store ? look(texts.stores) : look(texts.loads);
  if (found == nullptr && op != AccessOp::store) found = look(texts.sources);
  if (found == nullptr) found = look(texts.loads);
  return found != nullptr ? *found : AccessText{};
}

// What is written in assembly is no expression: a matrix access is called by its instruction, "ldmatrix.x4.trans".
std::string LowerTables::instruction_name(const AccessShape& shape) {
  const int matrices = shape.service == Service::matrix1   ? 1
                       : shape.service == Service::matrix2 ? 2
                       : shape.service == Service::matrix4 ? 4
                                                           : 0;
  if (matrices == 0) return {};
  return fmt::format("{}.x{}{}", shape.op == AccessOp::store ? "stmatrix" : "ldmatrix", matrices,
                     shape.transposed ? ".trans" : "");
}

std::uint32_t LowerTables::access(const llvm::Instruction& instruction, const AccessShape& shape) {
  const SourcePos pos = position(instruction.getDebugLoc());
  const auto [it, added] =
      accesses_.try_emplace({pos, shape.op, shape.service, shape.bytes, shape.space, shape.root},
                            static_cast<std::uint32_t>(info().accesses.size()));
  if (!added) return it->second;
  AccessInfo access;
  access.id = it->second;
  access.pos = pos;
  access.space = shape.space;
  access.op = shape.op;
  access.service = shape.service;
  access.transposed = shape.transposed;
  access.bytes = shape.bytes;
  access.element = shape.element;
  access.components = shape.components;
  const AccessText text = text_of(pos, shape.op);
  access.root = shape.root.empty() ? text.root : shape.root;
  access.text = text.text.empty() ? instruction_name(shape) : text.text;
  access.indices = text.indices;
  info().accesses.push_back(std::move(access));
  return it->second;
}

void LowerTables::link_store(std::uint32_t store, ValueSource source) {
  std::vector<ValueSource>& sources = info().accesses[store].sources;
  if (std::find(sources.begin(), sources.end(), source) == sources.end()) sources.push_back(source);
}

int LowerTables::variable(const llvm::DILocalVariable& variable,
                          std::optional<std::uint64_t> fragment_bits, const llvm::DILocation* at) {
  if (variable.isArtificial() || variable.getName().empty()) return -1;
  if (!in_text(variable.getFilename())) return -1;
  const auto key = std::make_pair(&variable, fragment_bits.value_or(0));
  if (const auto it = variables_.find(key); it != variables_.end()) return it->second;
  VariableInfo info_of;
  const auto [suffix, type] = member_at(variable.getType(), fragment_bits.value_or(0));
  info_of.name = variable.getName().str() + suffix;
  info_of.type = suffix.empty() && fragment_bits ? ScalarType::unknown : type;
  info_of.declared = {variable.getLine(), at != nullptr ? at->getColumn() : 0, 0};
  if (const llvm::DISubprogram* function = variable.getScope()->getSubprogram())
    info_of.function = function->getName().str();
  info().variables.push_back(std::move(info_of));
  return variables_[key] = static_cast<int>(info().variables.size()) - 1;
}

}  // namespace lanescope
