// The text of an asm statement as instructions, in the form that LLVM hands it on: `$3` is the
// statement's fourth operand, `$$` a dollar sign. What an instruction means is not known here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

/// One operand of an instruction (PTX ISA, "Instruction Operands").
struct PtxOperand {
  enum class Kind : std::uint8_t {
    /// Of the asm statement: `number`
    given,
    /// A register or label of the text, under a `name` that no other scope's has; or a special register
    name,
    /// `bits`, of two's complement
    integer,
    /// `bits` of a float (0f3F800000)
    single,
    /// `bits` of a double (0d…, 1.5)
    real,
    /// [parts[0] + offset]; of a tensor copy further parts follow
    address,
    /// {a, b}
    list,
    /// a|b
    pair,
    /// _
    sink
  };
  Kind kind = Kind::sink;
  std::uint32_t number = 0;
  std::string name;
  std::uint64_t bits = 0;
  /// Bytes
  std::int64_t offset = 0;
  /// !p
  bool negated = false;
  std::vector<PtxOperand> parts;
};

/// The operand, or what a list or pair holds, in order.
std::vector<PtxOperand> flattened(const PtxOperand& operand);

struct PtxInstruction {
  /// Labels that lead here
  std::vector<std::string> labels;
  /// {"ld", "shared", "v4", "f32"}; empty at the end of a text, behind its last label
  std::vector<std::string> opcode;
  std::vector<PtxOperand> operands;
  /// @p, or @!p where it is negated
  std::optional<PtxOperand> guard;
  /// As written, without the semicolon, in one line
  std::string text;
};

/// A register that the text declares.
struct PtxRegister {
  std::string name;
  /// "b32", "pred"
  std::string type;
};

/// What cannot be read, and where: characters from the beginning of the text, from 1 on.
struct PtxError {
  std::string text;
  std::size_t column = 0;
};

struct PtxText {
  std::vector<PtxInstruction> instructions;
  std::vector<PtxRegister> registers;
  /// If there is one, the rest is what was read before it
  std::optional<PtxError> error;
};

PtxText read_ptx(std::string_view text);

}  // namespace lanescope
