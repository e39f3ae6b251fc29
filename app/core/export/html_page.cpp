#include "core/export/html_page.h"

#include <fmt/format.h>

#include "core/text/html_escapes.h"

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

}  // namespace

std::string cell(const std::string& text, const char* kind) {
  return *kind ? fmt::format("<td class=\"{}\">{}</td>", kind, text)
               : fmt::format("<td>{}</td>", text);
}

std::string head(const std::vector<std::string>& titles) {
  std::string row = "<tr>";
  for (const std::string& title : titles) {  // "<" in front: to the left
    const bool left = title.starts_with("<");
    row += fmt::format("<th{}>{}</th>", left ? " class=\"l\"" : "",
                       escaped_html(left ? title.substr(1) : title));
  }
  return row + "</tr>\n";
}

std::string html_begin(const std::string& title) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" +
         escaped_html(title) + " · Lanescope</title>\n<style>" + kStyle +
         "</style>\n</head>\n<body>\n<h1>" + escaped_html(title) + "</h1>\n";
}

}  // namespace lanescope::app
