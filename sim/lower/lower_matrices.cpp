// Matrix instructions: lanescope_load_matrix, lanescope_store_matrix and lanescope_multiply of the
// prelude, and of inline PTX.
#include "lower/lower_function.h"
#include "model/simulator_messages.h"

namespace lanescope {
namespace {

using Kind = Part::Kind;

std::uint64_t known_number(const llvm::CallInst& call, unsigned argument) {
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(argument));
  return known != nullptr ? known->getZExtValue() : ~std::uint64_t{0};
}

}  // namespace

bool LowerFunction::emit_matrix_call(llvm::CallInst& call, llvm::StringRef name) {
  if (name == "load_matrix") return emit_matrix_access(call, false), true;
  if (name == "store_matrix") return emit_matrix_access(call, true), true;
  if (name.starts_with("group_multiply")) return emit_group_product(call), true;
  if (name == "bulk_copy" || name == "bulk_copy_to_blocks" || name == "bulk_copy_pixels" ||
      name == "bulk_copy_pixels_to_blocks" || name == "bulk_reduce" || name == "bulk_reduce_pixels")
    return emit_bulk_copy(call), true;
  if (name == "multiply" || name == "multiply_f64" || name == "multiply_quads")
    return emit_product(call, name.ends_with("quads")), true;
  return false;
}

/// (address, matrices, transposed) → 4 registers; (address, matrices, transposed, 4 registers)
void LowerFunction::emit_matrix_access(llvm::CallInst& call, bool is_store) {
  const std::uint64_t count = known_number(call, 1), transposed = known_number(call, 2);
  if ((count != 1 && count != 2 && count != 4) || transposed > 1)
    return unsupported(call, say::copy_of_unknown_width);
  const llvm::Value* pointer = call.getArgOperand(0);
  MemRef ref = ref_of(pointer);
  ref.guard = guard_of(pointer);
  ref.service = count == 1 ? Service::matrix1 : count == 2 ? Service::matrix2 : Service::matrix4;
  ref.transposed = transposed == 1;
  ref.is_store = is_store;
  ref.bytes = 16;
  ref.component_bytes = 4;
  ref.components = static_cast<std::uint8_t>(count);
  const Parts values = is_store ? Parts{} : define(call);
  for (unsigned i = 0; i < count; ++i)
    ref.value[i] = is_store ? part(*call.getArgOperand(3 + i)).index : values[i].index;
  llvm::Type* half = llvm::Type::getHalfTy(call.getContext());
  add_access(call, ref, is_store ? AccessOp::store : AccessOp::load, *half, address_of(pointer));
  finish_ref(is_store ? Code::store : Code::load, ref, call);
  for (std::size_t i = count; i < values.size(); ++i)
    emit(Code::copy32, values[i], constant(Kind::row32, 0));
}

/// (m, n, k, types of A, B and C, and, saturated, A, B, C) → D: vectors of registers of 32 bits or, of
/// f64, of 64. The types are numbers of enum class MatrixType. Of quad pairs A by columns and B by rows stand in the
/// place of and and saturated.
void LowerFunction::emit_product(llvm::CallInst& call, bool of_quads) {
  constexpr unsigned kMatrices = 8;
  std::uint64_t given[kMatrices];
  for (unsigned i = 0; i < kMatrices; ++i) given[i] = known_number(call, i);
  MatrixCall product;
  product.form = {
      {static_cast<int>(given[0]), static_cast<int>(given[1]), static_cast<int>(given[2])},
      static_cast<MatrixType>(given[3]),
      static_cast<MatrixType>(given[4]),
      static_cast<MatrixType>(given[5]),
      !of_quads && given[6] == 1,
      !of_quads && given[7] == 1,
      of_quads && given[6] == 1,
      of_quads && given[7] == 1};
  const bool in_range = given[3] <= static_cast<unsigned>(MatrixType::s32) &&
                        given[4] <= static_cast<unsigned>(MatrixType::s32) &&
                        given[5] <= static_cast<unsigned>(MatrixType::s32);
  if (!in_range || !is_known(product.form))
    return unsupported(call, say::inline_ptx("mma." + matrix_shape_name(product.form.shape)));
  unsigned next = kMatrices;
  const auto take = [&](MatrixRole role, std::array<std::uint32_t, 8>& rows) {
    const Parts registers = parts(*call.getArgOperand(next++));
    const int count = Fragment(product.form, role).registers();
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) rows[i] = registers[i].index;
    return static_cast<std::uint8_t>(count);
  };
  product.a_count = take(MatrixRole::a, product.a);
  product.b_count = take(MatrixRole::b, product.b);
  product.c_count = take(MatrixRole::accumulator, product.c);
  const Parts results = define(call);
  for (std::size_t i = 0; i < product.c_count; ++i) product.d[i] = results[i].index;
  info_ = tables_.op_info(&call, StepKind::warp_op, tables_.position(call.getDebugLoc()));
  code_.products.push_back(product);
  emit(Code::multiply, {},
       Part{Kind::product, static_cast<std::uint32_t>(code_.products.size() - 1)});
  for (std::size_t i = product.c_count; i < results.size(); ++i)
    emit(results[i].kind == Kind::row64 ? Code::copy64 : Code::copy32, results[i],
         constant(results[i].kind, 0));
}

