#include "frontend/tree/access_reader.h"

#pragma GCC diagnostic ignored "-Wnonnull"  // inside Clang's own headers, once inlined
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "frontend/tree/parameters.h"
#include "frontend/tree/tree_reader.h"

namespace lanescope {
namespace {

/// Kernels and accesses as they are written.
class AccessReader : public TreeReader {
 public:
  AccessReader(clang::ASTContext& context, AccessTexts& texts, std::vector<KernelEntry>& kernels)
      : context_(context), sources_(context.getSourceManager()), texts_(texts), kernels_(kernels) {}

  void function(clang::FunctionDecl& decl) override {
    if (decl.hasAttr<clang::CUDAGlobalAttr>() && in_main(decl.getLocation()) &&
        decl.isThisDeclarationADefinition())
      add_kernel(decl);
  }
  void binary(clang::BinaryOperator& op) override {
    if (op.isAssignmentOp()) add_assignment(op.getOperatorLoc(), op.getLHS(), op.getRHS());
    // `a[i] += x` reads where its operator stands.
    if (op.isCompoundAssignmentOp())
      if (AccessText text = describe(op.getLHS()); !text.text.empty())
        record(texts_.loads, op.getOperatorLoc(), std::move(text));
  }
  void operator_call(clang::CXXOperatorCallExpr& call) override {
    if (call.isAssignmentOp() && call.getNumArgs() == 2)
      add_assignment(call.getOperatorLoc(), call.getArg(0), call.getArg(1));
  }
  void variable(clang::VarDecl& decl) override {
    if (!decl.hasInit()) return;
    const auto at = key(decl.getLocation());
    AccessText text = at ? describe(decl.getInit()) : AccessText();
    if (!text.text.empty()) texts_.sources.emplace(*at, std::move(text));
  }
  void subscript(clang::ArraySubscriptExpr& e) override { add_load(e); }
  void member(clang::MemberExpr& e) override { add_load(e); }
  void unary(clang::UnaryOperator& e) override {
    if (e.getOpcode() == clang::UO_Deref) add_load(e);
  }
  void call(clang::CallExpr& e) override {
    // Atomics and __ldg: the access is the call.
    bool by_objects = false;
    for (const clang::Expr* argument : e.arguments()) {
      const clang::QualType type = argument->getType();
      by_objects |= type->isDependentType() || type->isRecordType();
      if (!type->isPointerType() && !type->isDependentType()) continue;
      AccessText text = describe(argument);
      if (text.text.empty() || (!type->isPointerType() && text.indices.empty())) continue;
      return record(texts_.loads, e.getBeginLoc(), std::move(text));
    }
    // copy(tAgA, tAsA): what a library does with objects is known by the call.
    if (by_objects) record(texts_.loads, e.getBeginLoc(), {shortened(spelling(&e)), {}, {}});
  }

 private:
  bool in_main(clang::SourceLocation location) const {
    return sources_.isInMainFile(sources_.getExpansionLoc(location));
  }
  // Nullopt in files whose accesses are not told.
  std::optional<AccessTexts::Key> key(clang::SourceLocation location) const {
    const auto at = position_of(sources_, location, texts_);
    if (!at) return std::nullopt;
    return AccessTexts::Key{at->line, at->column, at->file};
  }
  void record(std::map<AccessTexts::Key, AccessText>& map, clang::SourceLocation at,
              AccessText text) {
    if (const auto found = key(at)) map.emplace(*found, std::move(text));
  }
  void add_load(const clang::Expr& e) {
    AccessText text = describe(&e);
    if (!text.text.empty()) record(texts_.loads, e.getBeginLoc(), std::move(text));
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
  /// On one line, and not much of it.
  static std::string shortened(const std::string& text) {
    constexpr std::size_t kMost = 48;
    std::string line;
    for (const char c : text) {
      const bool is_space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
      if (!is_space)
        line += c;
      else if (!line.empty() && line.back() != ' ')
        line += ' ';
    }
    if (line.size() <= kMost) return line;
    std::size_t end = kMost - 3;
    while ((static_cast<unsigned char>(line[end]) & 0xc0u) == 0x80u) --end;  // within a character
    return line.substr(0, end) + "...";
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
  std::string default_of(const clang::NamedDecl& parameter) const {
    std::string text;
    llvm::raw_string_ostream stream(text);
    const auto* type = llvm::dyn_cast<clang::TemplateTypeParmDecl>(&parameter);
    const auto* value = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(&parameter);
    const bool known = (type != nullptr && type->hasDefaultArgument()) ||
                       (value != nullptr && value->hasDefaultArgument());
    if (!known) return {};
    const clang::TemplateArgument& argument =
        (type != nullptr ? type->getDefaultArgument() : value->getDefaultArgument()).getArgument();
    argument.print(context_.getPrintingPolicy(), stream, /*IncludeType=*/false);
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
        entry.template_defaults.push_back(default_of(*parameter));
      }
    for (const auto* parameter : decl.parameters())
      entry.arguments.push_back(parameter_of(context_, *parameter));
    entry.declared = position_of(sources_, decl.getLocation(), texts_).value_or(SourcePos());
    kernels_.push_back(std::move(entry));
  }

  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  AccessTexts& texts_;
  std::vector<KernelEntry>& kernels_;
};

/// The text's own headers with kernels in them.
class HeaderReader : public TreeReader {
 public:
  HeaderReader(const clang::SourceManager& sources, std::vector<std::string>& headers)
      : sources_(sources), headers_(headers) {}

