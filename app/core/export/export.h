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
/// The matrices of the instruction that was executed nearest to the selection, else of the first that
/// the text writes out: each element with its lane, register and part, and what was recorded of it.
std::string csv_of_fragments(const Picture& picture, const Selection& selection);
/// The recorded tile of the selected access: what each way to read it costs as it lies and with every
/// swizzle, and what all that the block did to it would cost where the access has a conflict.
std::string csv_of_swizzles(const Picture& picture, const Selection& selection);
struct TimingNews;
/// Those tables, and that of measured times.
enum class ExportTable : std::uint8_t { accesses, lines, lanes, fragments, swizzles, timing };
/// One of them. Where there are no times, the accesses stand for them.
std::string csv_of(ExportTable table, const Picture& picture, const Selection& selection,
                   const TimingNews* timing = nullptr);

/// What was counted, in a sentence.
std::string coverage_text(const Picture& picture);
/// One page that needs no other file and no script: kernel text with heat, launch, totals,
/// accesses, result, diagnostics. Light, so that it prints.
std::string html_report(const Picture& picture, const std::vector<Diagnostic>& diagnostics);

}  // namespace lanescope::app
