// Lowers one function to one FlatCode. Private to the lower*.cpp files.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include "lower/lower_tables.h"
#include "lower/tensor_variables.h"

namespace lanescope {

/// Where one scalar of a value lives.
struct Part {
  /// row32, row64 or predicate
  using Kind = Operand;
  Kind kind = Kind::none;
  std::uint32_t index = kNone;
};
using Parts = llvm::SmallVector<Part, 4>;

/// A pointer as constant + base + scaled indices; `base` is null when the constant holds an
/// absolute address.
struct Address {
  struct Term {
    const llvm::Value* value = nullptr;
    MemTerm::Kind kind = MemTerm::Kind::i64;
    std::int64_t scale = 0;
  };
  /// An index of an array of `count` elements
  struct Index {
    Term term;
    std::int64_t count = 0;
    const llvm::Type* array = nullptr;
  };
  std::int64_t constant = 0;
  const llvm::Value* base = nullptr;
  llvm::SmallVector<Term, 4> terms;
  /// Innermost first
  llvm::SmallVector<Index, 2> indices;
  /// The pointer itself was moved, between the access and where the walk stands
  bool stepped = false;
  MemorySpace space = MemorySpace::generic;
  std::string root;
};

/// Is what this load reads compared, and branched by?
bool is_polled(const llvm::Instruction& load);

class LowerFunction {
 public:
  LowerFunction(llvm::Function& function, LowerTables& tables, bool recording);
  FlatCode run();
  /// May a loaded value reach an address, a branch, a barrier's mask or a print?
  bool data_steers();

