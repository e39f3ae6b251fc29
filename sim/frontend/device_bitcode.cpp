#include "frontend/device_bitcode.h"

#include <fmt/format.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "frontend/passes/ir_passes.h"
#include "lanescope/device_code.h"
#include "lower/initializer.h"
#include "lower/lower.h"
#include "model/simulator_messages.h"

namespace lanescope {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Dim3, x, y, z)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SourcePos, line, column, file)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ArgumentInfo, name, type_text, is_pointer, is_const, type,
                                   components, bytes, structure, pointee_bytes, by_members, members,
                                   offset)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelDeclaration, name, declared, arguments, most_threads,
                                   cluster)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AccessText, text, indices, root)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AccessTexts, headers, loads, stores, sources, whole)

namespace {

Diagnostic no_code(const DeviceSource& source, const std::string& name) {
  Diagnostic d;
  d.file = source.file;
  d.message = say::no_code_for_kernel(name);
  return d;
}

std::unique_ptr<llvm::Module> read(const DeviceSource& source, llvm::LLVMContext& context) {
  auto module = llvm::parseBitcodeFile({source.bitcode, "device"}, context);
  if (module) return std::move(*module);
  llvm::consumeError(module.takeError());
  return nullptr;
}

/// What lies in the device's memory while the program runs, literals too: one kernel may leave a
/// pointer for the next.
bool is_variable(const llvm::GlobalVariable& global) {
  const unsigned space = global.getAddressSpace();
  return (space == 0 || space == 1 || space == 4) && !global.isDeclaration() && global.hasName() &&
         !global.getName().starts_with("llvm.");
}

std::string source_name(const llvm::GlobalVariable& global) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> expressions;
  global.getDebugInfo(expressions);
  return expressions.empty() ? global.getName().str()
                             : expressions[0]->getVariable()->getName().str();
}

/// Those that `__managed__` has annotated (prelude/device/lanescope_attributes.h).
std::set<const llvm::GlobalVariable*> managed_variables(const llvm::Module& module) {
  std::set<const llvm::GlobalVariable*> out;
  const llvm::GlobalVariable* all = module.getNamedGlobal("llvm.global.annotations");
  if (all == nullptr || !all->hasInitializer()) return out;
  for (const llvm::Use& each : all->getInitializer()->operands()) {
    const auto* entry = llvm::cast<llvm::Constant>(each.get());
    llvm::StringRef text;
    if (!llvm::getConstantStringInfo(entry->getOperand(1), text) || text != "lanescope_managed")
      continue;
    if (const auto* variable =
            llvm::dyn_cast<llvm::GlobalVariable>(entry->getOperand(0)->stripPointerCasts()))
      out.insert(variable);
  }
  return out;
}

class BitcodeDevice : public DeviceCode {
 public:
  explicit BitcodeDevice(DeviceSource source) : source_(std::move(source)) {}

  [[nodiscard]] const DeviceSource& source() const { return source_; }

  ProgramPtr kernel(const std::string& symbol,
                    const std::map<std::string, std::uint64_t>& addresses,
                    std::vector<Diagnostic>& diagnostics) const override {
    return kernel(symbol, addresses, std::nullopt, diagnostics);
  }

  /// `launched`: the cluster that a launch says instead of the kernel's own
  ProgramPtr kernel(const std::string& symbol,
                    const std::map<std::string, std::uint64_t>& addresses,
                    std::optional<Dim3> launched, std::vector<Diagnostic>& diagnostics) const {
    const auto declared = source_.kernels.find(symbol);
    if (declared == source_.kernels.end())
      return diagnostics.push_back(no_code(source_, symbol)), nullptr;
    const KernelDeclaration& kernel = declared->second;
    const Dim3 cluster = launched.value_or(kernel.cluster);
    llvm::LLVMContext context;
    const auto module = read(source_, context);
    if (!module) return diagnostics.push_back(no_code(source_, kernel.name)), nullptr;
    simplify_ir(*module, symbol, source_.texts, cluster);
    return lower({module.get(), symbol, kernel.name, source_.file, kernel.declared,
                  kernel.arguments, &source_.texts, source_.file, &addresses, 0, cluster},
                 diagnostics);
  }

  [[nodiscard]] std::string kernel_name(const std::string& symbol) const override {
    const auto found = source_.kernels.find(symbol);
    return found == source_.kernels.end() ? std::string() : found->second.name;
  }

  [[nodiscard]] std::uint32_t most_threads(const std::string& symbol) const override {
    const auto found = source_.kernels.find(symbol);
    return found == source_.kernels.end() ? 0 : found->second.most_threads;
  }

  [[nodiscard]] std::vector<GlobalVariableInfo> variables() const override {
    llvm::LLVMContext context;
    const auto module = read(source_, context);
    std::vector<GlobalVariableInfo> out;
    if (!module) return out;
    const llvm::DataLayout& layout = module->getDataLayout();
    const auto managed = managed_variables(*module);
    for (const llvm::GlobalVariable& global : module->globals()) {
      if (!is_variable(global)) continue;
      GlobalVariableInfo info;
      info.symbol = global.getName().str();
      info.name = source_name(global);
      info.bytes = layout.getTypeAllocSize(global.getValueType());
      info.align = global.getAlign().valueOrOne().value();
      info.constant = global.getAddressSpace() == 4;
      info.managed = managed.count(&global) != 0;
      info.initial.resize(info.bytes);
      write_initializer(layout, *global.getInitializer(), info.initial, 0);
      out.push_back(std::move(info));
    }
    return out;
  }

 private:
  const DeviceSource source_;
};

}  // namespace

std::shared_ptr<const DeviceCode> make_device_code(DeviceSource source) {
  return std::make_shared<BitcodeDevice>(std::move(source));
}

const DeviceSource& source_of(const DeviceCode& code) {
  return dynamic_cast<const BitcodeDevice&>(code).source();
}

std::string shared_variable(std::size_t text, const std::string& symbol) {
  return fmt::format("lanescope.text{}.{}", text, symbol);
}

ProgramPtr kernel_in_clusters(const DeviceCode& code, const std::string& symbol,
                              const std::map<std::string, std::uint64_t>& addresses, Dim3 cluster,
                              std::vector<Diagnostic>& diagnostics) {
  return dynamic_cast<const BitcodeDevice&>(code).kernel(symbol, addresses, cluster, diagnostics);
}

std::string bytes_of(const DeviceCode& device) {
  const DeviceSource& source = source_of(device);
  std::string bytes;
  nlohmann::json::to_cbor({source.file,
                           nlohmann::json::binary({source.bitcode.begin(), source.bitcode.end()}),
                           source.kernels, source.texts},
                          bytes);
  return bytes;
}

std::shared_ptr<const DeviceCode> device_code_from(const std::string& bytes) {
  const nlohmann::json json = nlohmann::json::from_cbor(bytes);
  const auto& bitcode = json.at(1).get_binary();
  return make_device_code({json.at(0), {bitcode.begin(), bitcode.end()}, json.at(2), json.at(3)});
}

std::string kernel_of_pointer(const DeviceCode& device, std::uint64_t pointer) {
  for (const auto& [symbol, kernel] : source_of(device).kernels)
    if (function_address(symbol) == pointer) return symbol;
  return {};
}

}  // namespace lanescope
