// Our own pass pipeline. Clang's O2 duplicates code and merges variables; this one inlines
// everything into the kernel and promotes variables to SSA, and leaves every access of the source
// where it is.
#include "frontend/passes/ir_passes.h"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/Path.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LowerMemIntrinsics.h>

#include "frontend/passes/fused_products.h"
#include "frontend/passes/indirect_calls.h"
#include "frontend/passes/inline_ptx.h"
#include "frontend/passes/overflow_checks.h"
#include "frontend/passes/recursion.h"
#include "frontend/passes/unaligned.h"
#include "frontend/passes/unset_variables.h"

namespace lanescope {
namespace {

constexpr const char* kInline =
    "globaldce,cgscc(inline<only-mandatory>,function(lanescope-unset,sroa<modify-cfg>,early-cse)),"
    "globaldce";
constexpr const char* kTidy = "function(simplifycfg,loop-simplify,lcssa,adce)";
/// What is copied or filled in so many bytes or fewer, known before it runs, needs no loop.
constexpr std::uint64_t kMostUnrolledBytes = 4096;

/// Of a pointer, by the name that Clang gives its type for aliasing.
bool is_pointer_tag(const llvm::MDNode& tag) {
  if (tag.getNumOperands() < 2) return false;
  const auto* type = llvm::dyn_cast<llvm::MDNode>(tag.getOperand(1));
  const auto* name = type != nullptr && type->getNumOperands() > 0
                         ? llvm::dyn_cast<llvm::MDString>(type->getOperand(0))
                         : nullptr;
  return name != nullptr && name->getString().contains("pointer");
}

bool holds_pointer(const llvm::Type& type) {
  if (type.isPointerTy()) return true;
  return llvm::any_of(type.subtypes(), [](const llvm::Type* part) { return holds_pointer(*part); });
}

/// What lies at a side of a copy, as far as the instructions that lead there tell.
const llvm::Type* type_at(const llvm::Value& side) {
  const llvm::Value* at = side.stripPointerCasts();
  if (const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(at)) return slot->getAllocatedType();
  if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(at)) return gep->getResultElementType();
  return nullptr;
}

/// A struct with a pointer in it is no vector: SROA takes it apart, and could not if it were copied as
/// one.
bool copies_pointer(const llvm::MemCpyInst& copy) {
  for (const llvm::Value* side : {copy.getDest(), copy.getSource()})
    if (const llvm::Type* type = type_at(*side); type != nullptr && holds_pointer(*type))
      return true;
  const llvm::MDNode* fields = copy.getMetadata(llvm::LLVMContext::MD_tbaa_struct);
  for (unsigned i = 2; fields != nullptr && i < fields->getNumOperands(); i += 3)
    if (const auto* tag = llvm::dyn_cast<llvm::MDNode>(fields->getOperand(i)))
      if (is_pointer_tag(*tag)) return true;
  return false;
}

/// Nothing tells what is copied.
bool is_nameless(const llvm::MemCpyInst& copy) {
  return copy.getMetadata(llvm::LLVMContext::MD_tbaa_struct) == nullptr &&
         type_at(*copy.getDest()) == nullptr && type_at(*copy.getSource()) == nullptr;
}

/// Bytes of one field of a copied struct whose fields are all alike, as far as the copy tells;
/// else 4.
std::uint64_t field_bytes(const llvm::MemCpyInst& copy) {
  std::uint64_t bytes = 4;
  for (const llvm::Value* side : {copy.getDest(), copy.getSource()})
    if (const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(side->stripPointerCasts()))
      if (const auto* record = llvm::dyn_cast<llvm::StructType>(slot->getAllocatedType());
          record != nullptr && record->getNumElements() > 0)
        bytes = record->getElementType(0)->getPrimitiveSizeInBits() / 8;
  if (const llvm::MDNode* fields = copy.getMetadata(llvm::LLVMContext::MD_tbaa_struct);
      fields != nullptr && fields->getNumOperands() > 1)
    if (const auto* size = llvm::mdconst::dyn_extract<llvm::ConstantInt>(fields->getOperand(1)))
      bytes = size->getZExtValue();
  return bytes == 1 || bytes == 2 || bytes == 8 ? bytes : 4;
}

/// The vector a copied struct stands for: <4 x float> for a float4, <2 x double>, <4 x i16>.
llvm::Type* vector_for(const llvm::MemCpyInst& copy, std::uint64_t bytes) {
  llvm::LLVMContext& context = copy.getContext();
  const std::uint64_t field = std::min(std::max(field_bytes(copy), bytes / 8), bytes);
  llvm::Type* element = field == 8   ? llvm::Type::getDoubleTy(context)
                        : field == 4 ? llvm::Type::getFloatTy(context)
                                     : static_cast<llvm::Type*>(llvm::IntegerType::get(
                                           context, static_cast<unsigned>(field * 8)));
  return field == bytes ? element
                        : llvm::FixedVectorType::get(element, static_cast<unsigned>(bytes / field));
}

/// Lets a variable of the function's own begin where an access of so many bytes may; false where what
/// is copied lies beside such a place in it.
bool aligned_in_variable(llvm::Value& side, std::uint64_t bytes, const llvm::DataLayout& layout) {
  llvm::APInt offset(layout.getIndexTypeSizeInBits(side.getType()), 0);
  auto* slot = llvm::dyn_cast<llvm::AllocaInst>(
      side.stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true));
  if (slot == nullptr) return true;
  if (offset.urem(bytes) != 0) return false;
  slot->setAlignment(std::max(slot->getAlign(), llvm::Align(bytes)));
  return true;
}