  void function(clang::FunctionDecl& decl) override {
    if (!decl.hasAttr<clang::CUDAGlobalAttr>() || !decl.isThisDeclarationADefinition()) return;
    const clang::SourceLocation at = sources_.getExpansionLoc(decl.getLocation());
    if (!at.isValid() || sources_.isInMainFile(at) || sources_.isInSystemHeader(at)) return;
    if (std::string name = sources_.getPresumedLoc(at).getFilename();
        std::find(headers_.begin(), headers_.end(), name) == headers_.end())
      headers_.push_back(std::move(name));
  }

 private:
  const clang::SourceManager& sources_;
  std::vector<std::string>& headers_;
};

/// `*(float4*)&a[i] = *(const float4*)&tile[k][j]`: from the arrays' declarations Clang knows of 4-byte
/// alignment only, and the IR no longer says that a float4 was meant. A type that is as wide as it is
/// aligned is moved whole, whatever it is seen through (CUDA C++ Programming Guide, "Device Memory
/// Accesses"). Instances of templates too: there a type may be known only then.
class WholeCopies : public TreeReader {
 public:
  WholeCopies(clang::ASTContext& context, AccessTexts& texts) : context_(context), texts_(texts) {}

  [[nodiscard]] bool reads_instances() const override { return true; }
  void operator_call(clang::CXXOperatorCallExpr& call) override {
    if (call.getOperator() != clang::OO_Equal) return;
    const clang::QualType type = call.getArg(0)->getType();
    if (type->isDependentType() || !type->isRecordType() || type->isIncompleteType()) return;
    if (context_.getTypeAlign(type) != context_.getTypeSize(type)) return;
    const clang::SourceManager& sources = context_.getSourceManager();
    const auto at = sources.getPresumedLoc(sources.getExpansionLoc(call.getOperatorLoc()));
    if (at.isValid())
      texts_.whole.emplace(llvm::sys::path::filename(at.getFilename()), at.getLine(),
                           at.getColumn());
  }

 private:
  clang::ASTContext& context_;
  AccessTexts& texts_;
};

}  // namespace

std::optional<SourcePos> position_of(const clang::SourceManager& sources,
                                     clang::SourceLocation location, const AccessTexts& texts) {
  const clang::SourceLocation expanded = sources.getExpansionLoc(location);
  const auto at = sources.getPresumedLoc(expanded);
  if (!at.isValid()) return std::nullopt;
  if (sources.isInMainFile(expanded)) return SourcePos{at.getLine(), at.getColumn(), 0};
  const auto header = std::find(texts.headers.begin(), texts.headers.end(), at.getFilename());
  if (header == texts.headers.end()) return std::nullopt;
  return SourcePos{at.getLine(), at.getColumn(),
                   static_cast<std::uint32_t>(header - texts.headers.begin()) + 1};
}

void find_headers(clang::ASTContext& context, clang::Decl& decl, AccessTexts& texts) {
  HeaderReader headers(context.getSourceManager(), texts.headers);
  read_tree(decl, headers);
}

void read_accesses(clang::ASTContext& context, clang::Decl& decl, AccessTexts& texts,
                   std::vector<KernelEntry>& kernels) {
  AccessReader accesses(context, texts, kernels);
  read_tree(decl, accesses);
  WholeCopies copies(context, texts);
  read_tree(decl, copies);
}

}  // namespace lanescope
