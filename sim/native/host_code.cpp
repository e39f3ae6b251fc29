#include "lanescope/host_code.h"

#include <dlfcn.h>

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/ExecutionEngine/Orc/ObjectTransformLayer.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/TargetSelect.h>

#include <cstdlib>
#include <map>
#include <mutex>
#include <set>

#include "model/simulator_messages.h"
#include "native/host_lines.h"

namespace lanescope {
namespace {

namespace orc = llvm::orc;

/// In libc's static part: no dynamic symbol leads to it.
const std::map<std::string, void*>& built_in() {
  static const std::map<std::string, void*> table{
      {"at_quick_exit", reinterpret_cast<void*>(&at_quick_exit)}};
  return table;
}

Diagnostic error_of(std::span<const CompiledText> texts, Message message, Message hint = {}) {
  Diagnostic d;
  d.kind = DiagnosticKind::compile;
  d.file = texts.empty() ? "" : texts[0].file;
  d.message = std::move(message);
  d.hint = std::move(hint);
  return d;
}

using Missing = void (*)(const char* name, const void* caller);

/// One module for each text, in a context of its own, ready for the compiler behind it.
class Modules {
 public:
  std::vector<orc::ThreadSafeModule> modules;

  /// False when a text's code cannot be read.
  bool read(std::span<const CompiledText> texts) {
    for (const CompiledText& text : texts) {
      auto context = std::make_unique<llvm::LLVMContext>();
      auto module = llvm::parseBitcodeFile({text.host, text.file}, *context);
      if (!module) return llvm::consumeError(module.takeError()), false;
      show_functions(**module, modules.size());
      modules.emplace_back(std::move(*module), std::move(context));
    }
    return true;
  }

  /// Which texts have a main(), as a list of their files.
  [[nodiscard]] std::vector<std::string> mains(std::span<const CompiledText> texts) const {
    std::vector<std::string> files;
    for (std::size_t i = 0; i < modules.size(); ++i) {
      const auto* main = modules[i].getModuleUnlocked()->getFunction("main");
      if (main != nullptr && !main->isDeclaration()) files.push_back(texts[i].file);
    }
    return files;
  }

  /// Names that no text defines, by what uses them.
  void undefined(std::set<std::string>& functions, std::set<std::string>& variables) const {
    std::set<std::string> defined;
    for (const auto& module : modules)
      for (const llvm::GlobalValue& value : module.getModuleUnlocked()->global_values())
        if (!value.isDeclaration() && !value.hasLocalLinkage())
          defined.insert(value.getName().str());
    for (const auto& module : modules)
      for (const llvm::GlobalValue& value : module.getModuleUnlocked()->global_values()) {
        const std::string name = value.getName().str();
        if (!value.isDeclaration() || defined.count(name) != 0 || name.starts_with("llvm."))
          continue;
        const bool is_function = llvm::isa<llvm::Function>(value);
        if (!value.hasExternalWeakLinkage()) (is_function ? functions : variables).insert(name);
      }
  }

  bool define(const std::string& name) const {
    return llvm::any_of(modules, [&name](const auto& module) {
      const llvm::GlobalValue* value = module.getModuleUnlocked()->getNamedValue(name);
      return value != nullptr && !value->isDeclaration() && !value->hasLocalLinkage();
    });
  }

  /// A device variable's stand-in is its text's own, as Clang makes it: other texts that declare the variable get it
  /// all the same.
  void show_stand_ins(const std::set<std::string>& names) {
    for (const std::string& name : names)
      for (auto& module : modules) {
        llvm::GlobalVariable* found = module.getModuleUnlocked()->getNamedGlobal(name);
        if (found == nullptr || found->isDeclaration() || !found->hasInternalLinkage()) continue;
        found->setLinkage(llvm::GlobalValue::ExternalLinkage);
        break;
      }
  }

  /// A body for each function that nobody has: it calls `missing` and returns nothing of use.
  void define_missing(const std::set<std::string>& names, Missing missing) {
    std::set<std::string> left = names;
    for (auto& module : modules)
      for (llvm::Function& function : *module.getModuleUnlocked())
        if (function.isDeclaration() && left.erase(function.getName().str()) != 0)
          define(function, missing);
  }

 private:
  /// Addresses lead to lines by the names of functions: no function may be hidden.
  static void show_functions(llvm::Module& module, std::size_t index) {
    for (llvm::Function& function : module) {
      if (function.isDeclaration() || !function.hasLocalLinkage()) continue;
      function.setName(function.getName() + ".text" + llvm::Twine(index));
      function.setLinkage(llvm::GlobalValue::ExternalLinkage);
    }
  }

  static void define(llvm::Function& function, Missing missing) {
    llvm::LLVMContext& context = function.getContext();
    // A declaration's, which may not stand at a body.
    function.setSubprogram(nullptr);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", &function));
    llvm::Value* name =
        builder.CreateGlobalString(llvm::demangle(function.getName()), "", 0, function.getParent());
    llvm::Value* target = builder.CreateIntToPtr(
        builder.getInt64(reinterpret_cast<std::uintptr_t>(missing)), builder.getPtrTy());
    llvm::Value* caller =
        builder.CreateIntrinsic(llvm::Intrinsic::returnaddress, {}, {builder.getInt32(0)});
    builder.CreateCall(llvm::FunctionType::get(builder.getVoidTy(),
                                               {builder.getPtrTy(), builder.getPtrTy()}, false),
                       target, {name, caller});
    builder.CreateUnreachable();
  }
};

class JitHostCode : public HostCode {
 public:
  explicit JitHostCode(std::unique_ptr<orc::LLJIT> jit, std::shared_ptr<HostLines> lines)
      : jit_(std::move(jit)), lines_(std::move(lines)) {}

