#include "frontend/device_link.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <set>

#include "frontend/device_bitcode.h"
#include "lanescope/device_code.h"

namespace lanescope {
namespace {

std::unique_ptr<llvm::Module> parsed(const CompiledText& text, llvm::LLVMContext& context) {
  if (text.device == nullptr) return nullptr;
  auto module = llvm::parseBitcodeFile({source_of(*text.device).bitcode, text.file}, context);
  if (module) return std::move(*module);
  llvm::consumeError(module.takeError());
  return nullptr;
}

/// Shared memory is each kernel's own, `extern` or not.
bool may_be_shared(const llvm::GlobalValue& value) {
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&value);
  return !value.getName().starts_with("llvm.") &&
         (variable == nullptr || variable->getAddressSpace() != 3);
}

std::set<std::string> defined_names(const llvm::Module& module) {
  std::set<std::string> names;
  for (const llvm::GlobalValue& value : module.global_values())
    if (!value.isDeclaration() && value.hasExternalLinkage() && may_be_shared(value))
      names.insert(value.getName().str());
  return names;
}

std::set<std::string> lacked_names(const llvm::Module& module) {
  std::set<std::string> names;
  for (const llvm::GlobalValue& value : module.global_values())
    if (value.isDeclaration() && !value.use_empty() && may_be_shared(value))
      names.insert(value.getName().str());
  return names;
}

/// What the program's device holds once, whichever text's code uses it.
void name_variables_of(std::size_t text, llvm::Module& module) {
  for (llvm::GlobalVariable& variable : module.globals()) {
    const bool literal = variable.isConstant() && variable.hasLocalLinkage();
    if (variable.isDeclaration() || !may_be_shared(variable) || literal) continue;
    variable.setName(shared_variable(text, variable.getName().str()));
    variable.setInitializer(nullptr);
    variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
    variable.setComdat(nullptr);
  }
}

void drop_annotations(llvm::Module& module) {
  for (const char* name : {"llvm.global.annotations", "llvm.used", "llvm.compiler.used"})
    if (llvm::GlobalVariable* list = module.getNamedGlobal(name)) list->eraseFromParent();
}

/// The text's own declarations of another's variables get that name too.
void rename_declared(llvm::Module& module, std::size_t from, const std::set<std::string>& names) {
  for (const std::string& name : names)
    if (llvm::GlobalVariable* variable = module.getNamedGlobal(name);
        variable != nullptr && variable->isDeclaration())
      variable->setName(shared_variable(from, name));
}

class DeviceLinker {
 public:
  explicit DeviceLinker(const std::vector<CompiledText>& texts) : texts_(texts) {
    for (const CompiledText& text : texts) {
      llvm::LLVMContext context;
      const auto module = parsed(text, context);
      defined_.push_back(module ? defined_names(*module) : std::set<std::string>());
    }
  }

  /// Empty where the text needs nothing of the others.
  [[nodiscard]] std::string linked(std::size_t own) const {
    llvm::LLVMContext context;
    auto module = parsed(texts_[own], context);
    if (!module || !is_found(lacked_names(*module))) return {};
    // What is taken may need more, of this text or the next.
    for (std::size_t round = 0; round < texts_.size() && is_found(lacked_names(*module)); ++round)
      for (std::size_t i = 0; i < texts_.size(); ++i)
        if (i != own) take(i, *module, context);
    std::string bytes;
    llvm::raw_string_ostream stream(bytes);
    llvm::WriteBitcodeToFile(*module, stream);
    return bytes;
  }

 private:
  [[nodiscard]] bool is_found(const std::set<std::string>& lacked) const {
    return std::any_of(defined_.begin(), defined_.end(), [&](const auto& names) {
      return std::any_of(lacked.begin(), lacked.end(),
                         [&](const std::string& name) { return names.contains(name); });
    });
  }

  void take(std::size_t i, llvm::Module& to, llvm::LLVMContext& context) const {
    rename_declared(to, i, defined_[i]);
    if (!is_found(lacked_names(to))) return;
    auto module = parsed(texts_[i], context);
    if (!module) return;
    name_variables_of(i, *module);
    drop_annotations(*module);
    llvm::Linker::linkModules(to, std::move(module), llvm::Linker::LinkOnlyNeeded);
  }

  const std::vector<CompiledText>& texts_;
  std::vector<std::set<std::string>> defined_;
};

}  // namespace

void link_device_code(std::vector<CompiledText>& texts) {
  const auto has_code = [](const CompiledText& text) { return text.device != nullptr; };
  if (std::ranges::count_if(texts, has_code) < 2) return;
  const DeviceLinker linker(texts);
  std::vector<std::shared_ptr<const DeviceCode>> made(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].device == nullptr) continue;
    std::string bitcode = linker.linked(i);
    if (bitcode.empty()) continue;
    DeviceSource source = source_of(*texts[i].device);
    source.bitcode = std::move(bitcode);
    made[i] = make_device_code(std::move(source));
  }
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (made[i] != nullptr) texts[i].device = std::move(made[i]);
}

}  // namespace lanescope