 private:
  // lower_function.cpp: order, liveness, blocks, edges
  void find_needed();
  void need(const llvm::Value* value);
  void need_address(const llvm::Value* pointer);
  llvm::SmallVector<const llvm::Value*, 8> uses_of(const llvm::Instruction& instruction);
  void find_kept();
  /// By block: what lives where it begins
  using LiveValues = std::map<const llvm::BasicBlock*, std::set<const llvm::Value*>>;
  void keep_for_others(const LiveValues& live_in, std::set<const llvm::Value*>& kept);
  void emit_block(llvm::BasicBlock& block);
  void emit_terminator(llvm::Instruction& terminator);
  void emit_switch(llvm::SwitchInst& branch);
  std::uint32_t reconvergence(const llvm::BasicBlock& block);
  void emit_branch(std::uint32_t predicate, const llvm::BasicBlock& from,
                   const llvm::BasicBlock& yes, const llvm::BasicBlock& no);
  void emit_edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  bool has_copies(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const;
  void emit_debug(llvm::Instruction& before);
  void emit_assign(llvm::DbgVariableRecord& record);
  void begin_block();
  void fix_jumps();

  // lower_values.cpp: rows, predicates, constants
  static bool kinds_of(const llvm::Type* type, llvm::SmallVectorImpl<Part::Kind>& kinds);
  Part fresh(Part::Kind kind);
  Parts define(const llvm::Value& value);
  Parts parts(const llvm::Value& value);
  /// What has none, being wider than 64 bits, has a trap before it: behind that any will do, of the kind that is read.
  Part part(const llvm::Value& value) {
    const Parts all = parts(value);
    const bool is_bits = value.getType()->isIntOrIntVectorTy(1);
    if (all.empty()) return constant(is_bits ? Part::Kind::predicate : Part::Kind::row64, 0);
    return all[0];
  }
  Part constant(Part::Kind kind, std::uint64_t bits);
  std::optional<std::uint64_t> constant_bits(const llvm::Constant& value);
  Parts constant_parts(const llvm::Constant& value);
  Part special(Special what);
  void alias(const llvm::Instruction& to, const llvm::Value& from) { set(to, parts(from)); }

  // lower_ops.cpp: arithmetic, casts, comparisons
  void emit(Code code, Part dst, Part a = {}, Part b = {}, Part c = {});
  void emit_instruction(llvm::Instruction& instruction);
  void emit_binary(llvm::BinaryOperator& op);
  Part binary(llvm::Instruction::BinaryOps opcode, const llvm::Type& type, Part a, Part b);
  Part integer_binary(llvm::Instruction::BinaryOps opcode, unsigned width, Part a, Part b);
  Part float_binary(llvm::Instruction::BinaryOps opcode, const llvm::Type& type, Part a, Part b);
  void emit_cast(llvm::CastInst& cast);
  Part cast_part(llvm::Instruction::CastOps opcode, const llvm::Type& from, const llvm::Type& to,
                 Part a);
  Part integer_to_integer(llvm::Instruction::CastOps opcode, unsigned from, unsigned to, Part a);
  void emit_bitcast(llvm::CastInst& cast);
  void emit_compare(llvm::CmpInst& compare);
  Part compare_parts(llvm::CmpInst::Predicate predicate, const llvm::Type& type, Part a, Part b);
  void emit_select(llvm::SelectInst& select);
  void emit_vector(llvm::Instruction& instruction);
  static std::pair<std::size_t, std::size_t> parts_at(const llvm::Type& aggregate,
                                                      llvm::ArrayRef<unsigned> indices);
  /// An operation with a fresh destination, of the kind that the code has.
  Part make(Code code, Part a = {}, Part b = {}, Part c = {});
  Part sign_extend(Part a, unsigned width);
  Part mask_to(Part a, unsigned width);
  Part invert(Part a);
  Part widen_half(Part a) { return make(Code::f16_f32, a); }
  void set(const llvm::Instruction& instruction, Parts values);
  void unsupported(const llvm::Instruction& instruction, const Message& what);

  // lower_calls.cpp
  void emit_call(llvm::CallInst& call);
  void emit_unset(llvm::CallInst& call);
  /// Of the blocks of the grid, or of a cluster
  void emit_grid_barrier(llvm::CallInst& call, bool of_grid);
  void emit_partial_barrier(llvm::CallInst& call, llvm::StringRef name);
  bool emit_intrinsic(llvm::IntrinsicInst& call);
  bool emit_special(llvm::CallInst& call, llvm::StringRef name);
  bool emit_warp_call(llvm::CallInst& call, llvm::StringRef name);
  bool emit_math(llvm::CallInst& call, llvm::StringRef name);
  void emit_transfer(llvm::MemIntrinsic& call);

  // lower_memory.cpp
  const Address& address_of(const llvm::Value* pointer);
  void classify(const llvm::Value* pointer, Address& address);
  MemRef ref_of(const llvm::Value* pointer, std::int64_t extra = 0);
  bool shape_of(const llvm::Type& type, MemRef& ref) const;
  std::uint32_t add_access(const llvm::Instruction& instruction, MemRef& ref, AccessOp op,
                           const llvm::Type& type, const Address& address);
  std::uint32_t add_access(const llvm::Instruction& instruction, MemRef& ref, AccessOp op,
                           const llvm::Type& type, const llvm::Value* pointer);
  void emit_load(llvm::LoadInst& load);
  void emit_store(llvm::StoreInst& store);
  void emit_atomic(llvm::AtomicRMWInst& atomic);
  void emit_half_atomic(llvm::CallInst& call, llvm::StringRef what);
  void emit_mbarrier(llvm::CallInst& call);
  void emit_atomic_call(llvm::CallInst& call, AtomicOp operation, llvm::Type& type);
  void emit_compare_exchange(llvm::AtomicCmpXchgInst& atomic);
  void emit_lea(llvm::Instruction& instruction);
  void emit_async_copy(llvm::CallInst& call);
  void emit_side(const llvm::CallInst& call, Code code, MemRef ref, const void* key,
                 std::uint32_t access);
  void mark(Mark::Kind kind, std::uint32_t count = 0);
  bool emit_async_mark(llvm::CallInst& call, llvm::StringRef name);
  void finish_ref(Code code, MemRef ref, const llvm::Instruction& instruction);

  // lower_origins.cpp
  void link_value(const llvm::StoreInst& store, std::uint32_t access);
  bool comes_round(const llvm::PHINode& phi);

  // lower_matrices.cpp
  bool emit_matrix_call(llvm::CallInst& call, llvm::StringRef name);
  void emit_matrix_access(llvm::CallInst& call, bool is_store);
  void emit_product(llvm::CallInst& call, bool of_quads);
  void emit_group_product(llvm::CallInst& call);
  void emit_bulk_copy(llvm::CallInst& call);
  std::uint32_t add_engine_access(llvm::CallInst& call, MemorySpace space, AccessOp op,
                                  Service service, std::uint32_t dimensions = 0);

  // lower_guards.cpp: what only checks look at
  static Address::Term term_of(const llvm::Value* index, std::int64_t scale);
  static void note_indices(const llvm::GEPOperator& gep, Address& address);
  std::uint32_t guard_of(const llvm::Value* pointer);
  void mark(MemRef& ref, const llvm::Instruction& instruction, std::uint64_t first = 0);
  void emit_scope(const llvm::IntrinsicInst& call, Code code);
  void find_index_products();
  std::uint16_t watched_for(const llvm::BinaryOperator& op) const;

  llvm::Function& function_;
  LowerTables& tables_;
  const bool recording_;
  TensorVariables tensors_;
  FlatCode code_;
  llvm::PostDominatorTree post_dominators_;
  /// Made when a stored value is asked for that needs it
  std::optional<llvm::DominatorTree> dominators_;
  llvm::DenseMap<const llvm::Value*, Parts> slots_;
  llvm::DenseMap<const llvm::Value*, std::unique_ptr<Address>> addresses_;
  /// Pc
  llvm::DenseMap<const llvm::BasicBlock*, std::uint32_t> starts_;
  std::set<const llvm::Value*> needed_, index_products_;
  std::vector<const llvm::Value*> work_;
  std::map<std::pair<int, std::uint64_t>, Part> constants_;
  std::map<const llvm::Instruction*, std::uint32_t> access_of_;
  struct Jump {
    std::uint32_t op;
    int field;
    const llvm::BasicBlock* target;
  };
  std::vector<Jump> jumps_;
  std::uint32_t info_ = 0;
  Part last_fresh_;
};

}  // namespace lanescope
