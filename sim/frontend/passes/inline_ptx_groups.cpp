// Bulk copies, and the products of warpgroups.
#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "frontend/passes/ptx_expansion.h"
#include "lanescope/fragments.h"
#include "lanescope/tensor_map.h"

namespace lanescope {
namespace {

using Kind = PtxOperand::Kind;

bool has(const PtxInstruction& instruction, const char* part) {
  return std::find(instruction.opcode.begin(), instruction.opcode.end(), part) !=
         instruction.opcode.end();
}

/// "2d"; 0 where no part says so, -1 for a way through memory that is not known.
int dimensions_of(const PtxInstruction& instruction) {
  if (!has(instruction, "tensor")) return 0;
  for (const std::string& part : instruction.opcode)
    if (part.size() == 2 && part[1] == 'd' && part[0] >= '1' && part[0] <= '5')
      return part[0] - '0';
  return -1;
}

/// .OP{.noftz}.TYPE of cp.reduce; of a tensor the map tells the type. Nothing where PTX has none such: into shared memory
/// of a cluster fewer than into global memory, and sums of half precision only without flushing.
std::optional<std::pair<BulkReduction, TensorElement>>
reduction_of(const PtxInstruction& instruction, bool is_tensor, bool to_shared) {
  using enum TensorElement;
  BulkReduction how = BulkReduction::none;
  for (int i = 1; i <= static_cast<int>(BulkReduction::xor_); ++i)
    if (has(instruction, std::string(reduction_name(static_cast<BulkReduction>(i))).c_str()))
      how = static_cast<BulkReduction>(i);
  if (how == BulkReduction::none) return std::nullopt;
  if (is_tensor) return std::pair(how, u8);
  const std::string& type = instruction.opcode.back();
  const bool of_bits = how >= BulkReduction::and_, adds = how == BulkReduction::add;
  std::optional<TensorElement> element;
  for (const TensorElement each : {u32, s32, u64, s64, f16, bf16, f32, f64})
    if (tensor_element_name(each) == type && !of_bits) element = each;
  if (of_bits && type == "b32") element = u32;
  if (of_bits && type == "b64") element = u64;
  if (!element || !is_known(how, *element) || (adds && *element == s64)) return std::nullopt;
  const bool half = *element == f16 || *element == bf16;
  if (has(instruction, "noftz") != (adds && half)) return std::nullopt;
  const bool in_cluster = *element == u32 || *element == s32 || (adds && *element == u64);
  return to_shared && !in_cluster ? std::nullopt : std::optional(std::pair(how, *element));
}

/// wgmma.mma_async.sync.aligned.SHAPE{.satfinite}.D.A.B
std::optional<MatrixForm> group_form(const PtxInstruction& instruction) {
  const std::vector<std::string>& opcode = instruction.opcode;
  const std::size_t types = has(instruction, "satfinite") ? 6 : 5;
  if (opcode.size() != types + 3 || !opcode[4].starts_with("m64n")) return std::nullopt;
  const auto d = matrix_type_from_name(opcode[types]), a = matrix_type_from_name(opcode[types + 1]),
             b = matrix_type_from_name(opcode[types + 2]);
  if (!d || !a || !b) return std::nullopt;
  char* end = nullptr;
  MatrixForm form;
  form.shape.m = 64;
  form.shape.n = static_cast<int>(std::strtol(opcode[4].c_str() + 4, &end, 10));
  form.shape.k = *end == 'k' ? static_cast<int>(std::strtol(end + 1, &end, 10)) : 0;
  form.a = *a, form.b = *b, form.accumulator = *d;
  form.saturates = types == 6;
  return *end == '\0' && is_known_group(form) ? std::optional(form) : std::nullopt;
}

}  // namespace

llvm::CallInst* PtxExpansion::call_operation(const std::string& name, Type result,
                                             llvm::ArrayRef<Value> arguments) {
  llvm::SmallVector<Type, 16> types;
  for (Value argument : arguments) types.push_back(argument->getType());
  llvm::FunctionCallee callee =
      functions_.module.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
  if (auto* function = llvm::dyn_cast<llvm::Function>(callee.getCallee()))
    function->setConvergent();
  return b_.CreateCall(callee, arguments);
}

/// [to], [from]{, bytes}{, [mbarrier]}{, …}: an address of a tensor is [map, {coordinates}]. What comes behind tells
/// which blocks of a cluster take part, and a cache what to do.
bool PtxExpansion::emit_bulk_copy(const PtxInstruction& instruction, const PtxMeaning& meaning) {
  const int dimensions = dimensions_of(instruction);
  const std::vector<PtxOperand>& operands = instruction.operands;
  const bool reduces = instruction.opcode[1] == "reduce";
  if (dimensions < 0 || meaning.spaces.size() != 2 || operands.size() < 2 ||
      instruction.opcode[reduces ? 2 : 1] != "async" || has(instruction, "cp_mask"))
    return false;
  const bool to_shared = meaning.spaces[0] == MemorySpace::shared;
  const bool is_counted = has(instruction, "mbarrier::complete_tx::bytes");
  const std::size_t behind = dimensions > 0 ? 2 : 3;
  std::size_t needed = behind + (is_counted ? 1 : 0);
  if (operands.size() < needed) return false;
  const PtxOperand &shared = operands[to_shared ? 0 : 1], &global = operands[to_shared ? 1 : 0];
  const auto generic = [this](Value pointer) {
    return pointer == nullptr ? nullptr : b_.CreateAddrSpaceCast(pointer, b_.getPtrTy());
  };
  const MemorySpace other = dimensions > 0 ? MemorySpace::generic : meaning.spaces[to_shared];
  llvm::SmallVector<Value, 12> arguments{
      generic(pointer(shared, MemorySpace::shared)),
      generic(pointer(global, other)),
      dimensions > 0 ? b_.getInt32(0) : read(operands[2], b_.getInt32Ty()),
      is_counted ? generic(pointer(operands[behind], MemorySpace::shared))
                 : llvm::ConstantPointerNull::get(b_.getPtrTy()),
      b_.getInt1(to_shared),
      b_.getInt32(static_cast<std::uint32_t>(dimensions))};
  std::vector<PtxOperand> coordinates;
  if (dimensions > 0 && global.parts.size() > 1) coordinates = flattened(global.parts[1]);
  if (static_cast<int>(coordinates.size()) != dimensions) return false;
  for (std::size_t d = 0; d < 5; ++d)
    arguments.push_back(d < coordinates.size() ? read(coordinates[d], b_.getInt32Ty())
                                               : b_.getInt32(0));
  // Pixels that are stored have no filter's place.
  const bool is_image = has(instruction, to_shared ? "im2col" : "im2col_no_offs");
  if (is_image) {
    if (operands.size() < needed + (to_shared ? 1 : 0) || dimensions < 3) return false;
    std::vector<PtxOperand> offsets;
    if (to_shared) offsets = flattened(operands[needed++]);
    if (to_shared && static_cast<int>(offsets.size()) != dimensions - 2) return false;
    for (std::size_t d = 0; d < 3; ++d)
      arguments.push_back(d < offsets.size() ? read(offsets[d], b_.getInt32Ty()) : b_.getInt32(0));
  }
  const bool to_blocks = has(instruction, "multicast::cluster");
  if (to_blocks) {
    if (operands.size() <= needed) return false;
    arguments.push_back(read(operands[needed], b_.getInt32Ty()));
  }
  if (std::find(arguments.begin(), arguments.end(), nullptr) != arguments.end()) return false;
  std::string operation = is_image ? "lanescope_bulk_copy_pixels" : "lanescope_bulk_copy";
  if (to_blocks) operation += "_to_blocks";
  if (reduces) {
    const auto reduction = reduction_of(instruction, dimensions > 0, to_shared);
    if (!reduction || to_blocks) return false;
    arguments.push_back(b_.getInt32(static_cast<std::uint32_t>(reduction->first)));
    arguments.push_back(b_.getInt32(static_cast<std::uint32_t>(reduction->second)));
    operation = is_image ? "lanescope_bulk_reduce_pixels" : "lanescope_bulk_reduce";
  }
  call_operation(operation, b_.getVoidTy(), arguments);
  return true;
}

/// d, a, b, scale-d{, negations{, transposes}}: a is a list of registers or a descriptor.
bool PtxExpansion::emit_group_product(const PtxInstruction& instruction) {
  const auto form = group_form(instruction);
  const std::vector<PtxOperand>& operands = instruction.operands;
  if (!form || operands.size() < 4) return false;
  const std::vector<PtxOperand> to = flattened(operands[0]), from = flattened(operands[1]);
  const bool in_registers = operands[1].kind == Kind::list;
  const std::size_t registers =
      static_cast<std::size_t>(form->shape.n) * (form->accumulator == MatrixType::f16 ? 1 : 2) / 4;
  if (to.size() != registers || from.size() != (in_registers ? 4u : 1u)) return false;
  // Immediates, perhaps of the statement ("n").
  const auto flag = [&](std::size_t operand, std::int32_t set) {
    if (operand >= operands.size()) return false;
    const auto* known =
        llvm::dyn_cast_or_null<llvm::ConstantInt>(read(operands[operand], b_.getInt32Ty()));
    return known != nullptr && static_cast<std::int32_t>(known->getZExtValue()) == set;
  };
  llvm::SmallVector<Value, 32> arguments;
  for (const int number : {form->shape.n, form->shape.k, static_cast<int>(form->a),
                           static_cast<int>(form->b), static_cast<int>(form->accumulator)})
    arguments.push_back(b_.getInt32(static_cast<std::uint32_t>(number)));
  // Only one of A's two places has a transpose.
  for (const bool set : {form->saturates, flag(4, -1), flag(5, -1), !in_registers && flag(6, 1),
                         flag(in_registers ? 6 : 7, 1), in_registers})
    arguments.push_back(b_.getInt1(set));
  arguments.push_back(read(operands[3], b_.getInt1Ty()));
  arguments.push_back(read(operands[2], b_.getInt64Ty()));
  arguments.push_back(in_registers ? b_.getInt64(0) : read(from[0], b_.getInt64Ty()));
  for (std::size_t i = 0; i < 4; ++i)
    arguments.push_back(in_registers ? read(from[i], b_.getInt32Ty()) : b_.getInt32(0));
  for (const PtxOperand& each : to) arguments.push_back(read(each, b_.getInt32Ty()));
  if (std::find(arguments.begin(), arguments.end(), nullptr) != arguments.end()) return false;
  const std::vector<Type> results(registers, b_.getInt32Ty());
  Value result = call_operation(fmt::format("lanescope_group_multiply_{}", registers),
                                llvm::StructType::get(b_.getContext(), results), arguments);
  for (unsigned i = 0; i < registers; ++i)
    if (!write(to[i], b_.CreateExtractValue(result, i))) return false;
  return true;
}

}  // namespace lanescope
