#include "compiled/machine_code.h"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <cstdlib>
#include <mutex>

#include "compiled/emitter.h"

namespace lanescope {
namespace {

namespace orc = llvm::orc;

template <class T>
std::optional<T> or_nothing(llvm::Expected<T> value) {
  if (value) return std::move(*value);
  llvm::consumeError(value.takeError());
  return std::nullopt;
}

void start_llvm() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

void optimise(llvm::Module& module) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::EarlyCSEPass(true));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) passes.run(function, functions);
}

}  // namespace

MachineCode make_machine_code(const Machine& machine, LaneShapes& shapes) {
  start_llvm();
  auto target = or_nothing(orc::JITTargetMachineBuilder::detectHost());
  if (!target) return {};
  // Tests choose a processor that has less than this one.
  if (const char* processor = std::getenv("LANESCOPE_PROCESSOR"); processor != nullptr) {
    target->setCPU(processor);
    target->getFeatures() = llvm::SubtargetFeatures();
  }
  target->setCodeGenOptLevel(llvm::CodeGenOptLevel::Less);
  auto jit = or_nothing(orc::LLJITBuilder().setJITTargetMachineBuilder(*target).create());
  if (!jit) return {};
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = std::make_unique<llvm::Module>("kernel", *context);
  module->setDataLayout((*jit)->getDataLayout());
  module->setTargetTriple((*jit)->getTargetTriple().str());
  Emitter(machine, shapes, *module).run("kernel");
  if (llvm::verifyModule(*module)) return {};
  optimise(*module);
  if (auto failed = (*jit)->addIRModule({std::move(module), std::move(context)})) {
    llvm::consumeError(std::move(failed));
    return {};
  }
  const auto address = or_nothing((*jit)->lookup("kernel"));
  if (!address) return {};
  return {address->toPtr<CompiledWarp>(), std::shared_ptr<void>(std::move(*jit))};
}

}  // namespace lanescope
