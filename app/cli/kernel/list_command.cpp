#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/kernel/list_command.h"
#include "cli/text/table.h"
#include "core/run/totals.h"

namespace lanescope::cli {

namespace {

app::Json parameter_json(const app::TunableParameter& parameter) {
  app::Json json = {{"name", parameter.name}};
  if (parameter.choices.empty()) {
    json["default"] = parameter.value;
    json["min"] = parameter.min;
    json["max"] = parameter.max;
  } else {
    json["default"] = parameter.default_text();
    json["choices"] = parameter.choices;
  }
  return json;
}

void print_json(const app::Catalog& catalog, std::ostream& out) {
  app::Json kernels = app::Json::array();
  for (const app::CatalogEntry& entry : catalog.entries) {
    app::Json parameters = app::Json::array();
    for (const auto& parameter : entry.front_matter.parameters)
      parameters.push_back(parameter_json(parameter));
    kernels.push_back({{"name", entry.name},
                       {"title", entry.front_matter.title},
                       {"family", entry.family},
                       {"file", entry.file},
                       {"parameters", std::move(parameters)}});
  }
  out << app::Json{{"schema", 1}, {"kernels", std::move(kernels)}}.dump(2) << '\n';
}

void print_text(const app::Catalog& catalog, std::ostream& out) {
  Table table({"<kernel", "<title", "<parameters (default, range)"});
  std::string family;
  for (const app::CatalogEntry& entry : catalog.entries) {
    if (!family.empty() && family != entry.family) table.rule();
    family = entry.family;
    std::string parameters;
    for (const app::TunableParameter& p : entry.front_matter.parameters) {
      parameters += (parameters.empty() ? "" : ", ") + p.name + "=" + p.default_text() + " (";
      for (std::size_t i = 0; i < p.choices.size(); ++i)
        parameters += (i > 0 ? "|" : "") + p.choices[i];
      if (p.choices.empty()) parameters += fmt::format("{}..{}", p.min, p.max);
      parameters += ")";
    }
    table.add({entry.name, entry.front_matter.title, parameters});
  }
  table.print(out, "");
}

}  // namespace

int list_command(const app::Catalog& catalog, bool json, const Fronts& fronts) {
  print_diagnostics(catalog.diagnostics, fronts);
  json ? print_json(catalog, fronts.out) : print_text(catalog, fronts.out);
  return catalog.diagnostics.empty() ? kFine : kInternal;  // the program's own kernels are at fault
}

}  // namespace lanescope::cli
