// Text → syntax tree (kernels, access texts, constant
// expressions) → LLVM IR.
#pragma GCC diagnostic ignored "-Wnonnull"  // inside Clang's own headers, once inlined
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Mangle.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Lex/Lexer.h>
#include <clang/Sema/Sema.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <set>

#include "frontend/collector.h"
#include "frontend/compile_limits.h"
#include "frontend/embedded.h"
#include "frontend/ir_module.h"
#include "frontend/launch_sites.h"
#include "frontend/launch_text.h"
#include "frontend/tree_walk.h"

namespace lanescope {

IrModule::IrModule() = default;
IrModule::~IrModule() = default;
IrModule::IrModule(IrModule&&) noexcept = default;
IrModule& IrModule::operator=(IrModule&&) noexcept = default;

namespace {

constexpr const char* kMainFile = "/lanescope/kernel.cu";
constexpr const char* kMacroFile = "lanescope_macros.h";

// ---- the launch text's variables: constant values, and the kernel that was asked for ----

struct Launched {
  std::map<std::string, long long> values;
  std::string symbol;
  SourcePos declared;
  std::vector<ArgumentInfo> arguments;
};

class Consumer : public clang::ASTConsumer {
 public:
  Consumer(AccessTexts& texts, std::vector<KernelEntry>& kernels, Launched& launched)
      : texts_(texts), kernels_(kernels), launched_(launched) {}

  // Host-only code is parsed around: it need not compile here, and it is never executed.
  bool shouldSkipFunctionBody(clang::Decl* decl) override {
    const clang::FunctionDecl* function = decl->getAsFunction();
    return function != nullptr && !function->hasAttr<clang::CUDAGlobalAttr>() &&
           !function->hasAttr<clang::CUDADeviceAttr>() && !function->isConstexpr() &&
           function->getASTContext().getSourceManager().isInMainFile(function->getLocation()) &&
           !is_lambda(*function);
  }
  void HandleTranslationUnit(clang::ASTContext& context) override {
    TreeWalk(context, texts_, kernels_).TraverseDecl(context.getTranslationUnitDecl());
    for (const auto* decl : context.getTranslationUnitDecl()->decls())
      if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(decl);
          space != nullptr && space->getName() == kLaunchNamespace)
        for (const auto* inner : space->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(inner))
            take(context, *variable);
  }

 private:
  static bool is_lambda(const clang::FunctionDecl& function) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
    return method != nullptr && method->getParent()->isLambda();
  }
  void take(clang::ASTContext& context, const clang::VarDecl& variable) {
    if (variable.getName() == kLaunchKernel) return take_kernel(context, variable);
    if (variable.isInvalidDecl() || !variable.hasInit()) return;
    if (const clang::APValue* value = variable.evaluateValue(); value != nullptr && value->isInt())
      launched_.values[variable.getNameAsString()] = value->getInt().getExtValue();
  }
  void take_kernel(clang::ASTContext& context, const clang::VarDecl& variable) {
    if (!variable.hasInit()) return;
    const clang::Expr* e = variable.getInit()->IgnoreImplicit()->IgnoreParenCasts();
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(e))
      e = unary->getSubExpr()->IgnoreParenCasts();
    const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(e);
    const auto* function =
        ref != nullptr ? llvm::dyn_cast<clang::FunctionDecl>(ref->getDecl()) : nullptr;
    if (function == nullptr || !function->hasAttr<clang::CUDAGlobalAttr>()) return;
    clang::ASTNameGenerator names(context);
    launched_.symbol = names.getName(function);
    const clang::FunctionDecl* definition = function->getDefinition();
    if (definition == nullptr) definition = function;
    const auto presumed = context.getSourceManager().getPresumedLoc(definition->getLocation());
    launched_.declared = {presumed.getLine(), presumed.getColumn(), 0};
    for (const auto* parameter : definition->parameters())
      launched_.arguments.push_back(parameter_of(context, *parameter));
  }

  AccessTexts& texts_;
  std::vector<KernelEntry>& kernels_;
  Launched& launched_;
};

class Action : public clang::EmitLLVMOnlyAction {
 public:
  Action(llvm::LLVMContext* context, AccessTexts& texts, std::vector<KernelEntry>& kernels,
         Launched& launched, std::stop_token stop)
      : clang::EmitLLVMOnlyAction(context), texts_(texts), kernels_(kernels), launched_(launched),
        stop_(std::move(stop)) {}

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef file) override {
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(std::make_unique<Consumer>(texts_, kernels_, launched_));
    consumers.push_back(clang::EmitLLVMOnlyAction::CreateASTConsumer(compiler, file));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }
  void ExecuteAction() override {
    clang::CompilerInstance& compiler = getCompilerInstance();
    if (!compiler.hasPreprocessor()) return;
    compiler.createSema(getTranslationUnitKind(), nullptr);
    CompileLimits limits(compiler, stop_);
    clang::EmitLLVMOnlyAction::ExecuteAction();
  }

 private:
  AccessTexts& texts_;
  std::vector<KernelEntry>& kernels_;
  Launched& launched_;
  std::stop_token stop_;
};

// ---- set-up ----

