#include "frontend/tree/tree_reader.h"

#pragma GCC diagnostic ignored "-Wnonnull"  // inside Clang's own headers, once inlined
#include <clang/AST/RecursiveASTVisitor.h>

namespace lanescope {
namespace {

class Visitor : public clang::RecursiveASTVisitor<Visitor> {
 public:
  explicit Visitor(TreeReader& reader)
      : reader_(reader), reads_instances_(reader.reads_instances()) {}

  [[nodiscard]] bool shouldVisitTemplateInstantiations() const { return reads_instances_; }

  bool VisitFunctionDecl(clang::FunctionDecl* decl) { return reader_.function(*decl), true; }
  bool VisitVarDecl(clang::VarDecl* decl) { return reader_.variable(*decl), true; }
  bool VisitBinaryOperator(clang::BinaryOperator* op) { return reader_.binary(*op), true; }
  bool VisitUnaryOperator(clang::UnaryOperator* op) { return reader_.unary(*op), true; }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* e) { return reader_.subscript(*e), true; }
  bool VisitMemberExpr(clang::MemberExpr* e) { return reader_.member(*e), true; }
  bool VisitCallExpr(clang::CallExpr* e) { return reader_.call(*e), true; }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr* e) {
    return reader_.operator_call(*e), true;
  }

 private:
  TreeReader& reader_;
  bool reads_instances_;
};

}  // namespace

void read_tree(clang::Decl& decl, TreeReader& reader) { Visitor(reader).TraverseDecl(&decl); }

}  // namespace lanescope
