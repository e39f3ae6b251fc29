#include "simt/lower.h"

#include "simt/lower_function.h"

namespace lanescope {

ProgramPtr lower(const LowerInput& input, std::vector<Diagnostic>& diagnostics) {
  llvm::Function* function = input.module->getFunction(input.symbol);
  if (function == nullptr || function->isDeclaration()) {
    Diagnostic d;
    d.file = input.file;
    d.line = input.declared.line;
    d.column = input.declared.column;
    d.message = "no code was made for kernel '" + input.name + "'";
    diagnostics.push_back(std::move(d));
    return nullptr;
  }
  auto program = std::make_shared<FlatProgram>();
  KernelInfo& info = program->mutable_info();
  info.name = input.name;
  info.display = input.name.substr(0, input.name.find('<'));
  info.declared = input.declared;
  info.parameters = input.parameters;
  LowerTables tables(input, *program);
  // The recording form first: its operations, in order, are what viewers step through.
  program->recording = LowerFunction(*function, tables, true).run();
  program->lean = LowerFunction(*function, tables, false).run();
  return program;
}

}  // namespace lanescope
