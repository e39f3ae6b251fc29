#include "core/kernel/launch_survey.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "core/text/expression.h"
#include "core/text/text.h"

namespace lanescope::app {

namespace {

// Sizes of a proposal: large enough for several blocks, small enough to be seen at a glance.
constexpr long long kVector = 4096, kRows = 128, kManySizes = 256;
constexpr std::uint32_t kThreads = 256;
constexpr const char* kFront = "/*---";

std::string bare(const std::string& kernel) { return kernel.substr(0, kernel.find('<')); }

// "class T" → "float", "int BX" → "32".
std::string likely_argument(const std::string& parameter) {
  if (parameter.starts_with("class") || parameter.starts_with("typename")) return "float";
  return parameter.starts_with("bool") ? "true" : "32";
}

std::string likely_instance(const KernelEntry& kernel) {
  std::string arguments;
  for (const std::string& parameter : kernel.template_parameters)
    arguments += (arguments.empty() ? "" : ", ") + likely_argument(parameter);
  return kernel.name + "<" + arguments + ">";
}

void add_choices(LaunchSurvey& survey) {
  const auto add = [&](const std::string& name) {
    if (std::find(survey.choices.begin(), survey.choices.end(), name) == survey.choices.end())
      survey.choices.push_back(name);
  };
  for (const KernelEntry& kernel : survey.kernels) {
    const std::size_t before = survey.choices.size();
    if (!kernel.is_template) add(kernel.name);
    for (const LaunchSite& site : survey.sites) {
      if (kernel.is_template && bare(site.kernel) == kernel.name &&
          site.kernel.find('<') != std::string::npos)
        add(site.kernel);
    }
    if (survey.choices.size() == before) add(likely_instance(kernel));
  }
}

CompileRequest request_of(const Settings& settings) {
  CompileRequest request;
  request.file = settings.file;
  request.text = settings.text;
  for (const auto& [name, value] : settings.parameters) request.macros.push_back({name, value});
  return request;
}

// Where a name is given a value in the text: "n = 1 << 20;", "#define N 1024".
std::string initialiser(const std::string& text, const std::string& name) {
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const auto word = [&](std::size_t i) {
      return i < text.size() &&
             (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_');
    };
    if ((at > 0 && word(at - 1)) || word(at + name.size())) continue;
    const std::size_t next = text.find_first_not_of(" \t", at + name.size());
    if (next == std::string::npos) break;
    const std::size_t line_start = text.rfind('\n', at) + 1;
    if (text.compare(line_start, 7, "#define") == 0)
      return text.substr(next, text.find('\n', next) - next);
    if (text[next] == '=' && text[next + 1] != '=')
      return text.substr(next + 1, text.find_first_of(",;\n", next) - next - 1);
  }
  return "";
}

std::optional<long long> number_in(const std::string& text, const std::string& expression,
                                   int depth = 0) {
  if (const auto value = evaluate(expression)) return value;
  if (depth > 4) return std::nullopt;
  std::string replaced;
  for (std::size_t i = 0; i < expression.size();) {
    std::size_t end = i;
    while (end < expression.size() && is_identifier(expression.substr(i, end + 1 - i))) ++end;
    if (end == i) {
      replaced += expression[i++];
      continue;
    }
    const auto value = number_in(text, initialiser(text, expression.substr(i, end - i)), depth + 1);
    if (!value) return std::nullopt;
    replaced += std::to_string(*value);
    i = end;
  }
  return replaced.empty() ? std::nullopt : evaluate(replaced);
}

bool is_integer(ScalarType type) { return type >= ScalarType::i8 && type <= ScalarType::u64; }

// What the proposal is made from: does the kernel run in rows, and through which tile?
struct Shape {
  bool rows = false;
  /// Edge of a square tile
  std::uint32_t tile = 0;
  /// Integer parameters
  int sizes = 0;
  [[nodiscard]] long long extent() const { return rows ? kRows : sizes > 1 ? kManySizes : kVector; }
  [[nodiscard]] long long elements() const {
    return rows || sizes > 1 ? extent() * extent() : extent();
  }
};

Shape shape_of(const LaunchSurvey& survey) {
  Shape shape;
  shape.rows = survey.asked.text.find("threadIdx.y") != std::string::npos;
  for (const ArgumentInfo& p : survey.arguments) shape.sizes += !p.is_pointer && is_integer(p.type);
  for (const SharedArray& array : survey.shared_arrays) {
    if (array.dims.size() < 2 || array.dims[0] > 32 || array.dims[1] > array.dims[0] + 8) continue;
    if (array.dims[1] >= array.dims[0]) shape.tile = array.dims[0];
  }
  return shape;
}

std::string element_of(const ArgumentInfo& parameter) {
  if (parameter.type == ScalarType::unknown) return "float";
  static constexpr std::pair<ScalarType, const char*> kVectors[] = {
      {ScalarType::i8, "char"},      {ScalarType::u8, "uchar"},     {ScalarType::i16, "short"},
      {ScalarType::u16, "ushort"},   {ScalarType::i32, "int"},      {ScalarType::u32, "uint"},
      {ScalarType::i64, "longlong"}, {ScalarType::u64, "ulonglong"}};
  std::string name(scalar_name(parameter.type));
  if (parameter.components < 2) return name;
  for (const auto& [type, vector] : kVectors)
    if (type == parameter.type) name = vector;
  return name + std::to_string(parameter.components);
}

std::string argument_for(const ArgumentInfo& parameter, const Shape& shape) {
  if (parameter.is_pointer) {
    const long long count = std::max(1ll, shape.elements() / std::max(1u, parameter.components));
    return element_of(parameter) + "[" + std::to_string(count) + "]" +
           (parameter.is_const ? "" : ":zero");
  }
  if (parameter.type == ScalarType::boolean) return "true";
  return is_integer(parameter.type) ? std::to_string(shape.extent()) : "1.0";
}

Dim3 block_for(const Shape& shape) {
  if (!shape.rows) return {kThreads, 1, 1};
  return shape.tile ? Dim3{shape.tile, shape.tile, 1} : Dim3{32, 8, 1};
}

std::uint32_t ceil_div(long long count, std::uint32_t by) {
  return static_cast<std::uint32_t>((count + by - 1) / std::max(1u, by));
}

const LaunchSite* site_of(const LaunchSurvey& survey, const std::string& kernel) {
  for (const LaunchSite& site : survey.sites)
    if (site.kernel == kernel) return &site;
  return nullptr;
}

void take_site(const LaunchSurvey& survey, const LaunchSite& site, Settings& settings) {
  if (!settings.block) settings.block = site.block;
  if (!settings.grid) settings.grid = site.grid;
  if (!settings.shared_bytes && site.shared_bytes.value_or(0) > 0)
    settings.shared_bytes = static_cast<std::uint32_t>(*site.shared_bytes);
  for (std::size_t i = 0; i < survey.arguments.size() && i < site.arguments.size(); ++i) {
    const ArgumentInfo& parameter = survey.arguments[i];
    if (parameter.is_pointer) continue;
    if (const auto value = number_in(survey.asked.text, site.arguments[i]))
      settings.arguments.emplace(parameter.name, std::to_string(*value));
  }
}

// A buffer must hold what the sizes that the program passes call for.
long long buffer_elements(const LaunchSurvey& survey, const Settings& settings,
                          const Shape& shape) {
  std::vector<long long> sizes;
  for (const ArgumentInfo& parameter : survey.arguments) {
    const auto found = settings.arguments.find(parameter.name);
    if (parameter.is_pointer || found == settings.arguments.end()) continue;
    if (const auto value = parse_integer(found->second); value && *value > 0)
      sizes.push_back(*value);
  }
  if (sizes.empty()) {
    const Dim3 grid = settings.grid.value_or(Dim3{}), block = settings.block.value_or(Dim3{});
    return std::max<long long>(shape.elements(), static_cast<long long>(std::min<std::uint64_t>(
                                                     grid.count() * block.count(), 1u << 26)));
  }
  std::sort(sizes.rbegin(), sizes.rend());
  const long long second = sizes.size() > 1 ? sizes[1] : shape.rows ? sizes[0] : 1;
  return std::min(sizes[0] * std::min(second, 1ll << 20), 1ll << 28);
}

Settings propose(const LaunchSurvey& survey) {
  Settings settings = survey.asked;
  settings.kernel = survey.kernel;
  std::erase_if(settings.arguments, [&](const auto& item) {
    return std::none_of(survey.arguments.begin(), survey.arguments.end(),
                        [&](const ArgumentInfo& p) { return p.name == item.first; });
  });
  if (const LaunchSite* site = site_of(survey, survey.kernel)) take_site(survey, *site, settings);
  const Shape shape = shape_of(survey);
  if (!settings.block) settings.block = block_for(shape);
  const auto missing = [&](const ArgumentInfo& p) { return settings.arguments.count(p.name) == 0; };
  for (const ArgumentInfo& p : survey.arguments)
    if (!p.is_pointer && missing(p)) settings.arguments[p.name] = argument_for(p, shape);
  // A kernel that asks for no block's place is meant for one.
  if (!settings.grid && settings.text.find("blockIdx") == std::string::npos) settings.grid = Dim3{};
  if (!settings.grid) {
    const long long extent = shape.extent();
    settings.grid = shape.rows ? Dim3{ceil_div(extent, settings.block->x),
                                      ceil_div(extent, settings.block->y), 1}
                               : Dim3{ceil_div(shape.elements(), settings.block->x), 1, 1};
  }
  const long long elements = buffer_elements(survey, settings, shape);
  for (const ArgumentInfo& p : survey.arguments) {
    if (!p.is_pointer || !missing(p)) continue;
    settings.arguments[p.name] =
        element_of(p) + "[" + std::to_string(std::max(1ll, elements / std::max(1u, p.components))) +
        "]" + (p.is_const ? "" : ":zero");
  }
  for (const SharedArray& array : survey.shared_arrays) {
    if (array.bytes != 0 || settings.shared_bytes) continue;
    const std::uint64_t threads = settings.block->count() + settings.block->y;  // room for padding
    settings.shared_bytes = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(threads * std::max(4u, array.element_bytes), 48u << 10));
  }
  return settings;
}

void add_parameters(LaunchSurvey& survey) {
  CompileRequest request = request_of(survey.asked);
  request.kernel = survey.kernel;
  const CompileResult compiled = compile(request);
  if (compiled.program) {
    survey.arguments = compiled.program->info().arguments;
    survey.shared_arrays = compiled.program->info().shared_arrays;
    return;
  }
  for (const KernelEntry& kernel : survey.kernels)
    if (kernel.name == bare(survey.kernel)) survey.arguments = kernel.arguments;
}

}  // namespace