/// A float4 is copied by memcpy; the GPU does it by one wide load and one wide store. Before SROA,
/// which would otherwise split it field by field. `whole`: where the text says that it is one access.
void widen_copies(llvm::Function& function, const decltype(AccessTexts::whole)& whole) {
  const auto is_whole = [&](const llvm::MemCpyInst& copy) {
    const llvm::DILocation* at = copy.getDebugLoc();
    return at != nullptr && whole.contains({llvm::sys::path::filename(at->getFilename()).str(),
                                            at->getLine(), at->getColumn()});
  };
  std::vector<llvm::MemCpyInst*> copies;
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : block)
      if (auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction)) copies.push_back(copy);
  // What SROA makes of a copy has this metadata too: such a store is no use of what it copies.
  llvm::MDNode* const group = llvm::MDNode::getDistinct(function.getContext(), {});
  for (llvm::MemCpyInst* copy : copies) {
    // memcpy() copies all that it is told to, as the text says; an assignment what the struct has.
    if (function.getName().starts_with("memcpy")) continue;
    copy->setMetadata(llvm::LLVMContext::MD_access_group, group);
    const auto* length = llvm::dyn_cast<llvm::ConstantInt>(copy->getLength());
    if (length == nullptr || copy->isVolatile() || copies_pointer(*copy)) continue;
    const std::uint64_t bytes = length->getZExtValue();
    // The wider claim counts: a float4 seen through a float array claims 4 on that side. Lanes are
    // checked when run.
    const std::uint64_t align = std::max(copy->getDestAlign().valueOrOne().value(),
                                         copy->getSourceAlign().valueOrOne().value());
    if (!llvm::isPowerOf2_64(bytes) || bytes > 16 || (align < bytes && !is_whole(*copy))) continue;
    const llvm::DataLayout& layout = function.getDataLayout();
    if (!aligned_in_variable(*copy->getDest(), bytes, layout) ||
        !aligned_in_variable(*copy->getSource(), bytes, layout))
      continue;
    llvm::IRBuilder<> builder(copy);
    // It may be a pointer, which is a number to SROA, but no vector.
    llvm::Type* type =
        bytes == 8 && is_nameless(*copy) ? builder.getInt64Ty() : vector_for(*copy, bytes);
    auto* value = builder.CreateAlignedLoad(type, copy->getSource(), llvm::Align(bytes));
    value->setMetadata(llvm::LLVMContext::MD_tbaa_struct,
                       copy->getMetadata(llvm::LLVMContext::MD_tbaa_struct));
    auto* store = builder.CreateAlignedStore(value, copy->getDest(), llvm::Align(bytes));
    store->setMetadata(llvm::LLVMContext::MD_access_group, group);
    copy->eraseFromParent();
  }
}