std::vector<std::string> arguments_of() {
  std::vector<std::string> args{
      "-triple", "nvptx64-nvidia-cuda", "-aux-triple", "x86_64-unknown-linux-gnu",
      "-fcuda-is-device", "-target-cpu", "sm_90", "-target-feature", "+ptx80", "-x", "cuda",
      "-std=c++17", "-nostdsysteminc", "-nobuiltininc", "-internal-isystem", kIncludeDir,
      "-include", "lanescope_prelude.h", "-include", kMacroFile, "-fdeclspec", "-ffp-contract=fast",
      "-O2", "-disable-llvm-passes", "-debug-info-kind=limited", "-dwarf-version=5",
      "-fgnuc-version=4.2.1", "-fno-delete-null-pointer-checks",
      // A shuffle may be given what only some lanes have set: no
      // licence to conclude that all have.
      "-no-enable-noundef-analysis", "-ferror-limit", "50", "-ftemplate-depth=256",
      "-fconstexpr-steps=1000000", "-fconstexpr-depth=256", "-fbracket-depth", "256",
      "-Wno-unused-value", "-Wno-cuda-compat", "-Wno-unknown-pragmas", "-main-file-name",
      "kernel.cu", "-fcxx-exceptions", "-fdebug-compilation-dir=/lanescope"};
  args.push_back(kMainFile);
  return args;
}

// A text's macros may have any name (T, N): our own headers must not see them, whenever they are
// included.
std::string macro_text(const CompileRequest& request) {
  std::string text;
  for (const MacroDefinition& macro : request.macros)
    text += "#define " + macro.name + " " + macro.value + "\n";
  return text;
}

std::string shielded(const CompileRequest& request, const std::string& content) {
  std::string before, after;
  for (const MacroDefinition& macro : request.macros) {
    const std::string name = macro.name.substr(0, macro.name.find('('));
    before += "#pragma push_macro(\"" + name + "\")\n#undef " + name + "\n";
    after += "#pragma pop_macro(\"" + name + "\")\n";
  }
  return before + content + after;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> file_system(const CompileRequest& request,
                                                                    const std::string& text) {
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  files->setCurrentWorkingDirectory("/lanescope");
  const std::string dir = std::string(kIncludeDir) + "/";
  for (std::size_t i = 0; i < kPreludeFileCount; ++i)
    files->addFile(
        dir + kPreludeFiles[i].name, 0,
        llvm::MemoryBuffer::getMemBuffer(
            llvm::StringRef(kPreludeFiles[i].data, kPreludeFiles[i].size), kPreludeFiles[i].name));
  for (const auto& [name, content] : forwarding_headers())
    files->addFile(dir + name, 0,
                   llvm::MemoryBuffer::getMemBufferCopy(shielded(request, content), name));
  files->addFile(dir + kMacroFile, 0,
                 llvm::MemoryBuffer::getMemBufferCopy(macro_text(request), kMacroFile));
  files->addFile(kMainFile, 0, llvm::MemoryBuffer::getMemBufferCopy(text, kMainFile));
  return files;
}

bool run_action(const CompileRequest& request, const std::string& text, Action& action,
                std::vector<Diagnostic>& diagnostics) {
  Collector collector({{kMainFile, request.file}}, request.file, diagnostics);
  auto compiler = std::make_unique<clang::CompilerInstance>();
  auto files = file_system(request, text);
  compiler->createDiagnostics(&collector, /*ShouldOwnClient=*/false);
  const std::vector<std::string> args = arguments_of();
  std::vector<const char*> pointers;
  for (const std::string& arg : args) pointers.push_back(arg.c_str());
  if (!clang::CompilerInvocation::CreateFromArgs(compiler->getInvocation(), pointers,
                                                 compiler->getDiagnostics()))
    return false;
  compiler->getDiagnosticOpts().ShowCarets =
      false;  // else Clang prints "1 error generated" by itself
  compiler->getFrontendOpts().SkipFunctionBodies = true;
  compiler->getFrontendOpts().DisableFree = false;
  compiler->getCodeGenOpts().DisableFree = false;
  compiler->setFileManager(new clang::FileManager(clang::FileSystemOptions{}, files));
  compiler->createSourceManager(compiler->getFileManager());
  return compiler->ExecuteAction(action);
}

}  // namespace

IrModule parse_kernel(const CompileRequest& request, bool make_code, CompileResult& result) {
  IrModule out;
  out.context = std::make_unique<llvm::LLVMContext>();
  Launched launched;
  const std::string text = request.text + launch_text(request, request.kernel);
  Action action(out.context.get(), out.texts, result.kernels, launched, request.stop);
  const bool ok = run_action(request, text, action, result.diagnostics);
  result.values = launched.values;
  if (!ok || has_errors(result.diagnostics) || !make_code) return out;
  out.module = action.takeModule();
  out.name = request.kernel;
  out.symbol = launched.symbol;
  out.declared = launched.declared;
  out.arguments = launched.arguments;
  return out;
}

std::vector<RawToken> raw_tokens(const std::string& text) {
  clang::LangOptions options;
  options.CPlusPlus = options.CPlusPlus17 = options.CUDA = true;
  const char *begin = text.c_str(), *end = begin + text.size();
  clang::Lexer lexer(clang::SourceLocation(), options, begin, begin, end);
  std::vector<RawToken> tokens;
  std::uint32_t line = 1;
  const char* counted = begin;
  const char* line_start = begin;
  for (clang::Token token; !lexer.LexFromRawLexer(token) || token.isNot(clang::tok::eof);) {
    if (token.is(clang::tok::eof)) break;
    const char* at = lexer.getBufferLocation() - token.getLength();
    for (; counted < at; ++counted)
      if (*counted == '\n') ++line, line_start = counted + 1;
    tokens.push_back({std::string(at, token.getLength()),
                      {line, static_cast<std::uint32_t>(at - line_start) + 1, 0},
                      token.is(clang::tok::raw_identifier)});
  }
  return tokens;
}

}  // namespace lanescope
