// Ways through Clang's syntax tree. Private to the files that include Clang.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>

namespace lanescope {

/// Who wants to know of what stands in a tree. Clang's visitor is a template that takes a compiler twenty
/// seconds for each of its users: here it has one, `read_tree`, which all readers share.
class TreeReader {
 public:
  virtual ~TreeReader() = default;
  /// Also what has been made of templates; else what is written alone
  [[nodiscard]] virtual bool reads_instances() const { return false; }

  virtual void function(clang::FunctionDecl&) {}
  virtual void variable(clang::VarDecl&) {}
  virtual void binary(clang::BinaryOperator&) {}
  virtual void unary(clang::UnaryOperator&) {}
  virtual void subscript(clang::ArraySubscriptExpr&) {}
  virtual void member(clang::MemberExpr&) {}
  /// Every call, those of overloaded operators too
  virtual void call(clang::CallExpr&) {}
  virtual void operator_call(clang::CXXOperatorCallExpr&) {}
};

/// Tells the reader of `decl` and of everything in it, from outside to inside.
void read_tree(clang::Decl& decl, TreeReader& reader);

}  // namespace lanescope
