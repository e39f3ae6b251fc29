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

#include "frontend/compile_limits.h"
#include "frontend/embedded.h"
#include "frontend/ir_module.h"
#include "frontend/launch_sites.h"
#include "frontend/launch_text.h"

namespace lanescope {

IrModule::IrModule() = default;
IrModule::~IrModule() = default;
IrModule::IrModule(IrModule&&) noexcept = default;
IrModule& IrModule::operator=(IrModule&&) noexcept = default;

namespace {

constexpr const char* kMainFile = "/lanescope/kernel.cu";
constexpr const char* kMacroFile = "lanescope_macros.h";
constexpr const char* kIncludeDir = "/lanescope/include";

// ---- types ----

ScalarType scalar_of(const clang::ASTContext& context, clang::QualType type) {
  type = type.getCanonicalType().getUnqualifiedType();
  if (type->isPointerType() || type->isReferenceType()) return ScalarType::pointer;
  if (const auto* enumeration = type->getAs<clang::EnumType>())
    type = enumeration->getDecl()->getIntegerType().getCanonicalType();
  const auto* builtin = type->getAs<clang::BuiltinType>();
  if (builtin == nullptr) return ScalarType::unknown;
  if (builtin->getKind() == clang::BuiltinType::Bool) return ScalarType::boolean;
  if (builtin->isFloatingPoint()) {
    const auto bits = context.getTypeSize(type);
    return bits == 16   ? ScalarType::f16
           : bits == 32 ? ScalarType::f32
           : bits == 64 ? ScalarType::f64
                        : ScalarType::unknown;
  }
  if (!builtin->isInteger()) return ScalarType::unknown;
  const bool is_signed = builtin->isSignedInteger();
  switch (context.getTypeSize(type)) {
  case 8:
    return is_signed ? ScalarType::i8 : ScalarType::u8;
  case 16:
    return is_signed ? ScalarType::i16 : ScalarType::u16;
  case 32:
    return is_signed ? ScalarType::i32 : ScalarType::u32;
  case 64:
    return is_signed ? ScalarType::i64 : ScalarType::u64;
  default:
    return ScalarType::unknown;
  }
}

/// A float4 is four f32; anything that is not `count` equal scalars is unknown.
std::pair<ScalarType, unsigned> element_of(const clang::ASTContext& context, clang::QualType type) {
  if (const auto* record = type->getAsRecordDecl();
      record != nullptr && record->isCompleteDefinition()) {
    ScalarType scalar = ScalarType::unknown;
    unsigned count = 0;
    for (const auto* field : record->fields()) {
      const ScalarType one = scalar_of(context, field->getType());
      if (count++ > 0 && one != scalar) return {ScalarType::unknown, 1};
      scalar = one;
    }
    return {scalar, std::max(count, 1u)};
  }
  return {scalar_of(context, type), 1};
}

ArgumentInfo parameter_of(const clang::ASTContext& context, const clang::ParmVarDecl& decl) {
  ArgumentInfo info;
  info.name = decl.getNameAsString();
  const clang::QualType type = decl.getType();
  info.type_text = type.getAsString(context.getPrintingPolicy());
  info.is_pointer = type->isPointerType();
  if (type->isDependentType()) return info;
  if (info.is_pointer) {
    const clang::QualType pointee = type->getPointeeType();
    info.is_const = pointee.isConstQualified();
    if (!pointee->isDependentType())
      std::tie(info.type, info.components) = element_of(context, pointee);
    info.bytes = 8;
  } else {
    std::tie(info.type, info.components) = element_of(context, type);
    if (!type->isIncompleteType())
      info.bytes = static_cast<std::uint32_t>(context.getTypeSizeInChars(type).getQuantity());
  }
  return info;
}

// ---- syntax-tree walk: kernels and access texts of the kernel text itself ----

class TreeWalk : public clang::RecursiveASTVisitor<TreeWalk> {
 public:
  TreeWalk(clang::ASTContext& context, AccessTexts& texts, std::vector<KernelEntry>& kernels)
      : context_(context), sources_(context.getSourceManager()), texts_(texts), kernels_(kernels) {}