/// The access, and the step that stands for it.
std::uint32_t LowerFunction::add_engine_access(llvm::CallInst& call, MemorySpace space, AccessOp op,
                                               Service service, std::uint32_t dimensions) {
  LowerTables::AccessShape shape;
  shape.space = space, shape.op = op, shape.service = service, shape.bytes = 16,
  shape.components = dimensions;
  const std::uint32_t access = tables_.access(call, shape);
  info_ = tables_.op_info(&call, StepKind::warp_op, tables_.position(call.getDebugLoc()),
                          static_cast<int>(access));
  return access;
}

/// (n, k, types of A, B and D, saturated, A and B negated, by columns, A in registers, D added to, descriptors of B and
/// A, A's registers, D's) → D's registers
void LowerFunction::emit_group_product(llvm::CallInst& call) {
  const auto row = [&](unsigned argument) { return part(*call.getArgOperand(argument)).index; };
  const auto number = [&](unsigned argument) {
    return static_cast<int>(known_number(call, argument));
  };
  const auto flag = [&](unsigned argument) { return known_number(call, argument) == 1; };
  GroupProduct product;
  product.form = {{64, number(0), number(1)},
                  static_cast<MatrixType>(number(2)),
                  static_cast<MatrixType>(number(3)),
                  static_cast<MatrixType>(number(4)),
                  false,
                  flag(5)};
  product.negates_a = flag(6), product.negates_b = flag(7);
  product.a_by_columns = flag(8), product.b_by_columns = flag(9);
  const bool in_registers = flag(10);
  product.adds = row(11);
  product.b_descriptor = row(12);
  if (!in_registers) product.a_descriptor = row(13);
  for (unsigned i = 0; i < 4 && in_registers; ++i) product.a[i] = row(14 + i);
  for (unsigned i = 18; i < call.arg_size(); ++i) product.c.push_back(row(i));
  for (const Part& result : define(call)) product.d.push_back(result.index);
  product.access = add_engine_access(call, MemorySpace::shared, AccessOp::product, Service::load);
  code_.group_products.push_back(std::move(product));
  emit(Code::group_multiply, {},
       Part{Kind::group_product, static_cast<std::uint32_t>(code_.group_products.size() - 1)});
}

/// (shared, global or tensor map, bytes, mbarrier, to shared memory, dimensions, five coordinates{, three offsets of an image's pixels}{, blocks of the cluster, or what is
/// done with what lies there and the type of that})
void LowerFunction::emit_bulk_copy(llvm::CallInst& call) {
  const auto row = [&](unsigned argument) { return part(*call.getArgOperand(argument)).index; };
  BulkCopy copy;
  copy.shared = row(0), copy.global = row(1);
  copy.to_shared = known_number(call, 4) == 1;
  copy.dimensions = static_cast<std::uint8_t>(known_number(call, 5));
  if (copy.dimensions == 0) copy.bytes = row(2);
  if (!llvm::isa<llvm::ConstantPointerNull>(call.getArgOperand(3))) copy.mbarrier = row(3);
  for (unsigned d = 0; d < copy.dimensions; ++d) copy.coordinates[d] = row(6 + d);
  const bool is_image = call.arg_size() >= 14;
  for (unsigned d = 0; is_image && d < 3; ++d) copy.offsets[d] = row(11 + d);
  const unsigned behind = is_image ? 14 : 11;
  if (call.arg_size() == behind + 1) copy.multicast = row(behind);
  if (call.arg_size() == behind + 2) {
    copy.reduction = static_cast<BulkReduction>(known_number(call, behind));
    copy.element = static_cast<TensorElement>(known_number(call, behind + 1));
    tables_.program().has_global_atomics = true;
  }
  copy.access = add_engine_access(
      call, MemorySpace::global, copy.to_shared ? AccessOp::bulk_load : AccessOp::bulk_store,
      copy.reduction == BulkReduction::none ? Service::load : Service::atomic, copy.dimensions);
  code_.bulk_copies.push_back(copy);
  emit(Code::bulk_copy, {},
       Part{Kind::bulk_copy, static_cast<std::uint32_t>(code_.bulk_copies.size() - 1)});
}

}  // namespace lanescope