/// A switch whose cases are all there is has an unreachable default. As a way out of the kernel it
/// would keep lanes from meeting again behind the switch: the last case takes its place.
void close_switches(llvm::Function& function) {
  for (llvm::BasicBlock& block : function) {
    auto* choice = llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator());
    if (choice == nullptr || choice->getNumCases() == 0 ||
        !llvm::isa<llvm::UnreachableInst>(choice->getDefaultDest()->getFirstNonPHIOrDbg()))
      continue;
    const auto last = std::prev(choice->case_end());
    choice->setDefaultDest(last->getCaseSuccessor());
    choice->removeCase(last);
  }
  llvm::EliminateUnreachableBlocks(function);
}

/// Copies and fills of sizes that only the run knows, or large ones, become loops over bytes, as
/// NVPTX's own lowering makes them.
void expand_transfers(llvm::Function& function) {
  std::vector<llvm::MemIntrinsic*> large;
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : block)
      if (auto* call = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
        const auto* length = llvm::dyn_cast<llvm::ConstantInt>(call->getLength());
        if (length == nullptr || length->getZExtValue() > kMostUnrolledBytes) large.push_back(call);
      }
  const llvm::TargetTransformInfo costs(function.getDataLayout());
  for (llvm::MemIntrinsic* call : large) {
    if (auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(call))
      llvm::expandMemCpyAsLoop(copy, costs);
    else if (auto* move = llvm::dyn_cast<llvm::MemMoveInst>(call))
      llvm::expandMemMoveAsLoop(move, costs);
    else if (auto* fill = llvm::dyn_cast<llvm::MemSetInst>(call))
      llvm::expandMemSetAsLoop(fill);
    call->eraseFromParent();
  }
}

void run_passes(llvm::Module& module, const char* pipeline) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  builder.registerPipelineParsingCallback([](llvm::StringRef name,
                                             llvm::FunctionPassManager& passes,
                                             llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
    if (name != "lanescope-unset") return false;
    passes.addPass(MarkUnset());
    return true;
  });
  llvm::ModulePassManager passes;
  llvm::cantFail(builder.parsePassPipeline(passes, pipeline));
  passes.run(module, modules);
}

/// Where lanes that went apart meet, they do what follows together, as after the GPU's compiler: a branch
/// that asks again what led there is no reason to do it once for each way. A mark keeps LLVM from it.
void mark_joins(llvm::Function& function, llvm::FunctionCallee mark) {
  for (llvm::BasicBlock& block : function) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (branch == nullptr || branch->isUnconditional() || !block.hasNPredecessorsOrMore(2))
      continue;
    const auto* choice = llvm::dyn_cast<llvm::PHINode>(branch->getCondition());
    if (choice != nullptr && choice->getParent() == &block) continue;
    if (llvm::any_of(block, [](const auto& i) { return i.mayReadOrWriteMemory(); }))
      llvm::IRBuilder<>(&*block.getFirstInsertionPt()).CreateCall(mark);
  }
}

void tidy(llvm::Module& module) {
  llvm::FunctionCallee mark = module.getOrInsertFunction(
      "lanescope_join", llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), false));
  auto* marker = llvm::cast<llvm::Function>(mark.getCallee());
  marker->setConvergent();
  marker->setDoesNotThrow();
  marker->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
  marker->addFnAttr(llvm::Attribute::WillReturn);
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) mark_joins(function, mark);
  run_passes(module, kTidy);
  for (llvm::User* call : llvm::make_early_inc_range(marker->users()))
    llvm::cast<llvm::Instruction>(call)->eraseFromParent();
  marker->eraseFromParent();
}

