#include "frontend/headers/precompiled.h"

#pragma GCC diagnostic ignored "-Wnonnull"  // inside Clang's own headers, once inlined
#include <clang/AST/ASTContext.h>
#include <clang/Basic/Version.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/Sema.h>
#include <clang/Serialization/ASTWriter.h>
#include <clang/Serialization/InMemoryModuleCache.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <memory>
#include <optional>

#include "frontend/headers/setup.h"

// Laid into the binary by the build.
extern "C" const char lanescope_precompiled_begin[], lanescope_precompiled_end[];
extern "C" const char lanescope_ptx_begin[], lanescope_ptx_end[];

namespace lanescope {
namespace {

// Clang keeps the functions whose calls it has yet to judge to itself; an explicit instantiation may name them.
template <auto kMember>
struct Opened {
  friend auto& functions_to_judge(clang::Sema& sema) { return sema.*kMember; }
};
auto& functions_to_judge(clang::Sema& sema);
template struct Opened<&clang::Sema::DeclsToCheckForDeferredDiags>;

/// Writes the tree. What a function of ours calls is judged where a text calls the function: to judge
/// all of them again, every text would have to read them all.
class Writer : public clang::PCHGenerator {
 public:
  Writer(clang::CompilerInstance& compiler, std::shared_ptr<clang::PCHBuffer> buffer)
      : PCHGenerator(compiler.getPreprocessor(), compiler.getModuleCache(), kPrecompiledFile, "",
                     std::move(buffer), compiler.getFrontendOpts().ModuleFileExtensions,
                     /*AllowASTWithErrors=*/false, /*IncludeTimestamps=*/false),
        compiler_(compiler) {}
  void HandleTranslationUnit(clang::ASTContext& context) override {
    functions_to_judge(compiler_.getSema()).clear();
    PCHGenerator::HandleTranslationUnit(context);
  }

 private:
  clang::CompilerInstance& compiler_;
};

/// Parses, and keeps the tree instead of making code of it.
class Precompile : public clang::ASTFrontendAction {
 public:
  [[nodiscard]] std::string tree() const {
    return buffer_->IsComplete ? std::string(buffer_->Data.data(), buffer_->Data.size())
                               : std::string();
  }

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    return std::make_unique<Writer>(compiler, buffer_);
  }
  clang::TranslationUnitKind getTranslationUnitKind() override { return clang::TU_Prefix; }

 private:
  std::shared_ptr<clang::PCHBuffer> buffer_ = std::make_shared<clang::PCHBuffer>();
};

/// Compiles headers, whose names are in `args`.
bool run_on_headers(const std::vector<std::string>& args,
                    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                    clang::FrontendAction& action,
                    std::shared_ptr<clang::DependencyCollector> collector = nullptr) {
  std::vector<const char*> pointers;
  for (const std::string& arg : args) pointers.push_back(arg.c_str());
  clang::CompilerInstance compiler;
  compiler.getDiagnosticOpts().IgnoreWarnings = true;  // an error of our own headers is told
  compiler.createDiagnostics();
  if (!clang::CompilerInvocation::CreateFromArgs(compiler.getInvocation(), pointers,
                                                 compiler.getDiagnostics()))
    return false;
  compiler.getFrontendOpts().DisableFree = false;
  compiler.getCodeGenOpts().DisableFree = false;
  compiler.setFileManager(new clang::FileManager(clang::FileSystemOptions{}, std::move(files)));
  compiler.createSourceManager(compiler.getFileManager());
  if (collector) compiler.addDependencyCollector(std::move(collector));
  return compiler.ExecuteAction(action);
}

/// Nothing but our own headers.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> prelude_files() {
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  files->setCurrentWorkingDirectory("/lanescope");
  add_prelude(*files);
  return files;
}

/// The system's headers too.
class AllFiles : public clang::DependencyCollector {
 public:
  bool needSystemDependencies() override { return true; }
};

