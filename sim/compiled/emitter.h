// Makes one LLVM function of a flat program. Private to the emit_*.cpp files and machine_code.cpp.
//
// A row that is uniform + pattern is one scalar, in a variable that becomes a register; any other row is
// a vector of 32 lanes, which lives in memory between blocks and in registers within one. A predicate
// is 32 bits. Where the quick way of an operation does not apply, its operands are put where the
// interpreter has them, and the interpreter executes it.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <map>
#include <string_view>
#include <vector>

#include "compiled/compiled_frame.h"

namespace lanescope {

class Emitter {
 public:
  Emitter(const Machine& machine, LaneShapes& shapes, llvm::Module& module);
  /// `std::uint32_t (Frame*, std::uint32_t pc)`
  void run(std::string_view name);

 private:
  using Value = llvm::Value*;
  using Values = std::vector<Value>;
  using Block = llvm::BasicBlock*;
  using Way = llvm::function_ref<Values()>;

  // emit_flow.cpp
  void find_widths();
  void find_exposed();
  void expose_uses(std::uint32_t pc, std::vector<std::uint32_t>& written, std::uint32_t segment);
  void begin_function(std::string_view name);
  void emit_entry();
  void emit_resumes();
  void emit_dispatch();
  void emit_block(std::uint32_t index);
  void emit_look(std::uint32_t index);
  [[nodiscard]] bool reads_flag(const Op& op) const;
  [[nodiscard]] std::vector<bool> find_polls() const;
  void hand_over();
  void emit_operation(std::uint32_t pc, const Op& op);
  void emit_control(std::uint32_t pc, const Op& op);
  void emit_branch(std::uint32_t pc, const Op& op);
  void emit_barrier(std::uint32_t pc, const Op& op);
  void go_to(std::uint32_t target);
  void dispatch_to(Value pc);
  void give_back(Value code);
  Value is_whole();
  /// Ends the function unless `code` says go on.
  void unless_going_on(Value code);
  void load_position();
  Values branch(Value condition, Way yes, Way no);
  Values where_there_is(Value data, Way move);

  // emit_rows.cpp: rows and predicates
  [[nodiscard]] const LaneShape& shape(std::uint32_t row) const { return shapes_.rows[row]; }
  [[nodiscard]] bool is_prefilled(std::uint32_t row) const { return prefilled_[row]; }
  llvm::Type* lane_type(std::uint32_t row) { return wide_[row] ? i64_ : i32_; }
  llvm::FixedVectorType* row_type(std::uint32_t row) { return wide_[row] ? row64_ : row32_; }
  Value constant_lanes(const LanePattern& lanes, llvm::Type* element);
  Value scalar(std::uint32_t row);
  Value lanes(std::uint32_t row);
  Value with_pattern(Value scalar, std::uint32_t pattern);
  void set_scalar(std::uint32_t row, Value value);
  void set_lanes(std::uint32_t row, Value value);
  Value predicate(std::uint32_t predicate);
  void set_predicate(std::uint32_t predicate, Value value);
  /// Where a row lies between blocks; where called operations find it.
  Value home(std::uint32_t row);
  Value machine_row(std::uint32_t row);
  void spill(std::uint32_t row);
  void spill_predicate(std::uint32_t predicate);
  Value machine_value(std::uint32_t row);
  Value field(std::size_t offset, llvm::Type* type, const char* name = "");
  Value field_place(std::size_t offset);
  Value step(Value pointer, std::uint64_t bytes);
  Value i32(std::uint64_t value) { return llvm::ConstantInt::get(i32_, value); }
  Value i64(std::uint64_t value) { return llvm::ConstantInt::get(i64_, value); }
  Value full() { return i32(kAllLanes); }
  Value mask();
  Value bits(Value mask) { return b_.CreateBitCast(mask, lanes_of(i1_)); }
  Value mask_of(Value bits) { return b_.CreateBitCast(bits, i32_); }
  llvm::FixedVectorType* lanes_of(llvm::Type* element) {
    return llvm::FixedVectorType::get(element, kLanes);
  }
  Block new_block(const char* name) { return llvm::BasicBlock::Create(context_, name, function_); }
  template <class Function>
  Value call(Function* function, std::initializer_list<Value> arguments) {
    std::vector<llvm::Type*> types;
    for (Value v : arguments) types.push_back(v->getType());
    llvm::FunctionCallee callee(
        llvm::FunctionType::get(i32_, types, false),
        b_.CreateIntToPtr(i64(reinterpret_cast<std::uintptr_t>(function)), pointer_));
    return b_.CreateCall(callee, llvm::ArrayRef(arguments.begin(), arguments.size()));
  }

  // emit_operations.cpp: arithmetic
  void emit_lanewise(std::uint32_t pc, const Op& op);
  void emit_arithmetic(std::uint32_t pc, const Op& op);
  void emit_comparison(const Op& op);
  void emit_selection(const Op& op);
  void emit_masked_copy(std::uint32_t pc, const Op& op);
  void emit_logic(const Op& op);
  void emit_address(const Op& op);
  Value lane_addresses(const MemRef& ref);
  Value native(Code code, Value x, Value y, Value z);
  Value native_integer(Code code, Value x, Value y);
  Value native_division(Code code, Value x, Value y);
  Value native_float(Code code, Value x, Value y, Value z);
  Value native_conversion(Code code, Value x, Value y);
  Value compared(Code code, Value x, Value y);
  Value as_float(Value value, bool wide);
  Value as_integer(Value value);
  Value like(Value value, std::uint64_t bits);
  llvm::Type* integer_like(Value value, llvm::Type* element);

