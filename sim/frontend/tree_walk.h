// What only the syntax tree knows: kernels, the types of their parameters, the texts of accesses.
// Private to the files that include Clang.
#pragma once

#pragma GCC diagnostic ignored "-Wnonnull"  // inside Clang's own headers, once inlined
#include <clang/AST/ASTContext.h>
#include <clang/AST/RecordLayout.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Lex/Lexer.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lanescope/compile.h"
#include "lower/access_text.h"

namespace lanescope {

inline ScalarType scalar_of(const clang::ASTContext& context, clang::QualType type) {
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
inline std::pair<ScalarType, unsigned> element_of(const clang::ASTContext& context,
                                                  clang::QualType type) {
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

inline void take_pointee(const clang::ASTContext& context, clang::QualType pointee,
                         ArgumentInfo& info) {
  std::tie(info.type, info.components) = element_of(context, pointee);
  if (const auto* record = pointee->getAsRecordDecl()) info.structure = record->getNameAsString();
  if (!pointee->isIncompleteType() && !pointee->isFunctionType())
    info.pointee_bytes =
        static_cast<std::uint32_t>(context.getTypeSizeInChars(pointee).getQuantity());
}

/// Of a block, from __launch_bounds__; 0 where a kernel has none, or none that is a constant yet.
inline std::uint32_t most_threads_of(const clang::ASTContext& context,
                                     const clang::FunctionDecl& kernel) {
  const auto* bounds = kernel.getAttr<clang::CUDALaunchBoundsAttr>();
  if (bounds == nullptr || bounds->getMaxThreads()->isValueDependent()) return 0;
  const auto threads = bounds->getMaxThreads()->getIntegerConstantExpr(context);
  return threads ? static_cast<std::uint32_t>(threads->getZExtValue()) : 0;
}

/// Blocks of a cluster, from __cluster_dims__ (prelude/lanescope_attributes.h); one where a kernel has none.
inline Dim3 cluster_of(const clang::ASTContext& context, const clang::FunctionDecl& kernel) {
  Dim3 blocks;
  for (const auto* note : kernel.specific_attrs<clang::AnnotateAttr>()) {
    if (note->getAnnotation() != "lanescope_cluster") continue;
    std::uint32_t* axis[] = {&blocks.x, &blocks.y, &blocks.z};
    std::size_t next = 0;
    for (const clang::Expr* size : note->args())
      if (const auto value = size->getIntegerConstantExpr(context); value && next < 3)
        *axis[next++] = static_cast<std::uint32_t>(value->getZExtValue());
  }
  return blocks;
}

inline ArgumentInfo value_of(const clang::ASTContext& context, clang::QualType type,
                             std::string name);

/// Values in a struct that are told one by one; of larger ones nobody writes them.
inline constexpr std::size_t kMostMembers = 1024;

/// Adds a member if its value can be told at all; false if not.
inline bool add_member(const clang::ASTContext& context, clang::QualType type, std::string name,
                       std::uint64_t offset, ArgumentInfo& to) {
  ArgumentInfo member = value_of(context, type, std::move(name));
  if (to.members.size() >= kMostMembers ||
      (!member.by_members && member.type == ScalarType::unknown && !member.is_pointer))
    return false;
  member.offset = static_cast<std::uint32_t>(offset);
  to.members.push_back(std::move(member));
  return true;
}

/// Bases and fields where the struct has them; false where its bytes are not all its members' own, as
/// those of unions, bit-fields and classes with virtual functions.
inline bool take_members(const clang::ASTContext& context, const clang::RecordDecl& record,
                         ArgumentInfo& info) {
  if (record.isUnion() || !record.isCompleteDefinition()) return false;
  const clang::ASTRecordLayout& layout = context.getASTRecordLayout(&record);
  if (const auto* own = llvm::dyn_cast<clang::CXXRecordDecl>(&record)) {
    if (own->isDynamicClass()) return false;
    for (const clang::CXXBaseSpecifier& base : own->bases()) {
      const auto* of = base.getType()->getAsCXXRecordDecl();
      const auto offset = static_cast<std::uint64_t>(layout.getBaseClassOffset(of).getQuantity());
      // What has no values needs none.
      if (!of->isEmpty() &&
          !add_member(context, base.getType(), of->getNameAsString(), offset, info))
        return false;
    }
  }
  for (const auto* field : record.fields()) {
    const std::uint64_t offset = layout.getFieldOffset(field->getFieldIndex()) / 8;
    if (field->isBitField() ||
        !add_member(context, field->getType(), field->getNameAsString(), offset, info))
      return false;
  }
  return true;
}

inline bool take_elements(const clang::ASTContext& context, const clang::ConstantArrayType& array,
                          ArgumentInfo& info) {
  const clang::QualType type = array.getElementType();
  const auto bytes = static_cast<std::uint64_t>(context.getTypeSizeInChars(type).getQuantity());
  for (std::uint64_t i = 0; i < array.getSize().getZExtValue(); ++i)
    if (!add_member(context, type, "[" + std::to_string(i) + "]", i * bytes, info)) return false;
  return true;
}

/// What can be given as a value of the type: to a parameter, or to a member of one.
inline ArgumentInfo value_of(const clang::ASTContext& context, clang::QualType type,
                             std::string name) {
  ArgumentInfo info;
  info.name = std::move(name);
  info.type_text = type.getAsString(context.getPrintingPolicy());
  info.is_pointer = type->isPointerType();
  if (type->isDependentType()) return info;
  if (info.is_pointer) {
    const clang::QualType pointee = type->getPointeeType();
    info.is_const = pointee.isConstQualified();
    if (!pointee->isDependentType()) take_pointee(context, pointee, info);
    info.bytes = 8;
    return info;
  }
  std::tie(info.type, info.components) = element_of(context, type);
  if (type->isIncompleteType()) return info;
  info.bytes = static_cast<std::uint32_t>(context.getTypeSizeInChars(type).getQuantity());
  if (const auto* record = type->getAsRecordDecl())
    info.by_members = take_members(context, *record, info);
  else if (const auto* array = context.getAsConstantArrayType(type))
    info.by_members = take_elements(context, *array, info);
  if (!info.by_members) info.members.clear();
  return info;
}

inline ArgumentInfo parameter_of(const clang::ASTContext& context, const clang::ParmVarDecl& decl) {
  return value_of(context, decl.getType(), decl.getNameAsString());
}

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
    bool by_objects = false;
    for (const clang::Expr* argument : e->arguments()) {
      const clang::QualType type = argument->getType();
      by_objects |= type->isDependentType() || type->isRecordType();
      if (!type->isPointerType() && !type->isDependentType()) continue;
      AccessText text = describe(argument);
      if (text.text.empty() || (!type->isPointerType() && text.indices.empty())) continue;
      return record(texts_.loads, e->getBeginLoc(), std::move(text));
    }
    // copy(tAgA, tAsA): what a library does with objects is known by the call.
    return by_objects ? record(texts_.loads, e->getBeginLoc(), {shortened(spelling(e)), {}, {}})
                      : true;
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
    const auto [line, column] = key(decl.getLocation());
    entry.declared = {line, column, 0};
    kernels_.push_back(std::move(entry));
  }

  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  AccessTexts& texts_;
  std::vector<KernelEntry>& kernels_;
};

}  // namespace lanescope
