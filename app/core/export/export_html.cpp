// An analysis as one HTML page.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/export/export.h"
#include "core/export/html_page.h"
#include "core/run/counters.h"
#include "core/text/html_escapes.h"
#include "core/text/number.h"
#include "core/text/text.h"

namespace lanescope::app {

namespace {

std::string commas(std::uint64_t value) { return grouped(value, ","); }

// The same scale as the window's: green where it is ideal, yellow to vermilion by the logarithm.
std::string heat(AgainstIdeal cost) {
  if (cost.ideal == 0 || cost.taken <= cost.ideal) return "#bfe6dc";
  static constexpr int stops[][3] = {{0xF0, 0xE4, 0x42},
                                     {0xF0, 0xC2, 0x3A},
                                     {0xE6, 0x9F, 0x00},
                                     {0xE0, 0x7B, 0x1A},
                                     {0xD5, 0x5E, 0x00}};
  const double ratio = static_cast<double>(cost.taken) / static_cast<double>(cost.ideal);
  const double all = std::clamp(std::log2(ratio) / 5, 0.0, 1.0) * 4;
  const int i = std::min(static_cast<int>(all), 3);
  int rgb[3];
  for (int c = 0; c < 3; ++c)
    rgb[c] = static_cast<int>(std::lround(stops[i][c] + (stops[i + 1][c] - stops[i][c]) *
                                                            (all - static_cast<double>(i))));
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

// What was needed against what it took, as a bar.
std::string bar(AgainstIdeal cost, std::uint64_t most) {
  if (most == 0) return "";
  const auto width = [&](std::uint64_t n) {
    return std::max<std::uint64_t>(
        n > 0 ? 1 : 0,
        static_cast<std::uint64_t>(120.0 * static_cast<double>(n) / static_cast<double>(most)));
  };
  return fmt::format("<svg width=\"120\" height=\"10\"><rect width=\"{}\" height=\"10\" "
                     "fill=\"{}\"/><rect width=\"{}\" height=\"10\" fill=\"#1fa187\"/></svg>",
                     width(cost.taken), heat(cost), width(std::min(cost.ideal, cost.taken)));
}

std::string shape(Dim3 d) { return fmt::format("{} × {} × {}", d.x, d.y, d.z); }

std::string launch_section(const Picture& picture) {
  const KernelInfo& kernel = picture.kernel();
  const Launch& launch = picture.prepared->launch;
  std::string page = "<h2>Launch</h2>\n<table>\n";
  const auto row = [&](const char* name, const std::string& value) {
    page += "<tr><th class=\"l\">" + std::string(name) + "</th>" + cell(value, "l") + "</tr>\n";
  };
  row("kernel",
      "<code>" + escaped_html(kernel.name.empty() ? kernel.display : kernel.name) + "</code>");
  row("grid", shape(launch.grid) + " (" + commas(launch.grid.count()) + " blocks)");
  row("block", shape(launch.block) + " (" + commas(launch.block.count()) + " threads, " +
                   commas(warps_per_block(launch.block)) + " warps)");
  row("shared memory",
      commas(kernel.static_shared_bytes + launch.dynamic_shared_bytes) + " bytes a block");
  std::string settings, arguments;
  for (const auto& [name, value] : picture.prepared->parameters)
    settings += name + "=" + value + "  ";
  for (const Argument& argument : launch.arguments)
    if (argument.buffer.empty()) arguments += argument.name + "=" + argument.scalar + "  ";
  if (!settings.empty()) row("parameters", "<code>" + escaped_html(settings) + "</code>");
  if (!arguments.empty()) row("arguments", "<code>" + escaped_html(arguments) + "</code>");
  return page + "</table>\n<p>" + escaped_html(coverage_text(picture)) + "</p>\n";
}

std::string verdict(const Picture& picture) {
  const std::string& kind = picture.prepared->front_matter.reference.kind;
  if (picture.check.checked && picture.check.correct)
    return "<p class=\"verdict good\">Result: correct. Every element equals the CPU's " +
           escaped_html(kind) + ".</p>\n";
  if (picture.check.checked)
    return "<p class=\"verdict bad\">Result: wrong. " +
           escaped_html(picture.check.message.english()) + "</p>\n";
  return std::string("<p class=\"verdict open\">Result: not checked") +
         (kind == "none" ? "; the text names no reference" : "") + ".</p>\n";
}

// The accesses to one memory, and their totals by operation.
template <class Counts, std::size_t N>
std::string memory_table(const char* title, const std::vector<AccessTotals>& accesses,
                         const Totals& totals, Counts AccessTotals::*counts,
                         const std::array<TotalsPart<Counts>, N>& parts) {
  std::uint64_t most = 0;
  for (const AccessTotals& a : accesses) most = std::max(most, against_ideal(a.*counts).taken);
  if (most == 0) return "";
  std::vector<std::string> titles = {"line", "<op", "bytes"};
  for (const auto& counter : counters_of(Counts{})) titles.emplace_back(counter.heading);
  titles.insert(titles.end(), {"<", "<access"});
  std::string page =
      fmt::format("<h2>{}</h2>\n<div class=\"scroll\"><table>\n{}", title, head(titles));
  const auto numbers = [](const Counts& c) {
    std::string cells;
    for (const auto& counter : counters_of(c)) cells += cell(text_of(counter, c));
    return cells;
  };
  for (const AccessTotals& a : accesses) {
    if (space_name(a.space) != space_of(Counts{})) continue;
    const AgainstIdeal cost = against_ideal(a.*counts);
    page += "<tr>" + cell(std::to_string(a.access->pos.line)) +
            cell(std::string(access_op_name(a.access->op)), "l") +
            cell(std::to_string(a.access->bytes)) + numbers(a.*counts) +
            cell(bar(cost, most), "l") +
            cell("<code>" + escaped_html(a.access->text) + "</code>", "l") + "</tr>\n";
  }
  for (const auto& part : parts) {
    const Counts& all = totals.*part.counts;
    if (all.requests == 0) continue;
    page += "<tr class=\"all\">" + cell("all") + cell(std::string(part.op), "l") + cell("") +
            numbers(all) + cell("") + cell("") + "</tr>\n";
  }
  return page + "</table></div>\n";
}

std::string heat_cell(AgainstIdeal cost) {
  if (cost.taken == 0) return "<td></td>";
  return fmt::format("<td class=\"heat\" style=\"background:{}\">{}{}</td>", heat(cost),
                     commas(cost.taken),
                     cost.taken == cost.ideal ? "" : " / " + commas(cost.ideal));
}

std::string text_section(const Picture& picture) {
  std::string page = "<h2>Kernel text</h2>\n<p class=\"dim\">Per line: how often a warp executed "
                     "it; wavefronts and "
                     "sectors, with the ideal after the stroke where it took more.</p>\n"
                     "<div class=\"scroll\"><table class=\"code\">\n" +
                     head({"line", "executed", "wavefronts", "sectors", "<"});
  const std::string& text = picture.prepared->settings.text;
  std::uint32_t line = 1;
  std::size_t next = 0;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string words = text.substr(begin, end - begin);
    begin = end + 1;
    if (line <= picture.prepared->front_matter.lines)
      continue;  // the description has its own place
    while (next < picture.lines.size() && picture.lines[next].line < line) ++next;
    const bool run = next < picture.lines.size() && picture.lines[next].line == line;
    page += std::string(run ? "<tr class=\"run\">" : "<tr>") + cell(std::to_string(line), "n");
    if (run) {
      const LineTotals& t = picture.lines[next];
      page += cell(commas(t.executions), "n") + heat_cell(against_ideal(t.shared)) +
              heat_cell(against_ideal(t.global));
    } else {
      page += "<td></td><td></td><td></td>";
    }
    page += cell(escaped_html(words), "t") + "</tr>\n";
  }
  return page + "</table></div>\n";
}

std::string printed_section(const std::vector<Printed>& printed) {
  if (printed.empty()) return "";
  std::string page = "<h2>Printed by the kernel</h2>\n<pre>";
  for (const Printed& p : printed)
    page += "block " + dim3_text(p.block) + " thread " + dim3_text(p.thread) + ": " +
            escaped_html(p.text) + (p.text.ends_with('\n') ? "" : "\n");
  return page + "</pre>\n";
}

std::string diagnostics_section(const std::vector<Diagnostic>& diagnostics) {
  std::string page = "<h2>Diagnostics</h2>\n";
  if (diagnostics.empty()) return page + "<p>None.</p>\n";
  for (const Diagnostic& d : diagnostics)
    page +=
        "<div class=\"diagnostic\"><pre>" + escaped_html(format_diagnostic(d)) + "</pre></div>\n";
  return page;
}

}  // namespace

std::string coverage_text(const Picture& picture) {
  const Coverage& coverage = picture.counted().coverage;
  if (coverage.classes > 0 && coverage.exact)
    return fmt::format("Counted: the whole grid, {} blocks, proved from {} {} of blocks. Exact.",
                       commas(coverage.blocks), commas(coverage.classes),
                       coverage.classes == 1 ? "class" : "classes");
  if (coverage.exact)
    return fmt::format("Counted: the whole grid, every one of its {} {} executed. Exact.",
                       commas(coverage.blocks), coverage.blocks == 1 ? "block" : "blocks");
  return fmt::format("Counted: {} of {} blocks, not the whole grid.",
                     commas(coverage.blocks_executed),
                     commas(picture.prepared->launch.grid.count()));
}

std::string html_report(const Picture& picture, const std::vector<Diagnostic>& diagnostics) {
  const FrontMatter& matter = picture.prepared->front_matter;
  const std::string title = matter.title.empty() ? picture.prepared->settings.name : matter.title;
  std::string page = html_begin(title);
  page += "<p class=\"dim\">" + escaped_html(picture.prepared->settings.name) + "</p>\n";
  if (!matter.idea.empty()) page += "<p class=\"idea\">" + escaped_html(matter.idea) + "</p>\n";
  if (!picture.prepared->program) {
    page += "<p class=\"verdict bad\">This did not run.</p>\n";
    return page + diagnostics_section(diagnostics) + kHtmlEnd;
  }
  const RunResult& run = picture.counted();
  const std::vector<AccessTotals> accesses = access_totals(picture.kernel(), run);
  const Totals totals = totals_of(picture.kernel(), run);
  page += verdict(picture) + launch_section(picture) +
          memory_table("Shared memory", accesses, totals, &AccessTotals::shared, kSharedParts) +
          memory_table("Global memory", accesses, totals, &AccessTotals::global, kGlobalParts) +
          text_section(picture) + printed_section(run.printed) + diagnostics_section(diagnostics);
  page += "<p class=\"dim\">Counted by Lanescope's simulator from the addresses of every lane. A "
          "wavefront "
          "is one pass over the 32 banks of shared memory; a sector is 32 bytes of global "
          "memory.</p>\n";
  return page + kHtmlEnd;
}

}  // namespace lanescope::app