  // emit_called.cpp: by the interpreter; and warp operations
  void emit_called(std::uint32_t pc, const Op& op);
  void call_interpreter(std::uint32_t pc, const Op& op);
  Values either_way(std::uint32_t pc, const Op& op, Value holds, Way quick_way);
  void set_results(const Op& op, const Values& values);
  void spill_operands(const Op& op);
  void take_results(const Op& op);
  void emit_warp(std::uint32_t pc, const Op& op);
  bool is_quick_warp(const Op& op) const;
  bool is_quick_shuffle(const WarpCall& call) const;
  Values quick_warp(const Op& op);
  Value quick_shuffle(const WarpCall& call);
  bool names_all_lanes(std::uint32_t row) const;

  // emit_access.cpp
  struct Place {
    /// Index in FlatCode::refs
    std::uint32_t reference = 0;
    /// Of the first lane, and of the region
    Value address, offset, data;
    LanePattern lanes;
    MemorySpace space{};
  };
  void emit_access(std::uint32_t pc, const Op& op);
  Values quick(std::uint32_t pc, const Op& op, const ShapedResult& address);
  Values whole_quick(const Op& op, const Place& place);
  Values whole_or_part(std::uint32_t pc, const Op& op, const Place& place, Value all);
  static bool is_row(const MemRef& ref, const LanePattern& lanes);
  Values move_part(std::uint32_t pc, const Op& op, const Place& place);
  Value slot_of(const MemRef& ref, const Place& place);
  Value of_region(const Op& op, std::size_t offset, llvm::Type* type);
  Value base_of_region(const Op& op);
  Value is_in_space(const Op& op, MemorySpace space);
  Value is_inside(const Op& op, Value offset, std::uint64_t reach);
  static MemorySpace expected_space(const MemRef& ref);
  static bool is_served_apart(const MemRef& ref);
  bool is_quick(const Op& op, const ShapedResult& address) const;
  Value first_address(const MemRef& ref, std::int64_t plus, Value& holds);
  void fetch_ahead(const Place& place);
  Value gone_since(std::uint32_t reference, Value offset);
  void fetch(Value address, bool is_near);
  void count_one(std::uint32_t reference, Value slot, Value times = nullptr);
  static bool is_apart(const MemRef& ref, const LanePattern& lanes);
  void count_part(std::uint32_t pc, const MemRef& ref, const Place& place);
  static LanePattern component_lanes(const MemRef& ref, const Place& place,
                                     std::uint32_t component);
  Values load_quick(const MemRef& ref, const Place& place);
  void store_quick(const MemRef& ref, const Place& place);
  Values load_local(const MemRef& ref, const Place& place);
  void store_local(const MemRef& ref, const Place& place);
  Value local_row(const Place& place, std::uint32_t component);
  Value load_lanes(Value from, const LanePattern& lanes, std::uint32_t bytes);
  void store_lanes(Value to, const LanePattern& lanes, const MemRef& ref, Value value);

  // emit_loose.cpp
  bool is_loose(const Op& op) const;
  Values loose(std::uint32_t pc, const Op& op);
  void fetch_some_ahead(std::uint32_t reference, Value data, Value offsets);
  static bool is_narrow(const MemRef& ref);
  Value narrow_offsets(const MemRef& ref, Value& holds);
  Value wide(Value offsets);
  void call_count(std::uint32_t pc, const Op& op, Value offsets);
  Value banks_of(Value offsets);
  Value most_in_bank(Value banks);
  void count_loose(std::uint32_t pc, const Op& op, Value offsets);
  Values gather(const MemRef& ref, Value data, Value offsets, bool keeps);
  Values add_atomically(const MemRef& ref, Value data, Value offsets);
  void add_each(Value data, Value offsets, Value value, bool keeps_old);
  void scatter(const MemRef& ref, Value data, Value offsets);

  const Machine& machine_;
  const FlatCode& code_;
  LaneShapes& shapes_;
  llvm::Module& module_;
  llvm::LLVMContext& context_;
  llvm::IRBuilder<> b_;
  llvm::Function* function_ = nullptr;
  llvm::Type *i1_, *i8_, *i32_, *i64_, *pointer_;
  llvm::FixedVectorType *row32_, *row64_;

  Value frame_ = nullptr, rows_ = nullptr, kept_ = nullptr, predicates_ = nullptr;
  Value regions_ = nullptr, fast_ = nullptr, entries_ = nullptr, local_ = nullptr;
  Value last_offsets_ = nullptr;
  /// Variables: active lanes, where they meet, warp instructions, the last jump or branch, where
  /// execution goes on
  Value mask_ = nullptr, meet_ = nullptr, executed_ = nullptr, last_ = nullptr, next_ = nullptr;
  /// Room for 32 addresses, and 32 values
  Value lanes_ = nullptr, values_ = nullptr;
  Block dispatch_ = nullptr;
  /// Variables stay in memory: where lanes part at many branches, registers for them all would have to be
  /// brought together at each
  bool in_memory_ = false;
  std::vector<Block> headers_;
  /// By pc, after each barrier
  std::map<std::uint32_t, Block> resumes_;
  std::vector<bool> wide_, exposed_, used_, prefilled_;
  /// By FlatBlock: lanes may wait there for memory to change
  std::vector<bool> polls_;
  Values variables_, predicate_variables_;
  /// Rows of this block that are in registers
  std::map<std::uint32_t, Value> here_;
};

}  // namespace lanescope
