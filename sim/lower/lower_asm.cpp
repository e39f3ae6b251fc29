// Inline PTX: asynchronous copies, loads and stores of all widths, address conversions, a few
// special registers. Anything else is a diagnostic where it is executed.
#include <llvm/IR/InlineAsm.h>

#include "lanescope/memory.h"
#include "lower/lower_function.h"
#include "model/messages.h"

namespace lanescope {
namespace {

using Kind = Part::Kind;

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\n\r"),
                    end = text.find_last_not_of(" \t\n\r");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

/// Operands, separated by commas outside of braces and brackets.
std::vector<std::string> split_operands(const std::string& text) {
  std::vector<std::string> out;
  std::string current;
  int depth = 0;
  for (const char c : text) {
    depth += c == '{' || c == '[';
    depth -= c == '}' || c == ']';
    if (c == ',' && depth == 0)
      out.push_back(trimmed(current)), current.clear();
    else
      current += c;
  }
  if (!trimmed(current).empty()) out.push_back(trimmed(current));
  return out;
}

/// Instructions of one asm text, without scopes and comments.
std::vector<std::string> instructions_of(std::string text) {
  for (std::size_t at; (at = text.find("//")) != std::string::npos;)
    text.erase(at, text.find('\n', at) - at);
  std::vector<std::string> out;
  std::string current;
  for (const char c : text + ";") {
    if (c != ';') {
      current += c;
      continue;
    }
    if (std::string one = trimmed(current); !one.empty()) out.push_back(std::move(one));
    current.clear();
  }
  return out;
}

/// $3 → 3; −1 for anything else.
int operand_number(const std::string& text) {
  if (text.size() < 2 || text[0] != '$') return -1;
  std::string digits = text.substr(1);
  if (digits.front() == '{') digits = digits.substr(1, digits.find_first_of(":}") - 1);
  return !digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos
             ? std::stoi(digits)
             : -1;
}

struct PtxType {
  unsigned bytes = 0;
  bool is_float = false;
};
PtxType type_of(const std::string& opcode) {
  const std::string suffix = opcode.substr(opcode.rfind('.') + 1);
  if (suffix.size() < 2 || std::string("bsuf").find(suffix[0]) == std::string::npos) return {};
  const std::string bits = suffix.substr(1);
  const unsigned bytes = bits == "8"    ? 1
                         : bits == "16" ? 2
                         : bits == "32" ? 4
                         : bits == "64" ? 8
                                        : 0;
  return {bytes, suffix[0] == 'f'};
}

}  // namespace

/// A register or immediate operand. Outputs come first in LLVM's numbering; they are the call's
/// result.
Part LowerFunction::ptx_operand(llvm::CallInst& call, const std::string& text, bool& ok) {
  const auto* asm_text = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  const int number = operand_number(text);
  if (number < 0) {
    char* end = nullptr;
    const long long value = std::strtoll(text.c_str(), &end, 0);
    ok = ok && end != text.c_str() && *end == '\0';
    return constant(Kind::row32, static_cast<std::uint32_t>(value));
  }
  int outputs = 0;
  for (const llvm::InlineAsm::ConstraintInfo& info : asm_text->ParseConstraints())
    outputs += info.Type == llvm::InlineAsm::isOutput;
  if (number < outputs) {
    const Parts results = define(call);
    if (static_cast<std::size_t>(number) < results.size())
      return results[static_cast<std::size_t>(number)];
  } else if (static_cast<unsigned>(number - outputs) < call.arg_size()) {
    return part(*call.getArgOperand(static_cast<unsigned>(number - outputs)));
  }
  ok = false;
  return constant(Kind::row32, 0);
}

MemRef LowerFunction::ptx_address(llvm::CallInst& call, const std::string& text, bool in_shared,
                                  bool& ok) {
  MemRef ref;
  std::string inner = text.size() > 2 && text.front() == '[' && text.back() == ']'
                          ? trimmed(text.substr(1, text.size() - 2))
                          : "";
  std::int64_t offset = 0;
  if (const std::size_t plus = inner.find('+'); plus != std::string::npos) {
    offset = std::strtoll(inner.c_str() + plus + 1, nullptr, 0);
    inner = trimmed(inner.substr(0, plus));
  }
  ok = ok && operand_number(inner) >= 0;
  const Part base = ptx_operand(call, inner, ok);
  ref.terms.push_back(
      {base.kind == Kind::row64 ? MemTerm::Kind::i64 : MemTerm::Kind::u32, base.index, 1});
  ref.constant = offset + (in_shared ? static_cast<std::int64_t>(kSharedWindow) : 0);
  ref.space = in_shared ? MemorySpace::shared : MemorySpace::global;
  return ref;
}

bool LowerFunction::emit_ptx_memory(llvm::CallInst& call, const std::string& opcode,
                                    const std::vector<std::string>& operands) {
  const bool is_store = opcode.starts_with("st"),
             in_shared = opcode.find(".shared") != std::string::npos;
  if (!in_shared && opcode.find(".global") == std::string::npos) return false;
  const PtxType type = type_of(opcode);
  if (type.bytes == 0 || operands.size() != 2) return false;
  bool ok = true;
  MemRef ref = ptx_address(call, operands[is_store ? 0 : 1], in_shared, ok);
  std::string values = operands[is_store ? 1 : 0];
  if (values.size() > 2 && values.front() == '{') values = values.substr(1, values.size() - 2);
  const std::vector<std::string> list = split_operands(values);
  if (list.empty() || list.size() > 4) return false;
  for (std::size_t i = 0; i < list.size(); ++i) ref.value[i] = ptx_operand(call, list[i], ok).index;
  if (!ok) return false;
  ref.is_store = is_store;
  ref.is_ordered =
      opcode.find(".acquire") != std::string::npos || opcode.find(".release") != std::string::npos;
  if (ref.is_ordered || opcode.find(".relaxed") != std::string::npos)
    ref.strength = Strength::flag;
  else if (opcode.find(".volatile") != std::string::npos)
    ref.strength = is_polled(call) ? Strength::flag : Strength::is_volatile;
  llvm::LLVMContext& context = call.getContext();
  llvm::Type* scalar = type.is_float ? (type.bytes == 8   ? llvm::Type::getDoubleTy(context)
                                        : type.bytes == 4 ? llvm::Type::getFloatTy(context)
                                                          : llvm::Type::getHalfTy(context))
                                     : llvm::IntegerType::get(context, type.bytes * 8);
  llvm::Type* whole = list.size() == 1
                          ? scalar
                          : llvm::FixedVectorType::get(scalar, static_cast<unsigned>(list.size()));
  Address address;
  address.space = ref.space;
  add_access(call, ref, is_store ? AccessOp::store : AccessOp::load, *whole, address);
  finish_ref(is_store ? Code::store : Code::load, ref, call);
  return true;
}

/// A number that is known when the kernel is compiled; 0 for any other.
std::uint32_t LowerFunction::ptx_count(llvm::CallInst& call, const std::string& text) {
  const int number = operand_number(text);
  if (number < 0) return static_cast<std::uint32_t>(std::strtoll(text.c_str(), nullptr, 0));
  const auto* asm_text = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  int outputs = 0;
  for (const llvm::InlineAsm::ConstraintInfo& info : asm_text->ParseConstraints())
    outputs += info.Type == llvm::InlineAsm::isOutput;
  if (number < outputs || static_cast<unsigned>(number - outputs) >= call.arg_size()) return 0;
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(
      call.getArgOperand(static_cast<unsigned>(number - outputs)));
  return known != nullptr ? static_cast<std::uint32_t>(known->getZExtValue()) : 0;
}

/// Cp.async.cg.shared.global [to], [from], bytes
bool LowerFunction::emit_ptx_copy(llvm::CallInst& call, const std::vector<std::string>& operands) {
  if (operands.size() != 3) return false;
  bool ok = true;
  MemRef to = ptx_address(call, operands[0], true, ok),
         from = ptx_address(call, operands[1], false, ok);
  const std::uint32_t bytes = ptx_count(call, operands[2]);
  if (!ok || (bytes != 4 && bytes != 8 && bytes != 16)) return false;
  Address shared, global;
  shared.space = MemorySpace::shared;
  global.space = MemorySpace::global;
  emit_copy_pair(call, std::move(to), std::move(from), static_cast<unsigned>(bytes / 4), shared,
                 global);
  return true;
}

/// A special register by its PTX name, as a 32-bit row (64 for the counters that have them).
std::optional<Part> LowerFunction::ptx_special(const std::string& name) {
  static const std::map<std::string, Special> kPlain = {
      {"%laneid", Special::laneid},     {"%warpid", Special::warpid},
      {"%tid.x", Special::tid_x},       {"%tid.y", Special::tid_y},
      {"%tid.z", Special::tid_z},       {"%ntid.x", Special::ntid_x},
      {"%ntid.y", Special::ntid_y},     {"%ntid.z", Special::ntid_z},
      {"%ctaid.x", Special::ctaid_x},   {"%ctaid.y", Special::ctaid_y},
      {"%ctaid.z", Special::ctaid_z},   {"%nctaid.x", Special::nctaid_x},
      {"%nctaid.y", Special::nctaid_y}, {"%nctaid.z", Special::nctaid_z}};
  if (const auto found = kPlain.find(name); found != kPlain.end()) return special(found->second);
  if (name == "%clock64" || name == "%globaltimer") return make(Code::clock);
  if (name == "%clock" || name == "%clock_lo")
    return integer_to_integer(llvm::Instruction::Trunc, 64, 32, make(Code::clock));
  if (!name.starts_with("%lanemask_")) return std::nullopt;
  const Part one = constant(Kind::row32, 1), all = constant(Kind::row32, ~0u);
  const Part own = make(Code::shl32, one, special(Special::laneid));
  const Part below = make(Code::sub32, own, one);
  const std::string which = name.substr(sizeof("%lanemask_") - 1);
  if (which == "eq") return own;
  if (which == "lt") return below;
  if (which == "ge") return make(Code::xor32, below, all);
  const Part up_to = make(Code::or32, below, own);
  if (which == "le") return up_to;
  if (which == "gt") return make(Code::xor32, up_to, all);
  return std::nullopt;
}

bool LowerFunction::emit_ptx(llvm::CallInst& call, const std::string& opcode,
                             const std::vector<std::string>& operands) {
  if (opcode.starts_with("cp.async.commit_group")) return mark(Mark::Kind::commit), true;
  if (opcode.starts_with("cp.async.wait_group") && operands.size() == 1)
    return mark(Mark::Kind::wait, ptx_count(call, operands[0])), true;
  if (opcode.starts_with("cp.async.wait")) return mark(Mark::Kind::wait_all), true;
  if (opcode.starts_with("membar") || opcode.starts_with("fence"))
    return mark(opcode.ends_with(".cta") ? Mark::Kind::fence_block : Mark::Kind::fence_device),
           true;
  if ((opcode == "bar.sync" || opcode == "barrier.sync") && operands.size() == 1 &&
      operands[0] == "0") {
    info_ = tables_.op_info(&call, StepKind::barrier, tables_.position(call.getDebugLoc()));
    return emit(Code::barrier, {}), true;
  }
  if (opcode.starts_with("cp.async.")) return emit_ptx_copy(call, operands);
  if (opcode.starts_with("ld.") || opcode.starts_with("st."))
    return emit_ptx_memory(call, opcode, operands);
  bool ok = operands.size() == 2;
  if (!ok) return false;
  const Part to = ptx_operand(call, operands[0], ok);
  if (opcode.starts_with("mov.") && operands[1].starts_with("%")) {
    const std::optional<Part> from = ptx_special(operands[1]);
    if (!from || from->kind != to.kind) return false;
    emit(to.kind == Kind::row64 ? Code::copy64 : Code::copy32, to, *from);
    return ok;
  }
  const Part from = ptx_operand(call, operands[1], ok);
  if (!ok) return false;
  if (opcode.starts_with("mov.") && from.kind == to.kind)
    return emit(to.kind == Kind::row64 ? Code::copy64 : Code::copy32, to, from), true;
  if (opcode.starts_with("cvta.") && from.kind == Kind::row64 && to.kind == Kind::row64) {
    // Only the shared window has addresses of its own; cvta.to leaves the generic form.
    const bool shared = opcode.find("shared") != std::string::npos,
               leaves = opcode.starts_with("cvta.to");
    if (!shared) return emit(Code::copy64, to, from), true;
    return emit(leaves ? Code::sub64 : Code::add64, to, from, constant(Kind::row64, kSharedWindow)),
           true;
  }
  return false;
}

void LowerFunction::emit_asm(llvm::CallInst& call) {
  const auto* asm_text = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  if (!call.getType()->isVoidTy()) define(call);
  for (const std::string& instruction : instructions_of(std::string(asm_text->getAsmString()))) {
    const std::size_t space = instruction.find_first_of(" \t\n");
    const std::string opcode = instruction.substr(0, space);
    const std::vector<std::string> operands = space == std::string::npos
                                                  ? std::vector<std::string>{}
                                                  : split_operands(instruction.substr(space));
    if (!emit_ptx(call, opcode, operands)) return unsupported(call, say::inline_ptx(instruction));
  }
}

}  // namespace lanescope
