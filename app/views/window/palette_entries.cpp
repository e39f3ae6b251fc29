// What the palette can find.
#include <algorithm>
#include <cctype>
#include <charconv>

#include "core/places/owner_block.h"
#include "core/places/places.h"
#include "core/text/text.h"
#include "views/command/fuzzy.h"
#include "views/draw/kernel_names.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/source/source_view.h"
#include "views/window/command_palette.h"
#include "views/window/layout.h"
#include "views/window/workspace.h"

namespace lanescope::app {
namespace {

constexpr std::size_t kMost = 200;  // entries
constexpr int kRecentBonus = 12;

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_letter);
}

void add_commands(const CommandCall& call, std::vector<PaletteEntry>& all) {
  for (const Command& command : commands()) {
    if (command.id == "palette" || command.id.starts_with("view.") || !is_enabled(command, call))
      continue;
    std::string title = tr(command.title);
    if (command.submenu) title = std::string(tr(command.submenu)) + ": " + title;
    all.push_back({.title = title,
                   .kind = tr("command"),
                   .keys = keys_text(command),
                   .also = {command.title, command.id},
                   .run = [&command](CommandCall& c) { run_command(command, c); }});
  }
}

void add_views(std::vector<PaletteEntry>& all) {
  for (const View& view : views()) {
    all.push_back({.title = tr(view.title),
                   .kind = tr("view"),
                   .also = {view.title, view.id},
                   .run = [id = view.id](CommandCall& c) {
                     c.workspace.set_open(id, true);
                     show_view(id);
                   }});
  }
}

void add_kernels(const ViewContext& ctx, std::vector<PaletteEntry>& all) {
  for (const CatalogEntry& kernel : ctx.catalog.entries) {
    all.push_back(
        {.title = kernel_title(kernel),
         .kind = tr("kernel"),
         .keys = kernel.name,
         .also = {kernel.name, kernel.front_matter.title},
         .run = [name = kernel.name](CommandCall& c) { c.actions.push_back(SelectKernel{name}); }});
  }
}

void add_exercises(const ViewContext& ctx, std::vector<PaletteEntry>& all) {
  if (!ctx.lab.lab) return;
  for (const Exercise& exercise : ctx.lab.lab->exercises) {
    all.push_back({.title = exercise.words_in(current_language()).title,
                   .kind = tr("exercise"),
                   .keys = exercise.name,
                   .also = {exercise.name, exercise.words_in("en").title},
                   .run = [name = exercise.name](CommandCall& c) {
                     c.actions.push_back(FileAction(StartExercise{name}));
                   }});
  }
}

std::string value_of(const std::map<std::string, std::string>& values, const std::string& name,
                     const std::string& otherwise) {
  const auto found = values.find(name);
  return found == values.end() ? otherwise : found->second;
}

void add_parameters(const ViewContext& ctx, std::vector<PaletteEntry>& all) {
  const FrontMatter* matter = front_matter(ctx);
  if (!matter) return;
  const auto add = [&](const std::string& name, const std::string& title,
                       const std::string& value) {
    const std::string words = title.empty() ? "" : std::string(" · ") + tr(title.c_str());
    all.push_back({.title = name + " = " + value + words,
                   .kind = tr("parameter"),
                   .also = {name, title},
                   .fill = name + " = "});
  };
  for (const TunableParameter& p : matter->parameters)
    add(p.name, p.title, value_of(ctx.settings.parameters, p.name, p.default_text()));
  for (const ArgumentSpec& a : matter->arguments) {
    if (a.shape.empty()) add(a.name, a.title, value_of(ctx.settings.arguments, a.name, a.value));
  }
}

void add_accesses(const ViewContext& ctx, std::vector<PaletteEntry>& all) {
  if (!ctx.picture) return;
  for (const AccessInfo& access : ctx.picture->kernel().accesses) {
    if (access.pos.file != 0) continue;
    all.push_back({.title = access_title(access),
                   .kind = tr("access"),
                   .keys = tr("line {0}", {access.pos.line}),
                   .also = {access.text + " " + std::string(access_op_name(access.op))},
                   .run = [id = static_cast<int>(access.id)](CommandCall& c) {
                     c.actions.push_back(SelectAccess{id});
                   }});
  }
}

std::string text_of_line(const std::string& text, std::size_t line) {
  std::size_t begin = 0;
  for (std::size_t i = 1; i < line && begin != std::string::npos; ++i) {
    begin = text.find('\n', begin);
    if (begin != std::string::npos) ++begin;
  }
  if (begin == std::string::npos) return "";
  return std::string(trim(std::string_view(text).substr(begin, text.find('\n', begin) - begin)));
}

