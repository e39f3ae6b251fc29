// Matrix instructions: lanescope_load_matrix, lanescope_store_matrix and lanescope_multiply of the
// prelude, and of inline PTX.
#include "lower/lower_function.h"
#include "model/messages.h"

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
  if (name == "multiply" || name == "multiply_f64") return emit_product(call), true;
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
/// f64, of 64. The types are numbers of enum class MatrixType.
void LowerFunction::emit_product(llvm::CallInst& call) {
  constexpr unsigned kMatrices = 8;
  std::uint64_t given[kMatrices];
  for (unsigned i = 0; i < kMatrices; ++i) given[i] = known_number(call, i);
  MatrixCall product;
  product.form = {
      {static_cast<int>(given[0]), static_cast<int>(given[1]), static_cast<int>(given[2])},
      static_cast<MatrixType>(given[3]),
      static_cast<MatrixType>(given[4]),
      static_cast<MatrixType>(given[5]),
      given[6] == 1,
      given[7] == 1};
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

}  // namespace lanescope
