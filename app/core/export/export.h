// What is known, as files for other programs and for people: tables as CSV, an analysis as one HTML
// page. Pure, but for the last function.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/picture/picture.h"
#include "core/picture/selection.h"
#include "core/timing/measurement.h"

namespace lanescope::app {

/// Every access with its counts; `scope` says what was counted: "grid", or "blocks" for a part.
std::string csv_of_accesses(const Picture& picture);
/// Every executed line of the text with its counts.
std::string csv_of_lines(const Picture& picture);
/// The lanes of the execution that the selection shows (see `shown_access_step`): addresses, where
/// they lead, banks and sectors. Only the header where there is none.
std::string csv_of_lanes(const Picture& picture, const Selection& selection);
struct TimingNews;
/// Those tables, and that of measured times.
enum class ExportTable : std::uint8_t { accesses, lines, lanes, timing };
/// One of them. Where there are no times, the accesses stand for them.
std::string csv_of(ExportTable table, const Picture& picture, const Selection& selection,
                   const TimingNews* timing = nullptr);

/// What was counted, in a sentence.
std::string coverage_text(const Picture& picture);
/// One page that needs no other file and no script: kernel text with heat, launch, totals,
/// accesses, result, diagnostics. Light, so that it prints.
std::string html_report(const Picture& picture, const std::vector<Diagnostic>& diagnostics);

}  // namespace lanescope::app
