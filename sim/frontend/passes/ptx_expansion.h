// One asm statement on its way to IR. Private to the files that expand inline PTX.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Module.h>

#include <map>
#include <string>

#include "ptx/instructions.h"

namespace lanescope {

/// The functions that PTX instructions stand for, and those of the module that call them.
struct PtxFunctions {
  llvm::Module& module;
  /// Where they are defined
  const llvm::Module& meanings;
  bool any_called = false;

  /// Of that name as the module may call it; null if there is none.
  llvm::Function* find(const std::string& name);
};

/// Values of registers are integers of the register's width; whoever needs another type converts.
class PtxExpansion {
 public:
  PtxExpansion(llvm::CallInst& call, PtxFunctions& functions);
  void run();

 private:
  using Value = llvm::Value*;
  using Type = llvm::Type*;

  // inline_ptx.cpp: the statement's operands and its flow
  void map_operands();
  void make_slots(const PtxText& text);
  llvm::AllocaInst* slot(Type type);
  llvm::BasicBlock* block_of(const std::string& label);
  void expand(const PtxInstruction& instruction);
  void expand_guarded(const PtxInstruction& instruction);
  void finish();
  void refuse(const std::string& text);

  // inline_ptx_operands.cpp
  llvm::AllocaInst* slot_of(const PtxOperand& operand);
  /// Null for what is none: an operand that is not there, a name that nobody declared.
  Value read(const PtxOperand& operand, Type wanted);
  Value fit(Value value, Type wanted, bool is_signed = false);
  /// A pointer into that space
  Value pointer(const PtxOperand& address, MemorySpace space);
  bool write(const PtxOperand& operand, Value value, bool is_signed = false);
  Value as_bits(Value value);
  Type bits_type(unsigned bits) { return b_.getIntNTy(bits); }
  Type value_type(PtxType type);

  // inline_ptx_meanings.cpp: false where the instruction is not known
  bool emit(const PtxInstruction& instruction, const PtxMeaning& meaning);
  bool emit_function(const PtxInstruction& instruction, const PtxMeaning& meaning);
  bool read_arguments(const PtxInstruction& instruction, const PtxMeaning& meaning,
                      llvm::Function& function, llvm::ArrayRef<PtxOperand> given,
                      llvm::SmallVectorImpl<Value>& arguments);
  bool write_results(const PtxInstruction& instruction, const PtxMeaning& meaning, Value result);
  llvm::AllocaInst* carry();
  Value call_meaning(const std::string& name, llvm::ArrayRef<Value> arguments);
  bool emit_move(const PtxInstruction& instruction);
  bool emit_comparison(const PtxInstruction& instruction, const PtxMeaning& meaning);
  bool emit_selection(const PtxInstruction& instruction);
  bool emit_branch(const PtxInstruction& instruction);
  bool emit_address(const PtxInstruction& instruction);
  bool is_harmless(const PtxInstruction& instruction, const PtxMeaning& meaning);

  // inline_ptx_matrices.cpp
  bool emit_product(const PtxInstruction& instruction);
  Value registers_of_matrix(const PtxOperand& operand, int count, bool wide, unsigned room);
  bool emit_fragment(const PtxInstruction& instruction, const PtxMeaning& meaning);
  bool emit_fragment_product(const PtxInstruction& instruction);
  Value read_registers(const PtxOperand& operand, Type type, std::size_t count);
  bool write_registers(const PtxOperand& operand, Value value, std::size_t count);

  // inline_ptx_memory.cpp
  bool emit_load(const PtxInstruction& instruction);
  bool emit_store(const PtxInstruction& instruction);
  bool emit_async_store(const PtxInstruction& instruction);
  bool emit_atomic(const PtxInstruction& instruction);
  [[nodiscard]] llvm::SyncScope::ID scope_of(const PtxAccess& access) const;
  Value atomic_result(const PtxAccess& access, Value address, Value operand, Value expected);

  // inline_ptx_groups.cpp
  bool emit_bulk_copy(const PtxInstruction& instruction, const PtxMeaning& meaning);
  bool emit_group_product(const PtxInstruction& instruction);
  llvm::CallInst* call_operation(const std::string& name, Type result,
                                 llvm::ArrayRef<Value> arguments);

  llvm::CallInst& call_;
  PtxFunctions& functions_;
  llvm::IRBuilder<> b_;
  std::string statement_;
  /// By the statement's operands: the values of inputs, the variables of outputs (null for inputs)
  std::vector<Value> inputs_;
  std::vector<llvm::AllocaInst*> outputs_;
  std::map<std::string, llvm::AllocaInst*> registers_;
  /// The carry flag
  llvm::AllocaInst* carry_ = nullptr;
  std::map<std::string, llvm::BasicBlock*> blocks_;
  /// Of the instruction that is being expanded: what is written where it is not set stays
  Value condition_ = nullptr;
  /// Where the code after the statement begins, when it is not the statement's own block
  llvm::BasicBlock* after_ = nullptr;
};

}  // namespace lanescope