  int run(const std::vector<std::string>& arguments) override {
    if (auto failed = jit_->initialize(jit_->getMainJITDylib())) return report(std::move(failed));
    auto main = jit_->lookup("main");
    if (!main) return report(main.takeError());
    std::vector<std::string> copies = arguments;
    std::vector<char*> pointers;
    for (std::string& argument : copies) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    char* no_environment[] = {nullptr};
    const int status = main->toPtr<int (*)(int, char**, char**)>()(
        static_cast<int>(arguments.size()), pointers.data(), no_environment);
    if (auto failed = jit_->deinitialize(jit_->getMainJITDylib())) report(std::move(failed));
    return status;
  }

  [[nodiscard]] HostPlace where(const void* pc) const override { return lines_->where(pc); }

 private:
  static int report(llvm::Error error) {
    llvm::errs() << "lanescope: " << llvm::toString(std::move(error)) << "\n";
    return 127;
  }

  std::unique_ptr<orc::LLJIT> jit_;
  std::shared_ptr<HostLines> lines_;
};

std::unique_ptr<orc::LLJIT> make_jit(const std::shared_ptr<HostLines>& lines) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();  // some headers have assembly inline
  });
  auto machine = orc::JITTargetMachineBuilder::detectHost();
  if (!machine) return llvm::consumeError(machine.takeError()), nullptr;
  // A function without a return, or code that cannot be reached and is, ends at its line.
  machine->getOptions().TrapUnreachable = true;
  auto jit = orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(*machine)).create();
  if (!jit) return llvm::consumeError(jit.takeError()), nullptr;
  (*jit)->getObjTransformLayer().setTransform([lines](std::unique_ptr<llvm::MemoryBuffer> object) {
    lines->add_object(*object);
    return llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>(std::move(object));
  });
  return std::move(*jit);
}

}  // namespace

HostCodeResult load_host_code(std::span<const CompiledText> texts,
                              std::span<const HostFunction> functions,
                              void (*missing)(const char* name, const void* caller)) {
  HostCodeResult result;
  const auto fail = [&](Message message, Message hint = {}) {
    result.diagnostics.push_back(error_of(texts, std::move(message), std::move(hint)));
    return std::move(result);
  };
  Modules modules;
  if (!modules.read(texts)) return fail(say::host_code_unreadable);
  const std::vector<std::string> mains = modules.mains(texts);
  if (mains.empty()) return fail(say::no_main, say::no_main_hint);
  if (mains.size() > 1) {
    for (const std::string& file : mains) {
      result.diagnostics.push_back(error_of(texts, say::several_mains, say::several_mains_hint));
      result.diagnostics.back().file = file;
    }
    return result;
  }

  std::map<std::string, void*> ours = built_in();
  for (const HostFunction& function : functions) ours[function.name] = function.address;
  std::set<std::string> undefined, variables;
  modules.undefined(undefined, variables);
  modules.show_stand_ins(variables);
  undefined.clear(), variables.clear();
  modules.undefined(undefined, variables);
  const auto known = [&ours](const std::string& name) {
    return ours.count(name) != 0 || dlsym(RTLD_DEFAULT, name.c_str()) != nullptr;
  };
  for (const std::string& name : variables)
    if (!known(name) && name != "__dso_handle")
      return fail(say::undefined_variable(llvm::demangle(name)));
  std::erase_if(undefined, known);
  undefined.erase("__cxa_atexit"), undefined.erase("atexit");
  modules.define_missing(undefined, missing);

  const auto lines = std::make_shared<HostLines>();
  auto jit = make_jit(lines);
  if (jit == nullptr) return fail(say::no_native_code);
  orc::SymbolMap symbols;
  for (const auto& [name, address] : ours)
    // A program may have an operator new of its own.
    if (!modules.define(name))
      symbols[jit->mangleAndIntern(name)] = {orc::ExecutorAddr::fromPtr(address),
                                             llvm::JITSymbolFlags::Exported |
                                                 llvm::JITSymbolFlags::Callable};
  llvm::cantFail(jit->getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols))));
  auto process = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit->getDataLayout().getGlobalPrefix());
  if (process) jit->getMainJITDylib().addGenerator(std::move(*process));
  std::vector<std::string> names;
  for (auto& module : modules.modules) {
    for (const llvm::Function& function : *module.getModuleUnlocked())
      if (!function.isDeclaration()) names.push_back(function.getName().str());
    if (auto failed = jit->addIRModule(std::move(module)))
      return fail(Message::verbatim(llvm::toString(std::move(failed))));
  }
  for (const std::string& name : names) {
    auto address = jit->lookup(name);
    if (!address) return fail(Message::verbatim(llvm::toString(address.takeError())));
    lines->add_function(name, address->getValue());
  }
  result.code = std::make_unique<JitHostCode>(std::move(jit), lines);
  return result;
}

}  // namespace lanescope
