// An analysis as one HTML page.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/export/export.h"
#include "core/run/totals.h"
#include "core/text/text.h"

namespace lanescope::app {

namespace {

constexpr const char* kStyle = R"css(
:root { color-scheme: light; }
body { font: 15px/1.45 "DejaVu Sans", "Liberation Sans", Arial, sans-serif; color: #1b1f24;
  background: #fff; max-width: 1180px; margin: 2em auto; padding: 0 1.2em; }
h1 { font-size: 1.55em; margin: 0 0 .1em; } h2 { font-size: 1.15em; margin: 1.7em 0 .5em; }
.dim { color: #5c6670; } .idea { margin: .2em 0 1em; }
table { border-collapse: collapse; } td, th { padding: .22em .7em; text-align: right;
  border-bottom: 1px solid #dfe3e8; white-space: nowrap; }
th { font-weight: 600; color: #46505a; } th.l, td.l { text-align: left; }
tr.all td { font-weight: 600; border-top: 1px solid #9aa4ae; }
code, pre, .code td { font-family: "DejaVu Sans Mono", "Liberation Mono", monospace; font-size: .92em; }
.code td { border: 0; padding: 0 .6em; vertical-align: top; }
.code td.t { text-align: left; white-space: pre-wrap; width: 100%; }
.code td.n { color: #8a949e; } .code tr.run td.n { color: #1b1f24; }
.heat { border-radius: 3px; } .scroll { overflow-x: auto; }
.verdict { padding: .5em .8em; border-left: 6px solid; margin: 1em 0; background: #f5f7f9; }
.good { border-color: #1fa187; } .bad { border-color: #d55e00; } .open { border-color: #8a949e; }
.diagnostic { margin: .7em 0; } .diagnostic pre { margin: .2em 0; padding: .4em .7em;
  background: #f5f7f9; overflow-x: auto; }
svg { vertical-align: middle; }
@media print { body { margin: 0; max-width: none; } h2 { break-after: avoid; } tr { break-inside: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
)css";

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

std::string grouped(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string cell(const std::string& text, const char* kind = "") {
  return std::string("<td") + (*kind ? std::string(" class=\"") + kind + "\"" : "") + ">" + text +
         "</td>";
}

std::string head(const std::vector<std::string>& titles) {
  std::string row = "<tr>";
  for (const std::string& title : titles) {  // "<" in front: to the left
    const bool left = title.starts_with("<");
    row += std::string("<th") + (left ? " class=\"l\"" : "") + ">" +
           escaped(left ? title.substr(1) : title) + "</th>";
  }
  return row + "</tr>\n";
}

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
  return text;
}

// The same scale as the window's: green where it is ideal, yellow to vermilion by the logarithm.
std::string heat(std::uint64_t count, std::uint64_t ideal) {
  if (ideal == 0 || count <= ideal) return "#bfe6dc";
  static constexpr int stops[][3] = {{0xF0, 0xE4, 0x42},
                                     {0xF0, 0xC2, 0x3A},
                                     {0xE6, 0x9F, 0x00},
                                     {0xE0, 0x7B, 0x1A},
                                     {0xD5, 0x5E, 0x00}};
  const double all =
      std::clamp(std::log2(static_cast<double>(count) / static_cast<double>(ideal)) / 5, 0.0, 1.0) *
      4;
  const int i = std::min(static_cast<int>(all), 3);
  int rgb[3];
  for (int c = 0; c < 3; ++c)
    rgb[c] = static_cast<int>(std::lround(stops[i][c] + (stops[i + 1][c] - stops[i][c]) *
                                                            (all - static_cast<double>(i))));
  char text[16];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
  return text;
}

// What was needed against what it took, as a bar.
std::string bar(std::uint64_t count, std::uint64_t ideal, std::uint64_t most) {
  if (most == 0) return "";
  const auto width = [&](std::uint64_t n) {
    return std::to_string(std::max<std::uint64_t>(
        n > 0 ? 1 : 0,
        static_cast<std::uint64_t>(120.0 * static_cast<double>(n) / static_cast<double>(most))));
  };
  return "<svg width=\"120\" height=\"10\"><rect width=\"" + width(count) +
         "\" height=\"10\" fill=\"" + heat(count, ideal) + "\"/><rect width=\"" +
         width(std::min(ideal, count)) + "\" height=\"10\" fill=\"#1fa187\"/></svg>";
}

const RunResult& counted(const Picture& picture) {
  return picture.whole ? *picture.whole : picture.inspected;
}

std::string shape(Dim3 d) {
  return std::to_string(d.x) + " × " + std::to_string(d.y) + " × " + std::to_string(d.z);
}

std::string launch_section(const Picture& picture) {
  const KernelInfo& kernel = picture.kernel();
  const Launch& launch = picture.launch;
  std::string page = "<h2>Launch</h2>\n<table>\n";
  const auto row = [&](const char* name, const std::string& value) {
    page += "<tr><th class=\"l\">" + std::string(name) + "</th>" + cell(value, "l") + "</tr>\n";
  };
  row("kernel", "<code>" + escaped(kernel.name.empty() ? kernel.display : kernel.name) + "</code>");
  row("grid", shape(launch.grid) + " (" + grouped(launch.grid.count()) + " blocks)");
  row("block", shape(launch.block) + " (" + grouped(launch.block.count()) + " threads, " +
                   grouped(warps_per_block(launch.block)) + " warps)");
  row("shared memory",
      grouped(kernel.static_shared_bytes + launch.dynamic_shared_bytes) + " bytes a block");
  std::string settings, arguments;
  for (const auto& [name, value] : picture.parameters) settings += name + "=" + value + "  ";
  for (const Argument& argument : launch.arguments)
    if (argument.buffer.empty()) arguments += argument.name + "=" + argument.scalar + "  ";
  if (!settings.empty()) row("parameters", "<code>" + escaped(settings) + "</code>");
  if (!arguments.empty()) row("arguments", "<code>" + escaped(arguments) + "</code>");
  return page + "</table>\n<p>" + escaped(coverage_text(picture)) + "</p>\n";
}

std::string verdict(const Picture& picture) {
  const std::string& kind = picture.front_matter.reference.kind;
  if (picture.check.checked && picture.check.correct)
    return "<p class=\"verdict good\">Result: correct. Every element equals the CPU's " +
           escaped(kind) + ".</p>\n";
  if (picture.check.checked)
    return "<p class=\"verdict bad\">Result: wrong. " + escaped(picture.check.message) + "</p>\n";
  return std::string("<p class=\"verdict open\">Result: not checked") +
         (kind == "none" ? "; the text names no reference" : "") + ".</p>\n";
}

std::string shared_table(const std::vector<AccessTotals>& accesses, const Totals& totals) {
  std::uint64_t most = 0;
  for (const AccessTotals& a : accesses) most = std::max(most, a.shared.wavefronts);
  if (most == 0) return "";
  std::string page = "<h2>Shared memory</h2>\n<div class=\"scroll\"><table>\n" +
                     head({"line", "<op", "bytes", "requests", "wavefronts", "ideal", "conflicts",
                           "<", "<access"});
  const auto counts = [&](const SharedCounts& c) {
    return cell(grouped(c.requests)) + cell(grouped(c.wavefronts)) +
           cell(grouped(c.ideal_wavefronts)) + cell(grouped(c.conflicts));
  };
  for (const AccessTotals& a : accesses) {
    if (a.space != MemorySpace::shared) continue;
    page += "<tr>" + cell(std::to_string(a.access->pos.line)) +
            cell(std::string(access_op_name(a.access->op)), "l") +
            cell(std::to_string(a.access->bytes)) + counts(a.shared) +
            cell(bar(a.shared.wavefronts, a.shared.ideal_wavefronts, most), "l") +
            cell("<code>" + escaped(a.access->text) + "</code>", "l") + "</tr>\n";
  }
  const auto all = [&](const char* op, const SharedCounts& c) {
    if (c.requests == 0) return;
    page += "<tr class=\"all\">" + cell("all") + cell(op, "l") + cell("") + counts(c) + cell("") +
            cell("") + "</tr>\n";
  };
  all("load", totals.shared_load), all("store", totals.shared_store),
      all("atomic", totals.shared_atomic);
  return page + "</table></div>\n";
}

std::string global_table(const std::vector<AccessTotals>& accesses, const Totals& totals) {
  std::uint64_t most = 0;
  for (const AccessTotals& a : accesses) most = std::max(most, a.global.sectors);
  if (most == 0) return "";
  std::string page =
      "<h2>Global memory</h2>\n<div class=\"scroll\"><table>\n" +
      head({"line", "<op", "bytes", "requests", "sectors", "ideal", "efficiency", "<", "<access"});
  const auto counts = [&](const GlobalCounts& c) {
    return cell(grouped(c.requests)) + cell(grouped(c.sectors)) + cell(grouped(c.ideal_sectors)) +
           cell(c.sectors > 0 ? percent(c.efficiency()) : "-");
  };
  for (const AccessTotals& a : accesses) {
    if (a.space != MemorySpace::global) continue;
    page += "<tr>" + cell(std::to_string(a.access->pos.line)) +
            cell(std::string(access_op_name(a.access->op)), "l") +
            cell(std::to_string(a.access->bytes)) + counts(a.global) +
            cell(bar(a.global.sectors, a.global.ideal_sectors, most), "l") +
            cell("<code>" + escaped(a.access->text) + "</code>", "l") + "</tr>\n";
  }
  const auto all = [&](const char* op, const GlobalCounts& c) {
    if (c.requests == 0) return;
    page += "<tr class=\"all\">" + cell("all") + cell(op, "l") + cell("") + counts(c) + cell("") +
            cell("") + "</tr>\n";
  };
  all("load", totals.global_load), all("store", totals.global_store),
      all("atomic", totals.global_atomic);
  return page + "</table></div>\n";
}

std::string heat_cell(std::uint64_t count, std::uint64_t ideal) {
  if (count == 0) return "<td></td>";
  return "<td class=\"heat\" style=\"background:" + heat(count, ideal) + "\">" + grouped(count) +
         (count == ideal ? "" : " / " + grouped(ideal)) + "</td>";
}

std::string text_section(const Picture& picture) {
  std::string page = "<h2>Kernel text</h2>\n<p class=\"dim\">Per line: how often a warp executed "
                     "it; wavefronts and "
                     "sectors, with the ideal after the stroke where it took more.</p>\n"
                     "<div class=\"scroll\"><table class=\"code\">\n" +
                     head({"line", "executed", "wavefronts", "sectors", "<"});
  const std::string& text = picture.settings.text;
  std::uint32_t line = 1;
  std::size_t next = 0;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string words = text.substr(begin, end - begin);
    begin = end + 1;
    if (line <= picture.front_matter.lines) continue;  // the description has its own place
    while (next < picture.lines.size() && picture.lines[next].line < line) ++next;
    const bool run = next < picture.lines.size() && picture.lines[next].line == line;
    page += std::string(run ? "<tr class=\"run\">" : "<tr>") + cell(std::to_string(line), "n");
    if (run) {
      const LineTotals& t = picture.lines[next];
      page += cell(grouped(t.executions), "n") +
              heat_cell(t.shared.wavefronts, t.shared.ideal_wavefronts) +
              heat_cell(t.global.sectors, t.global.ideal_sectors);
    } else {
      page += "<td></td><td></td><td></td>";
    }
    page += cell(escaped(words), "t") + "</tr>\n";
  }
  return page + "</table></div>\n";
}

std::string printed_section(const std::vector<Printed>& printed) {
  if (printed.empty()) return "";
  std::string page = "<h2>Printed by the kernel</h2>\n<pre>";
  for (const Printed& p : printed)
    page += "block " + dim3_text(p.block) + " thread " + dim3_text(p.thread) + ": " +
            escaped(p.text) + (p.text.ends_with('\n') ? "" : "\n");
  return page + "</pre>\n";
}

std::string diagnostics_section(const std::vector<Diagnostic>& diagnostics) {
  std::string page = "<h2>Diagnostics</h2>\n";
  if (diagnostics.empty()) return page + "<p>None.</p>\n";
  for (const Diagnostic& d : diagnostics)
    page += "<div class=\"diagnostic\"><pre>" + escaped(format_diagnostic(d)) + "</pre></div>\n";
  return page;
}

}  // namespace

std::string coverage_text(const Picture& picture) {
  const Coverage& coverage = counted(picture).coverage;
  if (coverage.classes > 0 && coverage.exact)
    return "Counted: the whole grid, " + grouped(coverage.blocks) + " blocks, proved from " +
           grouped(coverage.classes) + (coverage.classes == 1 ? " class" : " classes") +
           " of blocks. Exact.";
  if (coverage.exact)
    return "Counted: the whole grid, every one of its " + grouped(coverage.blocks) +
           (coverage.blocks == 1 ? " block" : " blocks") + " executed. Exact.";
  return "Counted: " + grouped(coverage.blocks_executed) + " of " +
         grouped(picture.launch.grid.count()) + " blocks, not the whole grid.";
}

std::string html_report(const Picture& picture, const std::vector<Diagnostic>& diagnostics) {
  const FrontMatter& matter = picture.front_matter;
  const std::string title = matter.title.empty() ? picture.settings.name : matter.title;
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" +
      escaped(title) + " · Lanescope</title>\n<style>" + kStyle +
      "</style>\n</head>\n<body>\n<h1>" + escaped(title) + "</h1>\n";
  page += "<p class=\"dim\">" + escaped(picture.settings.name) + "</p>\n";
  if (!matter.idea.empty()) page += "<p class=\"idea\">" + escaped(matter.idea) + "</p>\n";
  if (!picture.program) {
    page += "<p class=\"verdict bad\">This did not run.</p>\n";
    return page + diagnostics_section(diagnostics) + "</body>\n</html>\n";
  }
  const RunResult& run = counted(picture);
  const std::vector<AccessTotals> accesses = access_totals(picture.kernel(), run);
  const Totals totals = totals_of(picture.kernel(), run);
  page += verdict(picture) + launch_section(picture) + shared_table(accesses, totals) +
          global_table(accesses, totals) + text_section(picture) + printed_section(run.printed) +
          diagnostics_section(diagnostics);
  page += "<p class=\"dim\">Counted by Lanescope's simulator from the addresses of every lane. A "
          "wavefront "
          "is one pass over the 32 banks of shared memory; a sector is 32 bytes of global "
          "memory.</p>\n";
  return page + "</body>\n</html>\n";
}

}  // namespace lanescope::app
