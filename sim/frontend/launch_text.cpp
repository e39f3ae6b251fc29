#include "frontend/launch_text.h"

namespace lanescope {

std::string launch_text(const CompileRequest& request, const std::string& kernel) {
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

}  // namespace lanescope
