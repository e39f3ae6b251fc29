// The table of all views: the only place that knows each of them.
#include <algorithm>

#include "views/banks/banks_view.h"
#include "views/compare/compare_view.h"
#include "views/diagnostics/diagnostics_view.h"
#include "views/draw/view.h"
#include "views/exercise/exercise_view.h"
#include "views/fragments/fragments_view.h"
#include "views/kernel/parameters_view.h"
#include "views/lanes/lanes_view.h"
#include "views/lesson/blackboard_view.h"
#include "views/lesson/lesson_view.h"
#include "views/lesson/presenter_view.h"
#include "views/map/index_map.h"
#include "views/program/program_view.h"
#include "views/sectors/sectors_view.h"
#include "views/source/source_view.h"
#include "views/sweep/sweep_view.h"
#include "views/swizzle/swizzle_view.h"
#include "views/timeline/timeline_view.h"
#include "views/timing/timing_view.h"
#include "views/why/why_view.h"

namespace lanescope::app {
namespace {

// `starts`: explore, lecture, compare, projector, lesson (whose scenes say what is beside it),
// exercise.
constexpr View kViews[] = {
    view<draw_source>({.id = "source",
                       .title = "Source",
                       .place = &Places::text,
                       .starts = {2, 2, 1, 2, kBehind, 5},
                       .picture = false,
                       .table = ExportTable::lines}),
    view<draw_index_map>({.id = "index_map",
                          .title = "Index map",
                          .place = &Places::map,
                          .starts = {6, 6, kBehind, 4, kBehind, 4},
                          .table = ExportTable::lanes}),
    view<draw_banks>({.id = "banks",
                      .title = "Banks",
                      .place = &Places::banks,
                      .starts = {5, 5, kBehind, 3, kBehind, 3},
                      .tells = true,
                      .table = ExportTable::lanes,
                      .cue = Cue::shared_access}),
    view<draw_sectors>({.id = "sectors",
                        .title = "Sectors",
                        .place = &Places::sectors,
                        .starts = {kBehind, kBehind, kBehind, kClosed, kBehind, kBehind},
                        .tells = true,
                        .table = ExportTable::lanes,
                        .cue = Cue::global_access}),
    view<draw_lanes>({.id = "lanes",
                      .title = "Lanes",
                      .place = &Places::lanes,
                      .starts = {1, kClosed, kBehind, kClosed, kBehind, kBehind},
                      .tells = true,
                      .table = ExportTable::lanes}),
    view<draw_parameters>({.id = "parameters",
                           .title = "Parameters",
                           .place = &Places::settings,
                           .starts = {4, kBehind, 3, kBehind, kBehind, kBehind},
                           .picture = false}),
    view<draw_exercise>({.id = "exercise",
                         .title = "Exercise",
                         .place = &Places::settings,
                         .starts = {kBehind, kClosed, kClosed, kClosed, kBehind, 6},
                         .picture = false,
                         .cue = Cue::exercise}),
    view<draw_timeline>({.id = "timeline",
                         .title = "Timeline",
                         .place = &Places::bottom,
                         .starts = {3, kBehind, 2, kBehind, kBehind, kBehind},
                         .cue = Cue::no_errors}),
    view<draw_program>({.id = "program",
                        .title = "Program",
                        .place = &Places::bottom,
                        .starts = {kBehind, kClosed, kClosed, kClosed, kBehind, kClosed},
                        .picture = false,
                        .cue = Cue::program}),
    view<draw_diagnostics>({.id = "diagnostics",
                            .title = "Diagnostics",
                            .place = &Places::bottom,
                            .picture = false,
                            .tells = true,
                            .cue = Cue::errors}),
    view<draw_sweep>({.id = "sweep",
                      .title = "Sweep",
                      .place = &Places::sweep,
                      .starts = {kBehind, kClosed, 5, kClosed, kBehind, kClosed},
                      .picture = false,
                      .tells = true}),
    view<draw_timing>({.id = "timing",
                       .title = "Timing",
                       .place = &Places::timing,
                       .starts = {kBehind, kClosed, 4, kClosed, kBehind, kClosed},
                       .picture = false,
                       .tells = true,
                       .table = ExportTable::timing}),
    view<draw_compare>({.id = "compare",
                        .title = "Compare",
                        .place = &Places::map,
                        .starts = {kBehind, kClosed, 6, kClosed, kBehind, kClosed},
                        .tells = true}),
    view<draw_lesson>({.id = "lesson",
                       .title = "Lesson",
                       .place = &Places::lesson,
                       .starts = {kClosed, kClosed, kClosed, kClosed, 1, kClosed},
                       .picture = false}),
    view<draw_blackboard>({.id = "blackboard",
                           .title = "Blackboard",
                           .place = &Places::banks,
                           .starts = {kClosed, kClosed, kClosed, kClosed, kClosed, kClosed},
                           .tells = true}),
    view<draw_presenter>({.id = "presenter",
                          .title = "Presenter",
                          .place = &Places::bottom,
                          .starts = {kClosed, kClosed, kClosed, kClosed, kClosed, kClosed},
                          .picture = false}),
    view<draw_fragments>({.id = "fragments",
                          .title = "Fragments",
                          .place = &Places::map,
                          .starts = {kBehind, kBehind, kClosed, kClosed, kBehind, kBehind},
                          .tells = true,
                          .table = ExportTable::fragments}),
    view<draw_swizzle>({.id = "swizzle",
                        .title = "Swizzle",
                        .place = &Places::map,
                        .starts = {kBehind, kBehind, kClosed, kClosed, kBehind, kBehind},
                        .tells = true,
                        .table = ExportTable::swizzles}),
    view<draw_why>({.id = "why", .title = "Why", .place = &Places::why, .tells = true}),
};

}  // namespace

std::span<const View> views() { return kViews; }

const View* find_view(std::string_view id) {
  const auto found = std::find_if(std::begin(kViews), std::end(kViews),
                                  [id](const View& v) { return v.id == id; });
  return found == std::end(kViews) ? nullptr : found;
}

}  // namespace lanescope::app