bool needs_launch(const Settings& settings) {
  return !settings.text.empty() && !settings.text.starts_with(kFront);
}

bool same_survey(const Settings& a, const Settings& b) {
  return a.text == b.text && a.file == b.file && a.kernel == b.kernel &&
         a.parameters == b.parameters;
}

LaunchSurvey survey_launch(const Settings& settings) {
  LaunchSurvey survey;
  survey.asked = settings;
  survey.kernels = list_kernels(request_of(settings)).kernels;
  if (settings.text.find("<<<") != std::string::npos)
    survey.sites = find_launches(request_of(settings));
  add_choices(survey);
  survey.kernel = settings.kernel;
  // The first that the program launches, else the first.
  for (const LaunchSite& site : survey.sites) {
    const bool known = std::find(survey.choices.begin(), survey.choices.end(), site.kernel) !=
                       survey.choices.end();
    if (survey.kernel.empty() && known) survey.kernel = site.kernel;
  }
  if (survey.kernel.empty() && !survey.choices.empty()) survey.kernel = survey.choices.front();
  if (!survey.kernel.empty()) add_parameters(survey);
  survey.proposal = propose(survey);
  return survey;
}

Settings launched_as(const LaunchSurvey& survey, const LaunchSite& site) {
  Settings settings = survey.asked;
  settings.kernel = site.kernel;
  settings.block.reset();
  settings.grid.reset();
  settings.shared_bytes.reset();
  settings.arguments.clear();
  if (site.kernel != survey.kernel) return settings;  // its parameters are not known yet
  take_site(survey, site, settings);
  LaunchSurvey other = survey;
  other.asked = settings;
  return propose(other);
}

}  // namespace lanescope::app