/// What asks how many blocks of a cluster there are is told.
void set_cluster(llvm::Module& module, Dim3 cluster) {
  llvm::Function* asks = module.getFunction("lanescope_cluster_dim");
  if (asks == nullptr) return;
  for (llvm::User* user : llvm::make_early_inc_range(asks->users())) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    const auto* axis =
        call == nullptr ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0));
    if (axis == nullptr) continue;
    const std::uint64_t number = axis->getZExtValue();
    const std::uint32_t blocks = number == 0 ? cluster.x : number == 1 ? cluster.y : cluster.z;
    call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), blocks));
    call->eraseFromParent();
  }
}

bool only_loaded(const llvm::Value& pointer) {
  return llvm::all_of(pointer.users(), [](const llvm::User* user) {
    if (llvm::isa<llvm::LoadInst>(user)) return true;
    const bool leads_on =
        llvm::isa<llvm::GetElementPtrInst>(user) || llvm::isa<llvm::AddrSpaceCastInst>(user);
    return leads_on && only_loaded(*user);
  });
}

/// What the text says of a parameter: __grid_constant__, which all threads share and none writes to.
bool take_grid_constant(llvm::Argument& argument) {
  bool found = false;
  for (llvm::User* user : llvm::make_early_inc_range(argument.users()))
    if (auto* note = llvm::dyn_cast<llvm::IntrinsicInst>(user);
        note != nullptr && note->getIntrinsicID() == llvm::Intrinsic::var_annotation) {
      note->eraseFromParent();
      found = true;
    }
  return found;
}

/// A struct that the kernel was given by value is each thread's own: what is written to, or handed on,
/// is a copy.
void copy_written_parameters(llvm::Function& kernel) {
  for (llvm::Argument& argument : kernel.args()) {
    if (take_grid_constant(argument) || !argument.hasByValAttr() || only_loaded(argument)) continue;
    llvm::IRBuilder<> builder(&*kernel.getEntryBlock().getFirstInsertionPt());
    llvm::Type* type = argument.getParamByValType();
    llvm::AllocaInst* copy = builder.CreateAlloca(type, nullptr, argument.getName());
    copy->setAlignment(argument.getParamAlign().valueOrOne());
    argument.replaceAllUsesWith(copy);
    builder.CreateMemCpy(copy, copy->getAlign(), &argument, copy->getAlign(),
                         kernel.getDataLayout().getTypeAllocSize(type));
  }
}

}  // namespace

void simplify_ir(llvm::Module& module, const std::string& kernel_symbol, const AccessTexts& texts,
                 Dim3 cluster) {
  expand_inline_ptx(module);
  set_cluster(module, cluster);
  resolve_indirect_calls(module);
  // What only marks a place keeps its order, and nothing else from being simplified across it.
  for (llvm::Function& function : module)
    if (function.isDeclaration() && (function.getName().starts_with("lanescope_async_commit") ||
                                     function.getName().starts_with("lanescope_async_wait"))) {
      function.setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
      function.setDoesNotThrow();
      function.addFnAttr(llvm::Attribute::WillReturn);
    }
  unfold_recursion(module);
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    // No lane loads what its own path does not: that would be a race that the text does not have.
    function.addFnAttr(llvm::Attribute::SanitizeThread);
    if (function.getName() == kernel_symbol) {
      function.setLinkage(llvm::GlobalValue::ExternalLinkage);
      copy_written_parameters(function);
    } else {
      function.removeFnAttr(llvm::Attribute::NoInline);
      function.addFnAttr(llvm::Attribute::AlwaysInline);
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
      function.setComdat(nullptr);
    }
    widen_copies(function, texts.whole);
  }
  run_passes(module, kInline);
  forget_unset_memory(module);
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    expand_transfers(function);
    split_unaligned(function);
    expand_overflow_checks(function);
    fuse_products(function);
  }
  tidy(module);
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) close_switches(function);
}

}  // namespace lanescope