// ":123"
std::vector<PaletteEntry> line_entry(const ViewContext& ctx, const std::string& query) {
  const std::string digits(trim(query.substr(1)));
  const std::string& text = ctx.settings.text;
  const auto lines = static_cast<unsigned>(1 + std::count(text.begin(), text.end(), '\n'));
  unsigned line = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), line);
  const bool number = parsed.ec == std::errc() && parsed.ptr == digits.data() + digits.size();
  if (!number || line == 0 || line > lines) {
    return {{.title = tr("type a line, 1 to {0}", {lines}), .kind = tr("line")}};
  }
  return {{.title = tr("line {0}", {digits}) + "  " + text_of_line(text, line),
           .kind = tr("line"),
           .run = [line](CommandCall& c) {
             state_of<SourceState>(c.workspace).go_to_line = line;
             show_view("source");
           }}};
}

PaletteEntry macro_entry(const TunableParameter& p, const std::string& value) {
  PaletteEntry entry{.title = p.name + " = " + value, .kind = tr("parameter")};
  if (!p.choices.empty()) {
    const bool known = std::find(p.choices.begin(), p.choices.end(), value) != p.choices.end();
    std::string all;
    for (const std::string& choice : p.choices) all += (all.empty() ? "" : ", ") + choice;
    if (!known) entry.title = tr("{0} is one of: {1}", {p.name, all});
    if (!known) return entry;
  } else {
    long long number = 0;
    const auto parsed = std::from_chars(value.data(), value.data() + value.size(), number);
    const bool sound = parsed.ec == std::errc() && parsed.ptr == value.data() + value.size() &&
                       number >= p.min && number <= p.max;
    if (!sound) entry.title = tr("{0} is a number from {1} to {2}", {p.name, p.min, p.max});
    if (!sound) return entry;
  }
  entry.run = [name = p.name, value](CommandCall& c) {
    c.actions.push_back(SetParameter{name, value});
  };
  return entry;
}

// "PAD = 4"; empty when the name is of no parameter.
std::vector<PaletteEntry> setting_entry(const ViewContext& ctx, const std::string& query) {
  const std::size_t equals = query.find('=');
  const FrontMatter* matter = front_matter(ctx);
  if (equals == std::string::npos || !matter) return {};
  const std::string name(trim(query.substr(0, equals))), value(trim(query.substr(equals + 1)));
  for (const TunableParameter& p : matter->parameters) {
    if (same_name(p.name, name)) return {macro_entry(p, value)};
  }
  for (const ArgumentSpec& a : matter->arguments) {
    if (!a.shape.empty() || !same_name(a.name, name)) continue;
    PaletteEntry entry{.title = a.name + " = " + value, .kind = tr("parameter")};
    if (!value.empty()) {
      entry.run = [key = a.name, value](CommandCall& c) {
        c.actions.push_back(SetArgument{key, value});
      };
    }
    return {entry};
  }
  return {};
}

// "in[5][3]"; empty when no element is called so.
std::vector<PaletteEntry> element_entry(const ViewContext& ctx, const std::string& query) {
  const auto cell = ctx.picture ? cell_named(*ctx.picture, query) : std::nullopt;
  if (!cell) return {};
  Selection there = ctx.selection;
  there.access = -1;
  go_to_cell(*ctx.picture, there, *cell);
  const bool elsewhere = there.access < 0 && !blocks_that_may_touch(*ctx.picture, *cell).empty();
  const std::string where = elsewhere ? std::string(tr("in another block, which is gone to"))
                            : there.access < 0
                                ? std::string(tr("the inspected block does not touch it"))
                                : tr("warp {0}, step {1}", {there.warp, there.step + 1});
  return {{.title = locate(*ctx.picture, cell->address).text(),
           .kind = tr("array element"),
           .keys = where,
           .run = [cell = *cell](CommandCall& c) { c.actions.push_back(GoToCell{cell}); }}};
}

std::optional<int> score_of(const PaletteEntry& entry, const std::string& query) {
  std::optional<int> best = fuzzy_score(query, entry.title);
  for (const std::string& text : entry.also) {
    const std::optional<int> score = fuzzy_score(query, text);
    if (score && (!best || *score > *best)) best = score;
  }
  return best;
}

}  // namespace

std::vector<PaletteEntry> palette_entries(const CommandCall& call, const std::string& query,
                                          const std::vector<std::string>& recent) {
  const std::string wanted(trim(query));
  if (wanted.starts_with(":")) return line_entry(call.view, wanted);
  if (auto settings = setting_entry(call.view, wanted); !settings.empty()) return settings;
  if (auto elements = element_entry(call.view, wanted); !elements.empty()) return elements;
  std::vector<PaletteEntry> all;
  add_commands(call, all);
  add_views(all);
  add_parameters(call.view, all);
  add_accesses(call.view, all);
  add_kernels(call.view, all);
  add_exercises(call.view, all);
  std::vector<PaletteEntry> found;
  for (PaletteEntry& entry : all) {
    const std::optional<int> score = score_of(entry, wanted);
    if (!score) continue;
    entry.score = wanted.empty() ? 0 : *score;
    const auto used = std::find(recent.begin(), recent.end(), entry.title);
    if (used != recent.end()) entry.score += kRecentBonus + static_cast<int>(used - recent.begin());
    found.push_back(std::move(entry));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.score > b.score; });
  if (found.size() > kMost) found.resize(kMost);
  return found;
}

}  // namespace lanescope::app
