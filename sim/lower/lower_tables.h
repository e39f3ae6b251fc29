// What both forms of a program share while lowering: accesses, operation infos, variables, memory
// layout.
#pragma once

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <map>
#include <optional>
#include <set>

#include "lower/flat.h"
#include "lower/lower.h"

namespace lanescope {

/// Fills the program's tables; asked again for the same thing, it gives the same index.
class LowerTables {
 public:
  LowerTables(const LowerInput& input, FlatProgram& program);

  FlatProgram& program() { return program_; }
  KernelInfo& info() { return program_.mutable_info(); }
  const LowerInput& input() const { return input_; }
  const llvm::DataLayout& layout() const { return input_.module->getDataLayout(); }

  /// The innermost position inside the kernel text, through inlined functions of the prelude and of headers; where
  /// there is none, inside a header of the text's own that holds kernels.
  SourcePos position(const llvm::DebugLoc& location) const;
  /// Line 0 in a file that is not told of.
  SourcePos place(llvm::StringRef file, std::uint32_t line, std::uint32_t column) const;
  /// Index in KernelInfo::ops; `key` stands for what is executed, the same in both forms.
  std::uint32_t op_info(const void* key, StepKind kind, SourcePos pos, int access = -1,
                        int variable = -1);
  /// Index in FlatProgram::traps.
  std::uint32_t trap(const Message& what);

  struct AccessShape {
    MemorySpace space = MemorySpace::generic;
    AccessOp op = AccessOp::load;
    Service service = Service::load;
    bool transposed = false;
    /// Of a lane, in all components
    std::uint32_t bytes = 4, components = 1;
    ScalarType element = ScalarType::unknown;
    std::string root;
  };
  /// Index in KernelInfo::accesses.
  std::uint32_t access(const llvm::Instruction& instruction, const AccessShape& shape);
  /// The store keeps what the load brought.
  void link_store(std::uint32_t store, ValueSource source);

  /// Index in KernelInfo::variables, of one component where `fragment_bits` says at which bit it
  /// begins; -1 when the variable is not of the kernel text.
  int variable(const llvm::DILocalVariable& variable, std::optional<std::uint64_t> fragment_bits,
               const llvm::DILocation* at);

  /// Virtual address of a module-level variable; nullopt if it has none (external host variable).
  std::optional<std::uint64_t> address(const llvm::GlobalVariable& global);
  MemorySpace space(const llvm::GlobalVariable& global) const;
  /// The name in the source: "tile".
  std::string source_name(const llvm::GlobalVariable& global) const;
  /// Offset in bytes of a stack slot in a thread's local memory.
  std::uint32_t local_offset(const llvm::AllocaInst& slot);
  /// Variables that are larger than any device has room for, as errors where they are declared.
  std::vector<Diagnostic>& refusals() { return refusals_; }
  /// Index in FlatProgram::objects of a variable or stack slot; nullopt if it is neither, or has no
  /// address.
  std::optional<std::uint32_t> object(const llvm::Value& value);
  /// What stands there is written in one of our own headers; in the one of that name.
  bool in_prelude(const llvm::DebugLoc& location) const;
  bool in_header(const llvm::DebugLoc& location, llvm::StringRef name) const;
  /// A position in such a file is one in the kernel text.
  bool in_text(llvm::StringRef file) const;

 private:
  void add_shared(const llvm::GlobalVariable& global);
  void add_image(const llvm::GlobalVariable& global);
  void add_heap(std::uint64_t variable);
  /// False, and refused, where `bytes` more than there are already pass the limit.
  bool fits(const std::string& name, SourcePos declared, std::uint64_t before, std::uint64_t bytes,
            const Message& what, std::uint64_t limit);
  AccessText text_of(const SourcePos& pos, AccessOp op) const;
  static std::string instruction_name(const AccessShape& shape);

  const LowerInput& input_;
  FlatProgram& program_;
  std::map<std::pair<const void*, StepKind>, std::uint32_t> op_infos_;
  std::map<std::tuple<SourcePos, AccessOp, Service, std::uint32_t, MemorySpace, std::string>,
           std::uint32_t>
      accesses_;
  std::map<std::pair<const llvm::DILocalVariable*, std::uint64_t>, int> variables_;
  std::map<const llvm::GlobalVariable*, std::uint64_t> addresses_;
  std::map<const llvm::AllocaInst*, std::uint32_t> locals_;
  std::map<const llvm::Value*, std::uint32_t> objects_;
  std::map<std::string, std::uint32_t> traps_;
  std::uint64_t constant_bytes_ = 0;
  std::vector<Diagnostic> refusals_;
};

}  // namespace lanescope
