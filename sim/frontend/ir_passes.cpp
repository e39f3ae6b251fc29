// Our own pass pipeline. Clang's O2 duplicates code and merges variables; this one inlines everything into
// the kernel and promotes variables to SSA, and leaves every access of the source where it is.
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/Error.h>

#include "frontend/ir_module.h"

namespace lanescope {
namespace {

constexpr const char* kPipeline =
    "always-inline,globaldce,function(sroa<modify-cfg>,early-cse,simplifycfg,loop-simplify,lcssa,adce)";

/// The vector a copied struct stands for: <2 x double> if it holds 8-byte fields, else 4-byte floats.
llvm::Type* vector_for(const llvm::MemCpyInst& copy, std::uint64_t bytes) {
  llvm::LLVMContext& context = copy.getContext();
  bool wide_fields = false;
  for (const llvm::Value* side : {copy.getDest(), copy.getSource()})
    if (const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(side->stripPointerCasts()))
      if (const auto* record = llvm::dyn_cast<llvm::StructType>(slot->getAllocatedType()); record != nullptr && record->getNumElements() > 0)
        wide_fields = record->getElementType(0)->getPrimitiveSizeInBits() == 64;
  if (const llvm::MDNode* fields = copy.getMetadata(llvm::LLVMContext::MD_tbaa_struct); fields != nullptr && fields->getNumOperands() > 1)
    if (const auto* size = llvm::mdconst::dyn_extract<llvm::ConstantInt>(fields->getOperand(1)))
      wide_fields = size->getZExtValue() == 8;
  if (wide_fields) return bytes == 8 ? llvm::Type::getDoubleTy(context)
                                     : static_cast<llvm::Type*>(llvm::FixedVectorType::get(llvm::Type::getDoubleTy(context), 2));
  return llvm::FixedVectorType::get(llvm::Type::getFloatTy(context), static_cast<unsigned>(bytes / 4));
}

/// A float4 is copied by memcpy; the GPU does it by one wide load and one wide store. Before SROA, which would
/// otherwise split it field by field.
void widen_copies(llvm::Function& function) {
  std::vector<llvm::MemCpyInst*> copies;
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : block)
      if (auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction)) copies.push_back(copy);
  for (llvm::MemCpyInst* copy : copies) {
    const auto* length = llvm::dyn_cast<llvm::ConstantInt>(copy->getLength());
    if (length == nullptr || copy->isVolatile()) continue;
    const std::uint64_t bytes = length->getZExtValue();
    // The wider claim counts: a float4 seen through a float array claims 4 on that side. Lanes are checked when run.
    const std::uint64_t align = std::max(copy->getDestAlign().valueOrOne().value(), copy->getSourceAlign().valueOrOne().value());
    if ((bytes != 8 && bytes != 16) || align < bytes) continue;
    llvm::IRBuilder<> builder(copy);
    llvm::Type* type = vector_for(*copy, bytes);
    auto* value = builder.CreateAlignedLoad(type, copy->getSource(), llvm::Align(bytes));
    builder.CreateAlignedStore(value, copy->getDest(), llvm::Align(bytes));
    copy->eraseFromParent();
  }
}

}  // namespace

void simplify_ir(llvm::Module& module, const std::string& kernel_symbol) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    if (function.getName() == kernel_symbol) {
      function.setLinkage(llvm::GlobalValue::ExternalLinkage);
    } else {
      function.removeFnAttr(llvm::Attribute::NoInline);
      function.addFnAttr(llvm::Attribute::AlwaysInline);
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
      function.setComdat(nullptr);
    }
    widen_copies(function);
  }
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
  llvm::ModulePassManager passes;
  llvm::cantFail(builder.parsePassPipeline(passes, kPipeline));
  passes.run(module, modules);
}

}  // namespace lanescope
