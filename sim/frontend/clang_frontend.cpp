// Text → syntax tree (kernels, access texts, constant
// expressions) → LLVM IR.
#pragma GCC diagnostic ignored "-Wnonnull"  // inside Clang's own headers, once inlined
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Mangle.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <clang/Sema/Sema.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "frontend/clang_frontend.h"
#include "frontend/collector.h"
#include "frontend/compile_limits.h"
#include "frontend/headers/aligned_files.h"
#include "frontend/headers/forwarding.h"
#include "frontend/headers/one_file.h"
#include "frontend/headers/own_folders.h"
#include "frontend/headers/precompiled.h"
#include "frontend/headers/setup.h"
#include "frontend/headers/toolkit_headers.h"
#include "frontend/kept_heads.h"
#include "frontend/text/host_chunks.h"
#include "frontend/text/joined_launches.h"
#include "frontend/text/launch_sites.h"
#include "frontend/text/named_registers.h"
#include "frontend/text/shared_alignment.h"
#include "frontend/tree/access_reader.h"
#include "frontend/tree/parameters.h"
#include "model/simulator_messages.h"

namespace lanescope {

IrModule::IrModule() = default;
IrModule::~IrModule() = default;
IrModule::IrModule(IrModule&&) noexcept = default;
IrModule& IrModule::operator=(IrModule&&) noexcept = default;

namespace {

constexpr const char* kMainFile = "/lanescope/kernel.cu";
constexpr const char* kMacroFile = "lanescope_macros.h";

// ---- the launch text: constant expressions to evaluate, and the kernel to instantiate ----

constexpr const char* kLaunchNamespace = "lanescope_launch";
constexpr const char* kLaunchKernel = "lanescope_kernel";

/// The few lines appended to a kernel text. Without a kernel only the expressions are.
std::string launch_text(const CompileRequest& request) {
  const std::string& kernel = request.kernel;
  if (kernel.empty() && request.expressions.empty()) return {};
  std::string text = "\n#line 1 \"<launch>\"\nnamespace ";
  text += kLaunchNamespace;
  // A template, so that a ceil_div of the kernel's own outside wins no overload against it by
  // accident.
  text += " { constexpr long long ceil_div(long long a, long long b) { return b > 0 ? (a + b - 1) "
          "/ b : 0; }\n";
  for (const ConstantExpression& expression : request.expressions) {
    // On a line of its own, so that columns in messages are those of the expression.
    const std::string line = "#line 1 \"<launch: " + expression.name + ">\"\n";
    text +=
        line + "constexpr auto " + expression.name + " = (\n" + line + expression.text + "\n);\n";
  }
  if (!kernel.empty())
    text += std::string("#line 1 \"<kernel>\"\nstatic auto* ") + kLaunchKernel + " = &" + kernel +
            ";\n";
  return text + "}\n";
}

// ---- what became of its variables ----

struct Launched {
  std::map<std::string, long long> values;
  std::string symbol;
  SourcePos declared;
  std::uint32_t most_threads = 0;
  Dim3 cluster;
  std::vector<ArgumentInfo> arguments;
  /// A header was not found, and the text read on without it
  bool lacks_header = false;
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
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    // Instances of templates come by here, too: they are no declarations of the text's.
    for (clang::Decl* decl : group)
      if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl);
          function == nullptr || !function->isTemplateInstantiation())
        declarations_.push_back(decl);
    return true;
  }
  // Only what is parsed now: the prelude's tree stays where it is.
  void HandleInterestingDecl(clang::DeclGroupRef) override {}
  void HandleTranslationUnit(clang::ASTContext& context) override {
    for (clang::Decl* decl : declarations_) find_headers(context, *decl, texts_);
    for (clang::Decl* decl : declarations_) read_accesses(context, *decl, texts_, kernels_);
    for (const clang::Decl* decl : declarations_)
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
    launched_.declared = position_of(context.getSourceManager(), definition->getLocation(), texts_)
                             .value_or(SourcePos());
    launched_.most_threads = most_threads_of(context, *definition);
    launched_.cluster = cluster_of(context, *definition);
    for (const auto* parameter : definition->parameters())
      launched_.arguments.push_back(parameter_of(context, *parameter));
  }

  AccessTexts& texts_;
  std::vector<KernelEntry>& kernels_;
  Launched& launched_;
  std::vector<clang::Decl*> declarations_;
};

