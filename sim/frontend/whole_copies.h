// Where structs are assigned that the GPU moves in one access. Private to the files that include Clang.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include <llvm/Support/Path.h>

#include "lower/access_text.h"

namespace lanescope {

/// `*(float4*)&a[i] = *(const float4*)&tile[k][j]`: from the arrays' declarations Clang knows of 4-byte
/// alignment only, and the IR no longer says that a float4 was meant. A type that is as wide as it is
/// aligned is moved whole, whatever it is seen through (CUDA C++ Programming Guide, "Device Memory
/// Accesses"). Instances of templates too: there a type may be known only then.
class WholeCopies : public clang::RecursiveASTVisitor<WholeCopies> {
 public:
  WholeCopies(clang::ASTContext& context, AccessTexts& texts) : context_(context), texts_(texts) {}

  [[nodiscard]] bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* call) {
    if (call->getOperator() != clang::OO_Equal) return true;
    const clang::QualType type = call->getArg(0)->getType();
    if (type->isDependentType() || !type->isRecordType() || type->isIncompleteType()) return true;
    if (context_.getTypeAlign(type) != context_.getTypeSize(type)) return true;
    const clang::SourceManager& sources = context_.getSourceManager();
    const auto at = sources.getPresumedLoc(sources.getExpansionLoc(call->getOperatorLoc()));
    if (at.isValid())
      texts_.whole.emplace(llvm::sys::path::filename(at.getFilename()), at.getLine(),
                           at.getColumn());
    return true;
  }

 private:
  clang::ASTContext& context_;
  AccessTexts& texts_;
};

}  // namespace lanescope