  bool VisitFunctionDecl(clang::FunctionDecl* decl) {
    if (decl->hasAttr<clang::CUDAGlobalAttr>() && in_main(decl->getLocation()) &&
        decl->isThisDeclarationADefinition())
      add_kernel(*decl);
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* op) {
    if (op->isAssignmentOp()) add_assignment(op->getOperatorLoc(), op->getLHS(), op->getRHS());
    // `a[i] += x` reads where its operator stands.
    if (op->isCompoundAssignmentOp())
      if (AccessText text = describe(op->getLHS()); !text.text.empty())
        record(texts_.loads, op->getOperatorLoc(), std::move(text));
    return true;
  }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* call) {
    if (call->isAssignmentOp() && call->getNumArgs() == 2)
      add_assignment(call->getOperatorLoc(), call->getArg(0), call->getArg(1));
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* decl) {
    if (decl->hasInit() && in_main(decl->getLocation())) {
      AccessText text = describe(decl->getInit());
      if (!text.text.empty()) texts_.sources.emplace(key(decl->getLocation()), std::move(text));
    }
    return true;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* e) { return add_load(e); }
  bool VisitMemberExpr(clang::MemberExpr* e) { return add_load(e); }
  bool VisitUnaryOperator(clang::UnaryOperator* e) {
    return e->getOpcode() == clang::UO_Deref ? add_load(e) : true;
  }
  bool VisitCallExpr(clang::CallExpr* e) {
    // Atomics and __ldg: the access is the call.
    for (const clang::Expr* argument : e->arguments())
      if (argument->getType()->isPointerType() || argument->getType()->isDependentType()) {
        AccessText text = describe(argument);
        if (!text.text.empty()) return record(texts_.loads, e->getBeginLoc(), std::move(text));
      }
    return true;
  }

 private:
  bool in_main(clang::SourceLocation location) const {
    return sources_.isInMainFile(sources_.getExpansionLoc(location));
  }
  AccessTexts::Key key(clang::SourceLocation location) const {
    const auto presumed = sources_.getPresumedLoc(sources_.getExpansionLoc(location));
    return {presumed.getLine(), presumed.getColumn()};
  }
  bool record(std::map<AccessTexts::Key, AccessText>& map, clang::SourceLocation at,
              AccessText text) {
    if (in_main(at)) map.emplace(key(at), std::move(text));
    return true;
  }
  bool add_load(const clang::Expr* e) {
    AccessText text = describe(e);
    return text.text.empty() ? true : record(texts_.loads, e->getBeginLoc(), std::move(text));
  }
  void add_assignment(clang::SourceLocation at, const clang::Expr* to, const clang::Expr* from) {
    if (AccessText text = describe(to); !text.text.empty())
      record(texts_.stores, at, std::move(text));
    if (AccessText text = describe(from); !text.text.empty())
      record(texts_.sources, at, std::move(text));
  }
  std::string spelling(const clang::Expr* e) const {
    const auto range =
        clang::Lexer::makeFileCharRange(clang::CharSourceRange::getTokenRange(e->getSourceRange()),
                                        sources_, context_.getLangOpts());
    return clang::Lexer::getSourceText(range, sources_, context_.getLangOpts()).str();
  }
  // Peels casts, & and * until a subscript, a name or something else is left.
  static const clang::Expr* peel(const clang::Expr* e) {
    for (;;) {
      e = e->IgnoreParenCasts();
      if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(e);
          unary != nullptr &&
          (unary->getOpcode() == clang::UO_AddrOf || unary->getOpcode() == clang::UO_Deref))
        e = unary->getSubExpr();
      else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(e))
        e = member->getBase();
      else
        return e;
    }
  }
  AccessText describe(const clang::Expr* e) const {
    AccessText text;
    e = e->IgnoreImplicit()->IgnoreParens();
    const clang::Expr* inner = peel(e);
    while (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(inner)) {
      text.indices.insert(text.indices.begin(), spelling(subscript->getIdx()));
      inner = peel(subscript->getBase());
    }
    if (const auto* add = llvm::dyn_cast<clang::BinaryOperator>(inner);
        add != nullptr && add->isAdditiveOp()) {
      text.indices.insert(text.indices.begin(), spelling(add->getRHS()));
      inner = peel(add->getLHS());
    }
    if (const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(inner)) {
      text.root = ref->getNameInfo().getAsString();
      text.text = spelling(e);
    } else if (!text.indices.empty()) {
      text.text = spelling(e);
    }
    return text;
  }
  void add_kernel(const clang::FunctionDecl& decl) {
    KernelEntry entry;
    entry.name = decl.getQualifiedNameAsString();
    entry.is_template = decl.getDescribedFunctionTemplate() != nullptr;
    if (entry.is_template)
      for (const auto* parameter : *decl.getDescribedFunctionTemplate()->getTemplateParameters()) {
        std::string text;
        llvm::raw_string_ostream stream(text);
        parameter->print(stream, context_.getPrintingPolicy());
        entry.template_parameters.push_back(std::move(text));
      }
    for (const auto* parameter : decl.parameters())
      entry.arguments.push_back(parameter_of(context_, *parameter));
    const auto [line, column] = key(decl.getLocation());
    entry.declared = {line, column, 0};
    kernels_.push_back(std::move(entry));
  }

  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  AccessTexts& texts_;
  std::vector<KernelEntry>& kernels_;
};

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

