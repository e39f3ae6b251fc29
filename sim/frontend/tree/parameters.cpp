#include "frontend/tree/parameters.h"

#pragma GCC diagnostic ignored "-Wnonnull"  // inside Clang's own headers, once inlined
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/RecordLayout.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

namespace lanescope {
namespace {

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

void take_pointee(const clang::ASTContext& context, clang::QualType pointee, ArgumentInfo& info) {
  std::tie(info.type, info.components) = element_of(context, pointee);
  if (const auto* record = pointee->getAsRecordDecl()) info.structure = record->getNameAsString();
  if (!pointee->isIncompleteType() && !pointee->isFunctionType())
    info.pointee_bytes =
        static_cast<std::uint32_t>(context.getTypeSizeInChars(pointee).getQuantity());
}

ArgumentInfo value_of(const clang::ASTContext& context, clang::QualType type, std::string name);

/// Values in a struct that are told one by one; of larger ones nobody writes them.
constexpr std::size_t kMostMembers = 1024;

/// Adds a member if its value can be told at all; false if not.
bool add_member(const clang::ASTContext& context, clang::QualType type, std::string name,
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
bool take_members(const clang::ASTContext& context, const clang::RecordDecl& record,
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

bool take_elements(const clang::ASTContext& context, const clang::ConstantArrayType& array,
                   ArgumentInfo& info) {
  const clang::QualType type = array.getElementType();
  const auto bytes = static_cast<std::uint64_t>(context.getTypeSizeInChars(type).getQuantity());
  for (std::uint64_t i = 0; i < array.getSize().getZExtValue(); ++i)
    if (!add_member(context, type, fmt::format("[{}]", i), i * bytes, info)) return false;
  return true;
}

/// What can be given as a value of the type: to a parameter, or to a member of one.
ArgumentInfo value_of(const clang::ASTContext& context, clang::QualType type, std::string name) {
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

}  // namespace

ArgumentInfo parameter_of(const clang::ASTContext& context, const clang::ParmVarDecl& decl) {
  return value_of(context, decl.getType(), decl.getNameAsString());
}

std::uint32_t most_threads_of(const clang::ASTContext& context, const clang::FunctionDecl& kernel) {
  const auto* bounds = kernel.getAttr<clang::CUDALaunchBoundsAttr>();
  if (bounds == nullptr || bounds->getMaxThreads()->isValueDependent()) return 0;
  const auto threads = bounds->getMaxThreads()->getIntegerConstantExpr(context);
  return threads ? static_cast<std::uint32_t>(threads->getZExtValue()) : 0;
}

Dim3 cluster_of(const clang::ASTContext& context, const clang::FunctionDecl& kernel) {
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

}  // namespace lanescope
