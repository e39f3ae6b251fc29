#include "core/launch/proposal.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <optional>

#include "core/launch/host_launches.h"
#include "core/text/expression.h"
#include "core/text/messages.h"
#include "core/text/text.h"

namespace lanescope::app {

namespace {

// Sizes of a proposal: large enough for several blocks, small enough to be seen at a glance.
constexpr long long kVector = 4096, kRows = 128;
// Of each of several sizes whose product is gone through
constexpr std::array<long long, 4> kManySizes = {256, 32, 16, 8};
constexpr std::uint32_t kThreads = 256, kFewBlocks = 4;

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

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// The kernel's own text; the whole where it cannot be told apart, or leaves its indices to others.
std::string_view kernel_text(const LaunchSurvey& survey) {
  const std::string_view all = survey.asked.text;
  const std::string name = survey.kernel.substr(0, survey.kernel.find('<'));
  for (const KernelEntry& kernel : survey.kernels) {
    if (kernel.name != name && !kernel.name.ends_with("::" + name)) continue;
    std::size_t at = 0;
    for (std::uint32_t line = 1; line < kernel.declared.line && at != std::string_view::npos;
         ++line)
      at = all.find('\n', at) == std::string_view::npos ? at : all.find('\n', at) + 1;
    const std::size_t open = all.find('{', at);
    std::size_t end = open;
    for (int depth = 0; end < all.size(); ++end) {
      depth += (all[end] == '{') - (all[end] == '}');
      if (depth == 0) break;
    }
    const std::string_view own = all.substr(at, end - at);
    if (has(own, "threadIdx") || has(own, "blockIdx")) return own;
  }
  return all;
}

// A number that is no extent of anything: where to start, how often, which one.
bool is_no_size(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const char* exact : {"i", "j", "t", "x", "y", "z", "id", "it", "gpu", "rank"})
    if (name == exact) return true;
  for (const char* part : {"offset", "seed", "iter", "step", "start", "begin", "axis", "mode",
                           "flag", "index", "idx", "shift", "value", "threshold", "device"})
    if (has(name, part)) return true;
  return false;
}

bool is_of_rows(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name == "h" || name == "m" || name == "ny" || has(name, "row") || has(name, "height");
}

// What the proposal is made from: does the kernel run in rows, and through which tile?
struct Shape {
  /// Which indices the kernel uses
  bool rows = false, blocks_x = false, blocks_y = false, blocks_z = false;
  /// Edge of a square tile, and its name
  std::uint32_t tile = 0;
  std::string tile_name;
  /// Integer parameters that are sizes
  int sizes = 0;

  [[nodiscard]] long long each_size() const {
    if (rows) return kRows;
    if (sizes < 2) return kVector;
    return kManySizes[std::min<std::size_t>(static_cast<std::size_t>(sizes) - 2, 3)];
  }
  /// Of a kernel that does not run in rows
  [[nodiscard]] long long elements() const {
    long long product = 1;
    for (int i = 0; i < std::max(1, sizes) && product < (1 << 16); ++i) product *= each_size();
    return product;
  }
};

bool is_size(const ArgumentInfo& parameter) {
  return !parameter.is_pointer && !parameter.by_members && is_integer(parameter.type) &&
         !is_no_size(parameter.name);
}

Shape shape_of(const LaunchSurvey& survey) {
  Shape shape;
  const std::string_view text = kernel_text(survey);
  shape.rows = has(text, "threadIdx.y");
  // A grid's own number of a thread stands for all of them.
  const bool whole_grid = has(text, "this_grid") || has(text, "gridDim.x");
  shape.blocks_x = whole_grid || has(text, "blockIdx.x") || !has(text, "threadIdx");
  shape.blocks_y = has(text, "blockIdx.y");
  shape.blocks_z = has(text, "blockIdx.z");
  for (const ArgumentInfo& parameter : survey.arguments) shape.sizes += is_size(parameter);
  for (const SharedArray& array : survey.shared_arrays) {
    if (array.dims.size() < 2 || array.dims[0] > 32 || array.dims[1] > array.dims[0] + 8) continue;
    if (array.dims[1] < array.dims[0]) continue;
    shape.tile = array.dims[0];
    shape.tile_name = array.name;
  }
  return shape;
}

std::uint32_t ceil_div(long long count, std::uint32_t by) {
  const long long by_one = std::max(1u, by);
  return static_cast<std::uint32_t>(std::clamp((count + by_one - 1) / by_one, 1ll, 1ll << 20));
}

// Fills what is open in the settings, and says of each thing why it is so.
class Proposer {
 public:
  explicit Proposer(const LaunchSurvey& survey)
      : survey_(survey), shape_(shape_of(survey)), settings_(survey.asked) {}

