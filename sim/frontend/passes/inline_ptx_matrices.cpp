// Products of matrices and fragments of them: mma and wmma.
#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "frontend/passes/ptx_expansion.h"
#include "lanescope/fragments.h"

namespace lanescope {
namespace {

/// m16n8k16
MatrixShape shape_named(const std::string& name) {
  MatrixShape shape;
  char* end = const_cast<char*>(name.c_str());
  const auto number = [&end](char letter) {
    return *end == letter ? static_cast<int>(std::strtol(end + 1, &end, 10)) : 0;
  };
  shape.m = number('m');
  shape.n = number('n');
  shape.k = number('k');
  return shape;
}

/// mma.sync.aligned.SHAPE.row.col{.satfinite}.D.A.B.C{.xor.popc}; only m8n8k4 of halves has other layouts. Its sums
/// may begin with halves and be floats: `c` is then another type than the form's.
std::optional<MatrixForm> form_of(const std::vector<std::string>& opcode, MatrixType& of_c) {
  const auto is_layout = [](const std::string& part) { return part == "row" || part == "col"; };
  if (opcode.size() < 10 || !is_layout(opcode[4]) || !is_layout(opcode[5])) return std::nullopt;
  const auto has = [&](const char* part) {
    return std::find(opcode.begin(), opcode.end(), part) != opcode.end();
  };
  const auto types = opcode.begin() + (has("satfinite") ? 7 : 6);
  if (opcode.end() - types < 4) return std::nullopt;
  const auto d = matrix_type_from_name(types[0]), a = matrix_type_from_name(types[1]),
             b = matrix_type_from_name(types[2]), c = matrix_type_from_name(types[3]);
  if (!d || !a || !b || !c) return std::nullopt;
  const MatrixForm form{
      shape_named(opcode[3]), *a, *b, *d, has("and"), has("satfinite"), opcode[4] == "col",
      opcode[5] == "row"};
  const bool widens = form.of_quads() && *d == MatrixType::f32 && *c == MatrixType::f16;
  if ((*d != *c && !widens) || (form.of_quads() && form.saturates)) return std::nullopt;
  of_c = *c;
  return is_known(form) ? std::optional(form) : std::nullopt;
}

/// What the parts of a wmma say, in whatever order.
struct FragmentParts {
  std::string shape;
  /// By rows, of each matrix that the opcode tells it of
  std::vector<bool> by_rows;
  std::vector<std::string> types;
  bool saturates = false;
};

/// Of the parts behind `wmma.load.a` or `wmma.mma`; nothing where one of them is not known.
std::optional<FragmentParts> fragment_parts(const PtxInstruction& instruction, std::size_t first) {
  static const std::vector<std::string> kSilent = {"sync",   "aligned",     "rn",
                                                   "global", "shared::cta", "shared"};
  FragmentParts out;
  for (std::size_t i = first; i < instruction.opcode.size(); ++i) {
    const std::string& part = instruction.opcode[i];
    if (part == "row" || part == "col")
      out.by_rows.push_back(part == "row");
    else if (part.starts_with("m") && shape_named(part).k != 0 && out.shape.empty())
      out.shape = part;
    else if (matrix_type_from_name(part))
      out.types.push_back(part);
    else if (part == "satfinite")
      out.saturates = true;
    else if (std::find(kSilent.begin(), kSilent.end(), part) == kSilent.end())
      return std::nullopt;
  }
  return out.shape.empty() ? std::nullopt : std::optional(out);
}

/// Of rows, or columns, that lie side by side.
int pitch_of(const std::string& role, const FragmentParts& parts) {
  const MatrixShape shape = shape_named(parts.shape);
  const int rows = role == "b" ? shape.k : shape.m, columns = role == "a" ? shape.k : shape.n;
  return parts.by_rows[0] ? columns : rows;
}

bool is_sum_type(const std::string& type) { return type == "f32" || type == "s32"; }

std::size_t count_of(const llvm::Type& type) {
  const auto* several = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  return several != nullptr ? several->getNumElements() : 1;
}

/// Of a fragment: A and B of halves have eight whatever the shape, and what is left over repeats the others.
std::size_t registers_of(bool is_sum, const std::string& type, const llvm::Type& own) {
  return !is_sum && type == "f16" ? 8 : count_of(own);
}

}  // namespace

/// mma d, a, b, c: each a list of registers
bool PtxExpansion::emit_product(const PtxInstruction& instruction) {
  MatrixType of_c{};
  const auto form = form_of(instruction.opcode, of_c);
  if (!form || instruction.operands.size() != 4) return false;
  const bool wide = form->accumulator == MatrixType::f64, quads = form->of_quads();
  llvm::SmallVector<Value, 11> arguments;
  for (const int number : {form->shape.m, form->shape.n, form->shape.k, static_cast<int>(form->a),
                           static_cast<int>(form->b), static_cast<int>(form->accumulator)})
    arguments.push_back(b_.getInt32(static_cast<std::uint32_t>(number)));
  arguments.push_back(b_.getInt1(quads ? form->a_by_columns : form->is_and));
  arguments.push_back(b_.getInt1(quads ? form->b_by_rows : form->saturates));
  MatrixForm given = *form;
  given.accumulator = of_c;
  for (const MatrixRole role : {MatrixRole::a, MatrixRole::b, MatrixRole::accumulator}) {
    const bool is_sum = role == MatrixRole::accumulator;
    Value all = registers_of_matrix(instruction.operands[static_cast<std::size_t>(role) + 1],
                                    Fragment(given, role).registers(), wide,
                                    (wide && !is_sum) || (quads && is_sum) ? 8 : 4);
    if (all == nullptr) return false;
    arguments.push_back(all);
  }
  if (of_c != form->accumulator) {
    llvm::Function* widened = functions_.find("ptx_quads_widened");
    if (widened == nullptr) return false;
    arguments.back() = b_.CreateCall(widened, arguments.back());
  }
  Value result = call_operation(wide    ? "lanescope_multiply_f64"
                                : quads ? "lanescope_multiply_quads"
                                        : "lanescope_multiply",
                                arguments.back()->getType(), arguments);
  const std::vector<PtxOperand> to = flattened(instruction.operands[0]);
  if (static_cast<int>(to.size()) != Fragment(*form, MatrixRole::accumulator).registers())
    return false;
  for (std::size_t i = 0; i < to.size(); ++i)
    if (!write(to[i], b_.CreateExtractElement(result, i))) return false;
  return true;
}

/// So many registers in a vector that has room for more.
llvm::Value* PtxExpansion::registers_of_matrix(const PtxOperand& operand, int count, bool wide,
                                               unsigned room) {
  const std::vector<PtxOperand> registers = flattened(operand);
  if (static_cast<int>(registers.size()) != count) return nullptr;
  Type each = wide ? b_.getDoubleTy() : static_cast<Type>(b_.getInt32Ty());
  Value all = llvm::Constant::getNullValue(llvm::FixedVectorType::get(each, room));
  for (std::size_t i = 0; i < registers.size(); ++i) {
    Value value = read(registers[i], each);
    if (value == nullptr) return nullptr;
    all = b_.CreateInsertElement(all, value, i);
  }
  return all;
}

/// The registers of a list, of which there are `count`, as the function takes them.
llvm::Value* PtxExpansion::read_registers(const PtxOperand& operand, Type type, std::size_t count) {
  const std::vector<PtxOperand> from = flattened(operand);
  if (from.size() != count) return nullptr;
  if (!type->isVectorTy()) return read(from[0], type);
  Value all = llvm::PoisonValue::get(type);
  for (std::size_t i = 0; i < count_of(*type); ++i) {
    Value value = read(from[i], type->getScalarType());
    if (value == nullptr) return nullptr;
    all = b_.CreateInsertElement(all, value, i);
  }
  return all;
}

bool PtxExpansion::write_registers(const PtxOperand& operand, Value value, std::size_t count) {
  const std::vector<PtxOperand> to = flattened(operand);
  if (to.size() != count) return false;
  const std::size_t own = count_of(*value->getType());
  for (std::size_t i = 0; i < count; ++i)
    if (!write(to[i],
               value->getType()->isVectorTy() ? b_.CreateExtractElement(value, i % own) : value))
      return false;
  return true;
}

/// wmma.load.WHICH r, [p]{, pitch}; wmma.store.d [p], r{, pitch}; wmma.mma d, a, b, c
bool PtxExpansion::emit_fragment(const PtxInstruction& instruction, const PtxMeaning& meaning) {
  const std::vector<std::string>& opcode = instruction.opcode;
  const std::vector<PtxOperand>& operands = instruction.operands;
  if (opcode.size() < 3) return false;
  if (opcode[1] == "mma") return emit_fragment_product(instruction);
  const bool stores = opcode[1] == "store";
  const auto parts = fragment_parts(instruction, 3);
  if (!parts || parts->by_rows.size() != 1 || parts->types.size() != 1 || operands.size() < 2 ||
      operands.size() > 3 || parts->saturates || meaning.spaces.size() > 1)
    return false;
  const std::string& type = parts->types[0];
  const bool is_sum = opcode[2] == "c" || opcode[2] == "d";
  if (is_sum != is_sum_type(type) && type != "f16" && type != "f64") return false;
  llvm::Function* function =
      functions_.find(fmt::format("ptx_wmma_{}_{}_{}_{}", opcode[1], opcode[2], parts->shape,
                                  matrix_type_bits(*matrix_type_from_name(type))));
  if (function == nullptr) return false;
  const MemorySpace space = meaning.spaces.empty() ? MemorySpace::generic : meaning.spaces[0];
  Value at = pointer(operands[stores ? 0 : 1], space);
  Value pitch = operands.size() == 3
                    ? read(operands[2], b_.getInt32Ty())
                    : b_.getInt32(static_cast<std::uint32_t>(pitch_of(opcode[2], *parts)));
  if (at == nullptr || pitch == nullptr) return false;
  llvm::SmallVector<Value, 4> arguments{b_.CreateAddrSpaceCast(at, function->getArg(0)->getType()),
                                        pitch, b_.getInt1(parts->by_rows[0])};
  if (stores) {
    Type own = function->getArg(3)->getType();
    arguments.push_back(read_registers(operands[1], own, registers_of(true, type, *own)));
    if (arguments.back() == nullptr) return false;
  }
  llvm::CallInst* result = b_.CreateCall(function, arguments);
  result->setAttributes(function->getAttributes());
  return stores ||
         write_registers(operands[0], result, registers_of(is_sum, type, *result->getType()));
}

/// The types are those of D, A, B and C; of halves only D's and C's are named.
bool PtxExpansion::emit_fragment_product(const PtxInstruction& instruction) {
  const std::vector<PtxOperand>& operands = instruction.operands;
  auto parts = fragment_parts(instruction, 2);
  if (!parts || parts->by_rows.size() != 2 || operands.size() != 4) return false;
  if (parts->types.size() == 2) parts->types.insert(parts->types.begin() + 1, 2, "f16");
  const std::vector<std::string>& types = parts->types;
  if (types.size() != 4 || types[1] != types[2]) return false;
  llvm::Function* function = functions_.find(
      fmt::format("ptx_wmma_mma_{}_{}_{}_{}", parts->shape, types[0], types[1], types[3]));
  if (function == nullptr || (parts->saturates && types[0] == "f64")) return false;
  llvm::SmallVector<Value, 4> arguments;
  for (unsigned i = 0; i < 3; ++i) {
    Type own = function->getArg(i)->getType();
    arguments.push_back(
        read_registers(operands[i + 1], own, registers_of(i == 2, types[i + 1], *own)));
    if (arguments.back() == nullptr) return false;
  }
  arguments.push_back(b_.getInt1(parts->saturates));
  llvm::CallInst* result = b_.CreateCall(function, arguments);
  result->setAttributes(function->getAttributes());
  return write_registers(operands[0], result, count_of(*result->getType()));
}

}  // namespace lanescope