/// What only host code needs may be missing: what it would have declared is missed where it is used.
class MissingHeaders : public clang::PPCallbacks {
 public:
  explicit MissingHeaders(bool& any) : any_(any) {}
  bool FileNotFound(llvm::StringRef) override { return any_ = true; }

 private:
  bool& any_;
};

class Action : public clang::EmitLLVMOnlyAction {
 public:
  Action(llvm::LLVMContext* context, AccessTexts& texts, std::vector<KernelEntry>& kernels,
         Launched& launched, std::stop_token stop, bool headers_may_lack)
      : clang::EmitLLVMOnlyAction(context), texts_(texts), kernels_(kernels), launched_(launched),
        stop_(std::move(stop)), headers_may_lack_(headers_may_lack) {}

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
    if (headers_may_lack_)
      compiler.getPreprocessor().addPPCallbacks(
          std::make_unique<MissingHeaders>(launched_.lacks_header));
    clang::EmitLLVMOnlyAction::ExecuteAction();
  }

 private:
  AccessTexts& texts_;
  std::vector<KernelEntry>& kernels_;
  Launched& launched_;
  std::stop_token stop_;
  bool headers_may_lack_ = false;
};

// ---- set-up ----

/// Where a text's headers come from.
enum class Headers {
  /// Ours alone: a few declarations stand in for the standard library
  ours,
  /// The machine's own and those beside the text, for what comes from a real tree
  tree
};

/// What a text sees before its first line.
const char* head_of(Headers headers) {
  return headers == Headers::tree ? "lanescope_program.h" : "lanescope_prelude.h";
}

/// What the compiler calls the kernel text: in a tree, what the machine calls it.
std::string main_file(const CompileRequest& request, Headers headers) {
  std::error_code ignored;
  return headers == Headers::ours ? kMainFile
                                  : std::filesystem::absolute(request.file, ignored).string();
}

std::string folder_of(const CompileRequest& request) {
  return std::filesystem::path(main_file(request, Headers::tree)).parent_path().string();
}

/// Beside the system's: the text's own, then those that are named for it.
std::vector<std::string> header_folders(const CompileRequest& request) {
  std::vector<std::string> folders{folder_of(request)};
  std::error_code ignored;
  for (const std::string& folder : request.include_folders)
    folders.push_back(std::filesystem::absolute(folder, ignored).string());
  return folders;
}

/// What the text and its head are compiled with alike.
std::vector<std::string> dialect_of(const CompileRequest& request, Headers headers) {
  std::vector<std::string> args = common_arguments();
  args.push_back("-std=" + request.standard);
  if (headers == Headers::tree)
    args.insert(args.end(), {"-DLANESCOPE_DEVICE_PASS", "-fexceptions", "-Wno-everything"});
  return args;
}