// ---- diagnostics ----

class Collector : public clang::DiagnosticConsumer {
 public:
  Collector(const CompileRequest& request, std::vector<Diagnostic>& out)
      : request_(request), out_(out) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& info) override {
    clang::DiagnosticConsumer::HandleDiagnostic(level, info);
    if (level < clang::DiagnosticsEngine::Warning && level != clang::DiagnosticsEngine::Note)
      return;
    // That it stops needs no words of its own.
    if (out_.size() >= kMost || info.getID() == clang::diag::fatal_too_many_errors) return;
    Diagnostic d;
    d.kind = DiagnosticKind::compile;
    d.severity = level == clang::DiagnosticsEngine::Note      ? Severity::note
                 : level == clang::DiagnosticsEngine::Warning ? Severity::warning
                                                              : Severity::error;
    llvm::SmallString<128> message;
    info.FormatDiagnostic(message);
    d.message = Message::verbatim(message.str().str());
    d.file = request_.file;
    if (info.hasSourceManager() && info.getLocation().isValid()) locate(info, d);
    out_.push_back(std::move(d));
  }

 private:
  static constexpr std::size_t kMost = 200;

  void locate(const clang::Diagnostic& info, Diagnostic& d) const {
    const clang::SourceManager& sources = info.getSourceManager();
    const clang::SourceLocation location = sources.getExpansionLoc(info.getLocation());
    const auto presumed = sources.getPresumedLoc(location);
    if (presumed.isInvalid()) return;
    const llvm::StringRef name = presumed.getFilename();
    d.file = name == kMainFile               ? request_.file
             : name.starts_with(kIncludeDir) ? name.substr(sizeof("/lanescope/") - 1).str()
                                             : name.str();
    d.line = presumed.getLine();
    d.column = presumed.getColumn();
    bool invalid = false;
    const llvm::StringRef buffer = sources.getBufferData(sources.getFileID(location), &invalid);
    if (invalid) return;
    const std::size_t offset = sources.getFileOffset(location);
    const std::size_t begin = buffer.rfind('\n', offset == 0 ? 0 : offset - 1);
    const std::size_t from = begin == llvm::StringRef::npos || offset == 0 ? 0 : begin + 1;
    d.source_line = buffer.slice(from, buffer.find('\n', offset)).take_front(400).str();
  }

  const CompileRequest& request_;
  std::vector<Diagnostic>& out_;
};

// ---- set-up ----

std::vector<std::string> arguments_of() {
  std::vector<std::string> args{"-triple",
                                "nvptx64-nvidia-cuda",
                                "-aux-triple",
                                "x86_64-unknown-linux-gnu",
                                "-fcuda-is-device",
                                "-target-cpu",
                                "sm_90",
                                "-target-feature",
                                "+ptx80",
                                "-x",
                                "cuda",
                                "-std=c++17",
                                "-nostdsysteminc",
                                "-nobuiltininc",
                                "-internal-isystem",
                                kIncludeDir,
                                "-include",
                                "lanescope_prelude.h",
                                "-include",
                                kMacroFile,
                                "-fdeclspec",
                                "-ffp-contract=fast",
                                "-O2",
                                "-disable-llvm-passes",
                                "-debug-info-kind=limited",
                                "-dwarf-version=5",
                                "-fgnuc-version=4.2.1",
                                "-fno-delete-null-pointer-checks",
                                "-ferror-limit",
                                "50",
                                "-ftemplate-depth=256",
                                "-fconstexpr-steps=1000000",
                                "-fconstexpr-depth=256",
                                "-fbracket-depth",
                                "256",
                                "-Wno-unused-value",
                                "-Wno-cuda-compat",
                                "-Wno-unknown-pragmas",
                                "-main-file-name",
                                "kernel.cu",
                                "-fcxx-exceptions",
                                "-fdebug-compilation-dir=/lanescope"};
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
  Collector collector(request, diagnostics);
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