std::string tree_of_prelude() {
  std::vector<std::string> args = common_arguments();
  args.push_back(std::string(kIncludeDir) + "/lanescope_prelude.h");
  return make_tree(args, prelude_files()).content;
}

/// Without positions: what is inlined of it stands where it is called.
std::string bitcode_of_ptx() {
  std::vector<std::string> args = common_arguments();
  std::erase(args, "-debug-info-kind=limited");
  // An instruction rounds for itself.
  args.insert(args.end(), {"-ffp-contract=off", "-include", "lanescope_prelude.h", "-include",
                           "cuda_fp8.h", std::string(kIncludeDir) + "/lanescope_ptx.h"});
  llvm::LLVMContext context;
  clang::EmitLLVMOnlyAction action(&context);
  std::string code;
  if (!run_on_headers(args, prelude_files(), action)) return code;
  const std::unique_ptr<llvm::Module> module = action.takeModule();
  if (!module) return code;
  llvm::raw_string_ostream out(code);
  llvm::WriteBitcodeToFile(*module, out);
  return code;
}

/// With the version of Clang that it is for, if there is any.
std::string versioned(const std::string& made) {
  return made.empty() ? made : clang::getClangFullVersion() + '\0' + made;
}

/// What the build has made, where it is for the Clang that runs.
std::optional<std::string_view> usable(const char* begin, const char* end) {
  const std::string version = clang::getClangFullVersion() + '\0';
  const std::string_view embedded(begin, end);
  if (!embedded.starts_with(version)) return std::nullopt;
  return embedded.substr(version.size());
}

}  // namespace

std::vector<std::string> common_arguments() {
  std::vector<std::string> args{
      "-triple", "nvptx64-nvidia-cuda", "-aux-triple", "x86_64-unknown-linux-gnu",
      "-fcuda-is-device", "-target-cpu", "sm_90", "-target-feature", "+ptx80", "-x", "cuda",
      std::string("-std=") + kUsualStandard, "-nostdsysteminc", "-nobuiltininc",
      "-internal-isystem", kIncludeDir, "-fdeclspec", "-ffp-contract=fast", "-O2",
      "-disable-llvm-passes", "-debug-info-kind=limited", "-dwarf-version=5",
      "-fgnuc-version=4.2.1", "-fno-delete-null-pointer-checks",
      // A shuffle may be given what only some lanes have set: no
      // licence to conclude that all have.
      "-no-enable-noundef-analysis", "-ferror-limit", "50", "-ftemplate-depth=256",
      "-fconstexpr-steps=1000000", "-fconstexpr-depth=256", "-fbracket-depth", "256",
      "-fcuda-allow-variadic-functions", "-Wno-unused-value", "-Wno-cuda-compat",
      "-Wno-unknown-pragmas", "-main-file-name", "kernel.cu", "-fcxx-exceptions",
      "-fdebug-compilation-dir=/lanescope"};
  args.insert(args.end(), kForgiven.begin(), kForgiven.end());
  return args;
}

SyntaxTree make_tree(std::vector<std::string> args,
                     llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  args.insert(args.begin(), kTreeFlag);
  Precompile action;
  auto all = std::make_shared<AllFiles>();
  SyntaxTree tree;
  if (!run_on_headers(args, std::move(files), action, all)) return tree;
  tree.content = action.tree();
  for (const std::string& name : all->getDependencies())
    if (!llvm::StringRef(name).starts_with(kIncludeDir)) tree.files.push_back(name);
  return tree;
}

std::string make_precompiled_prelude() { return versioned(tree_of_prelude()); }
std::string make_ptx_meanings() { return versioned(bitcode_of_ptx()); }

std::string_view precompiled_prelude() {
  if (const auto built = usable(lanescope_precompiled_begin, lanescope_precompiled_end))
    return *built;
  static const std::string made = tree_of_prelude();
  return made;
}

std::string_view ptx_meanings() {
  if (const auto built = usable(lanescope_ptx_begin, lanescope_ptx_end)) return *built;
  static const std::string made = bitcode_of_ptx();
  return made;
}

}  // namespace lanescope