  Proposal run() {
    settings_.kernel = survey_.kernel;
    if (survey_.front_matter.kernel == survey_.kernel) settings_.kernel = survey_.asked.kernel;
    std::erase_if(settings_.arguments, [&](const auto& item) {
      return std::none_of(survey_.arguments.begin(), survey_.arguments.end(),
                          [&](const ArgumentInfo& p) { return p.name == item.first; });
    });
    // The only kernel of a text needs no reason.
    if (settings_.kernel != survey_.asked.kernel && !survey_.why_kernel.empty())
      say(say::proposed_kernel(survey_.kernel, survey_.why_kernel));
    tell_others();
    if (const LaunchSite* site = site_of(survey_.sites, survey_.kernel)) take_site(*site);
    propose_block();
    propose_grid();
    for (const ArgumentInfo& p : survey_.arguments)
      if (is_open(p)) propose_argument(p);
    propose_shared();
    return {std::move(settings_), std::move(said_)};
  }

 private:
  void say(Message message) { said_.push_back(std::move(message)); }

  // To choose from, where nobody said which kernel is meant.
  void tell_others() {
    if (!survey_.guessed) return;
    std::vector<std::string> others;
    for (const std::string& choice : survey_.choices)
      if (!same_kernel(choice, survey_.kernel)) others.push_back(choice);
    if (!others.empty()) say(say::other_kernels(others.size() + 1, say::listed(others)));
  }

  const ArgumentSpec* spec_of(const std::string& name) const {
    for (const ArgumentSpec& spec : survey_.front_matter.arguments)
      if (spec.name == name) return &spec;
    return nullptr;
  }
  bool is_open(const ArgumentInfo& parameter) const {
    return settings_.arguments.count(parameter.name) == 0 && spec_of(parameter.name) == nullptr &&
           !is_tensor_map(parameter);
  }

  void take_site(const LaunchSite& site) {
    const Message why = say::why_launched(site.pos.line);
    if (!settings_.block && site.block && survey_.front_matter.block.empty()) {
      settings_.block = site.block;
      say(say::proposed_block(dim3_text(*site.block), why));
      if (!settings_.grid && site.grid) {
        settings_.grid = site.grid;
        say(say::proposed_grid(dim3_text(*site.grid), why));
      }
    }
    if (!settings_.shared_bytes && site.shared_bytes.value_or(0) > 0) {
      settings_.shared_bytes = static_cast<std::uint32_t>(*site.shared_bytes);
      say(say::proposed_shared(*settings_.shared_bytes, why));
    }
    for (std::size_t i = 0; i < survey_.arguments.size() && i < site.arguments.size(); ++i) {
      const ArgumentInfo& parameter = survey_.arguments[i];
      if (parameter.is_pointer || parameter.by_members || !is_open(parameter)) continue;
      const auto value = number_in(survey_.asked.text, site.arguments[i]);
      if (!value) continue;
      settings_.arguments.emplace(parameter.name, std::to_string(*value));
      say(say::proposed_argument(parameter.name, *value, why));
    }
  }