/// `tree` is that of what the text begins with, empty where that is read with the text.
std::vector<std::string> arguments_of(const CompileRequest& request, Headers headers,
                                      llvm::StringRef tree) {
  std::vector<std::string> args = dialect_of(request, headers);
  if (!tree.empty())
    args.insert(args.end(), {"-include-pch", kPrecompiledFile, "-fno-validate-pch"});
  else
    args.insert(args.end(), {"-include", head_of(headers)});
  args.insert(args.end(), {"-include", kMacroFile});
  if (headers == Headers::tree) {
    for (const std::string& folder : header_folders(request))
      args.insert(args.end(), {"-I", folder});
    add_system_headers(args);
  }
  args.push_back(main_file(request, headers));
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

/// What of the machine's files a text may include.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> tree_of(const CompileRequest& request) {
  std::vector<std::string> folders = header_folders(request);
  for (const SystemFolder& folder : system_header_folders()) folders.push_back(folder.path);
  return llvm::makeIntrusiveRefCnt<AlignedFiles>(llvm::makeIntrusiveRefCnt<OwnFolders>(
      llvm::vfs::createPhysicalFileSystem(), std::move(folders)));
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> file_system(const CompileRequest& request,
                                                            const std::string& text,
                                                            Headers headers, llvm::StringRef tree) {
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  files->setCurrentWorkingDirectory("/lanescope");
  const std::string dir = std::string(kIncludeDir) + "/";
  add_prelude(*files);
  for (const auto& [name, content] :
       headers == Headers::ours ? forwarding_headers() : cuda_headers())
    files->addFile(dir + name, 0,
                   llvm::MemoryBuffer::getMemBufferCopy(shielded(request, content), name));
  files->addFile(dir + kMacroFile, 0,
                 llvm::MemoryBuffer::getMemBufferCopy(macro_text(request), kMacroFile));
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> all;
  if (headers == Headers::ours) {
    files->addFile(kMainFile, 0, llvm::MemoryBuffer::getMemBufferCopy(text, kMainFile));
    all = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(files);
  } else {
    for (const SystemFolder& folder : system_header_folders()) put_ours_over(folder.path, *files);
    all = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(tree_of(request));
    all->pushOverlay(files);
  }
  all->pushOverlay(llvm::makeIntrusiveRefCnt<OneFile>(kPrecompiledFile, tree));
  return all;
}

/// The tree of what a text begins with; without content where that is to be read with it.
struct Head {
  llvm::StringRef tree;
  std::unique_ptr<llvm::MemoryBuffer> owned = nullptr;
};

// A folder that is named may have a header of a standard one's name. The text's macros come after the head.
Head head_for(const CompileRequest& request, Headers headers) {
  if (headers == Headers::ours)
    return {request.standard == kUsualStandard ? llvm::StringRef(precompiled_prelude()) : ""};
  if (request.kept_folder.empty() || !request.include_folders.empty()) return {};
  std::vector<std::string> args = dialect_of(request, headers);
  add_system_headers(args);
  args.push_back(std::string(kIncludeDir) + "/" + head_of(headers));
  CompileRequest bare;
  bare.file = request.file;
  Head head;
  head.owned = kept_head(args, file_system(bare, "", headers, ""), request.kept_folder);
  if (head.owned) head.tree = head.owned->getBuffer();
  return head;
}

/// Where a header was looked for, for whoever misses one.
Message searched_folders(const CompileRequest& request) {
  const std::string own = std::filesystem::path(request.file).parent_path().string();
  std::string list = own.empty() ? "." : own;
  for (const std::string& folder : request.include_folders) list += ", " + folder;
  return say::looked_for_header(list);
}

bool run_action(const CompileRequest& request, const std::string& text, Headers headers,
                Action& action, std::vector<Diagnostic>& diagnostics) {
  const std::string main = main_file(request, headers);
  Collector collector({{main, request.file}}, request.file, diagnostics);
  collector.hint_at_missing_headers(searched_folders(request));
  const Head head = head_for(request, headers);
  auto compiler =
      std::make_unique<clang::CompilerInstance>();  // which reads the head until it goes
  auto files = file_system(request, text, headers, head.tree);
  compiler->createDiagnostics(&collector, /*ShouldOwnClient=*/false);
  const std::vector<std::string> args = arguments_of(request, headers, head.tree);
  std::vector<const char*> pointers;
  for (const std::string& arg : args) pointers.push_back(arg.c_str());
  if (!clang::CompilerInvocation::CreateFromArgs(compiler->getInvocation(), pointers,
                                                 compiler->getDiagnostics()))
    return false;
  clang::ProcessWarningOptions(compiler->getDiagnostics(), compiler->getDiagnosticOpts());
  compiler->getDiagnosticOpts().ShowCarets =
      false;  // else Clang prints "1 error generated" by itself
  compiler->getFrontendOpts().SkipFunctionBodies = true;
  compiler->getFrontendOpts().DisableFree = false;
  compiler->getCodeGenOpts().DisableFree = false;
  if (headers == Headers::tree)
    compiler->getPreprocessorOpts().addRemappedFile(
        main, llvm::MemoryBuffer::getMemBufferCopy(text, main).release());
  compiler->setFileManager(new clang::FileManager(clang::FileSystemOptions{}, files));
  compiler->createSourceManager(compiler->getFileManager());
  return compiler->ExecuteAction(action);
}

IrModule parse_with(const CompileRequest& request, const std::string& kernel_text, Headers headers,
                    bool make_code, CompileResult& result) {
  IrModule out;
  out.context = std::make_unique<llvm::LLVMContext>();
  Launched launched;
  const std::string text =
      with_joined_launches(with_named_registers(with_alignment_first(kernel_text))) +
      launch_text(request);
  Action action(out.context.get(), out.texts, result.kernels, launched, request.stop,
                headers == Headers::tree);
  const bool ok = run_action(request, text, headers, action, result.diagnostics);
  result.values = launched.values;
  out.lacks_header = launched.lacks_header;
  if (!ok || has_errors(result.diagnostics) || !make_code) return out;
  out.module = action.takeModule();
  out.name = request.kernel;
  out.path = main_file(request, headers);
  out.symbol = launched.symbol;
  out.declared = launched.declared;
  out.most_threads = launched.most_threads;
  out.cluster = launched.cluster;
  out.arguments = launched.arguments;
  return out;
}

/// It includes something, lies in a folder, and the compiler has come to its end by itself.
bool may_need_a_tree(const CompileRequest& request, const CompileResult& result) {
  std::error_code ignored;
  if (!has_errors(result.diagnostics) || request.stop.stop_requested() ||
      request.text.find("#include") == std::string::npos ||
      !std::filesystem::is_regular_file(request.file, ignored))
    return false;
  return std::none_of(
      result.diagnostics.begin(), result.diagnostics.end(),
      [](const Diagnostic& d) { return d.message.english().starts_with("more than "); });
}

/// The one diagnostic that says where it has looked.
bool lacks_header(const CompileResult& result) {
  return std::any_of(result.diagnostics.begin(), result.diagnostics.end(),
                     [](const Diagnostic& d) { return !d.hint.empty(); });
}

/// Lines of the text that errors are in, headers and the added launch apart.
std::set<std::uint32_t> wrong_lines(const CompileRequest& request, const CompileResult& result) {
  std::set<std::uint32_t> lines;
  for (const Diagnostic& d : result.diagnostics)
    if (d.severity == Severity::error && d.file == request.file && d.line > 0) lines.insert(d.line);
  return lines;
}

/// Leaves out host code that does not compile, a round for each layer of it that comes to light.
bool parse_in_tree(const CompileRequest& request, bool make_code, IrModule& module,
                   CompileResult& result) {
  constexpr int kMostRounds = 8;
  std::string text = request.text;
  for (int round = 0; round < kMostRounds && !request.stop.stop_requested(); ++round) {
    result = {};
    module = parse_with(request, text, Headers::tree, make_code, result);
    if (!has_errors(result.diagnostics)) return true;
    std::string less = without_host_chunks(text, wrong_lines(request, result));
    if (less == text) return false;
    text = std::move(less);
  }
  return false;
}

}  // namespace

IrModule parse_kernel(const CompileRequest& request, bool make_code, CompileResult& result) {
  IrModule module = parse_with(request, request.text, Headers::ours, make_code, result);
  if (!may_need_a_tree(request, result)) return module;
  IrModule from_tree;
  CompileResult in_tree;
  const bool works = parse_in_tree(request, make_code, from_tree, in_tree);
  // Where the tree has every header that was missed, what is wrong is what it says.
  const bool better = lacks_header(result) && !from_tree.lacks_header;
  if (works || better) {
    result = std::move(in_tree);
    module = std::move(from_tree);
  }
  result.read_files = true;
  return module;
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