  void propose_block() {
    if (settings_.block || !survey_.front_matter.block.empty()) return;
    const std::uint32_t most = survey_.most_threads;
    const std::uint32_t tile = shape_.tile;
    Message why = say::why_usual_block;
    if (shape_.rows && tile != 0 && (most == 0 || tile * tile <= most)) {
      settings_.block = Dim3{tile, tile, 1};
      why = say::why_tile(shape_.tile_name);
    } else if (shape_.rows) {
      const std::uint32_t threads = most == 0 ? kThreads : most;
      settings_.block = threads < 32 ? Dim3{threads, 1, 1} : Dim3{32, threads / 32, 1};
      why = most == 0 ? say::why_rows : say::why_launch_bounds(most);
    } else if (const auto stride = stride_of_blocks(); most == 0 && stride) {
      settings_.block = Dim3{static_cast<std::uint32_t>(*stride), 1, 1};
      why = say::why_stride(*stride);
    } else {
      settings_.block = Dim3{most == 0 ? kThreads : most, 1, 1};
      if (most != 0) why = say::why_launch_bounds(most);
    }
    say(say::proposed_block(dim3_text(*settings_.block), why));
  }

  // N of `blockIdx.x * N`, where that is a number of threads: the threads of a block, in most kernels.
  std::optional<long long> stride_of_blocks() const {
    constexpr std::string_view kIndex = "blockIdx.x";
    const std::string_view text = kernel_text(survey_);
    for (std::size_t at = text.find(kIndex); at != std::string_view::npos;
         at = text.find(kIndex, at + 1)) {
      const std::string_view rest = trim(text.substr(at + kIndex.size()));
      if (!rest.starts_with('*')) continue;
      const std::string_view factor = trim(rest.substr(1));
      std::size_t end = 0;
      while (end < factor.size() &&
             (std::isalnum(static_cast<unsigned char>(factor[end])) != 0 || factor[end] == '_'))
        ++end;
      const auto value = constant(std::string(factor.substr(0, end)));
      if (value && *value >= 32 && *value <= 1024) return value;
    }
    return std::nullopt;
  }

  // Of the chosen instance; those with commas of their own are no numbers.
  std::optional<long long> template_argument(const std::string& name) const {
    const std::size_t angle = survey_.kernel.find('<');
    if (angle == std::string::npos) return std::nullopt;
    std::string_view rest = std::string_view(survey_.kernel).substr(angle + 1);
    if (rest.ends_with('>')) rest.remove_suffix(1);
    for (const KernelEntry& kernel : survey_.kernels) {
      if (!kernel.is_template || kernel.name != survey_.kernel.substr(0, angle)) continue;
      for (const std::string& parameter : kernel.template_parameters) {
        const std::string_view argument = trim(rest.substr(0, rest.find(',')));
        if (parameter.ends_with(" " + name)) return evaluate(std::string(argument));
        rest = rest.find(',') == std::string_view::npos ? "" : rest.substr(rest.find(',') + 1);
      }
    }
    return std::nullopt;
  }

  // A number, a macro, a constant of the text, or a parameter of the template.
  std::optional<long long> constant(const std::string& name) const {
    if (name.empty()) return std::nullopt;
    const auto& set = survey_.asked.parameters;
    const auto& defined = survey_.asked.compile.macros;
    if (const auto value = template_argument(name)) return value;
    if (const auto found = set.find(name); found != set.end()) return evaluate(found->second);
    if (const auto found = defined.find(name); found != defined.end())
      return evaluate(found->second);
    return number_in(survey_.asked.text, name);
  }

  Dim3 block() const { return settings_.block.value_or(Dim3{kThreads, 1, 1}); }

  // What is said of an extent along an axis, or nullopt.
  std::optional<long long> given_extent(bool of_rows) const {
    std::optional<long long> most;
    for (const ArgumentInfo& parameter : survey_.arguments) {
      const auto found = settings_.arguments.find(parameter.name);
      if (!is_size(parameter) || found == settings_.arguments.end()) continue;
      const auto value = parse_integer(found->second);
      if (!value || *value < 1 || (shape_.rows && is_of_rows(parameter.name) != of_rows)) continue;
      most = std::max(*value, most.value_or(0));
    }
    return most;
  }

  void propose_grid() {
    if (settings_.grid || !survey_.front_matter.grid.empty()) return;
    Dim3 grid;
    const bool none = !shape_.blocks_x && !shape_.blocks_y && !shape_.blocks_z;
    if (shape_.blocks_x) {
      // A single size is gone through from end to end.
      const auto given = shape_.rows || shape_.sizes == 1 ? given_extent(false) : std::nullopt;
      grid.x = ceil_div(given.value_or(shape_.rows ? kRows : shape_.elements()), block().x);
    }
    if (shape_.blocks_y)
      grid.y = shape_.rows ? ceil_div(given_extent(true).value_or(kRows), block().y) : kFewBlocks;
    if (shape_.blocks_z) grid.z = 2;
    settings_.grid = grid;
    say(say::proposed_grid(dim3_text(grid), none ? say::why_one_block : say::why_few_blocks));
  }

  // As large as grid and block reach; of several sizes, each a part of it.
  long long size_for(const ArgumentInfo& parameter) const {
    const Dim3 grid = settings_.grid.value_or(Dim3{});
    const auto x = static_cast<long long>(std::uint64_t{grid.x} * block().x),
               y = static_cast<long long>(std::uint64_t{grid.y} * block().y);
    if (shape_.rows) return is_of_rows(parameter.name) ? y : std::max(x, is_square() ? y : 0);
    if (shape_.sizes < 2) return x;
    long long each = shape_.each_size();
    const auto product = [&] {
      long long all = 1;
      for (int i = 0; i < shape_.sizes && all <= x; ++i) all *= each;
      return all;
    };
    while (each > 1 && product() > x) each /= 2;
    return each;
  }
  // One size for both axes.
  bool is_square() const { return shape_.sizes < 2; }

  std::string value_for(const ArgumentInfo& parameter) const {
    if (parameter.by_members) {
      std::string values;
      for (const ArgumentInfo& member : parameter.members)
        values += (values.empty() ? "" : ", ") + value_for(member);
      return "{" + values + "}";
    }
    if (parameter.is_pointer) return "auto";
    if (parameter.type == ScalarType::boolean) return "true";
    if (is_size(parameter)) return std::to_string(size_for(parameter));
    return is_integer(parameter.type) ? "1" : "1.0";
  }

  void propose_argument(const ArgumentInfo& parameter) {
    const std::string value = value_for(parameter);
    const Message why = parameter.is_pointer                          ? say::why_size_is_found
                        : !parameter.by_members && is_size(parameter) ? say::why_covers
                                                                      : say::why_usual_number;
    settings_.arguments[parameter.name] = value;
    say(say::proposed_argument(parameter.name, value, why));
  }

  void propose_shared() {
    const bool said = !survey_.front_matter.block.empty() || settings_.shared_bytes.has_value();
    for (const SharedArray& array : survey_.shared_arrays) {
      if (array.bytes != 0 || said || settings_.shared_bytes) continue;
      const std::uint64_t threads = block().count() + block().y;  // room for padding
      settings_.shared_bytes = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(threads * std::max(4u, array.element_bytes), 48u << 10));
      say(say::proposed_shared(*settings_.shared_bytes, say::why_for_each_thread));
    }
  }

  const LaunchSurvey& survey_;
  const Shape shape_;
  Settings settings_;
  std::vector<Message> said_;
};

}  // namespace

Proposal propose(const LaunchSurvey& survey) { return Proposer(survey).run(); }

}  // namespace lanescope::app
