#include "gui_describe.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "core/classroom/classroom.h"
#include "core/picture/chain.h"
#include "core/run/totals.h"
#include "platform/items.h"
#include "views/exercise/exercise_view.h"
#include "views/lesson/presenter_view.h"
#include "views/map/index_map.h"
#include "views/source/source_view.h"

namespace lanescope::app {
namespace {

Json items_json() {
  Json items = Json::array();
  for (const ShownItem& item : take_items())
    items.push_back({{"window", item.window},
                     {"label", item.label},
                     {"id", item.id},
                     {"box", {item.x, item.y, item.width, item.height}}});
  return items;
}

Json input_json() {
  const ShownInput input = shown_input();
  return {{"pointer", {input.pointer_x, input.pointer_y}},
          {"keyboard", input.keyboard},
          {"typing", input.typing}};
}

Json selection_json(const Picture& picture, const Selection& selection) {
  Json json = {{"warp", selection.warp}, {"step", selection.step}, {"lane", selection.lane}};
  const auto& accesses = picture.kernel().accesses;
  const bool chosen =
      selection.access >= 0 && static_cast<std::size_t>(selection.access) < accesses.size();
  if (chosen) json["access"] = accesses[static_cast<std::size_t>(selection.access)].text;
  return json;
}

// What the index map's picture shows: the move under way, and where the element that is followed is.
Json map_json(const Picture& picture, const Selection& selection, const IndexMapState& map) {
  const Journey& journey = *map.journey.journey;
  const auto moment = moment_of(journey, map.play.position);
  Json json = {{"position", map.play.position},
               {"playing", map.play.playing},
               {"moves", journey.moves().size()},
               {"race", selection.race.has_value()},
               {"leg", "start"}};
  if (moment) {
    static constexpr const char* kLegs[] = {"load", "tile_store", "barrier", "tile_load", "store"};
    const JourneyMove& move = journey.moves()[moment->move];
    json["leg"] = kLegs[static_cast<std::size_t>(move.leg)];
    json["warp"] = move.warp;
    json["wavefronts"] = move.ticks;
    json["empty"] = std::popcount(move.empty);
  }
  if (!selection.cell) return json;
  json["pinned"] = locate(picture, selection.cell->address).text();
  Selection pinned = selection;
  pinned.hover_lane = -1;
  pinned.hover_cell.reset();
  const std::vector<ChainLink> chain = chain_of(picture, pinned);
  for (const ChainLink& link : chain)
    json["way"].push_back({link.warp, link.lane, locate(picture, link.cell.address).text()});
  if (chain.empty()) return json;
  const Token element = chain.front().cell.address;
  std::set<std::string> cells;
  for (const ChainLink& link : chain) {
    if (map.journey.replay->cell(link.cell.address).token == element)
      cells.insert(locate(picture, link.cell.address).text());
    if (map.journey.replay->lane(link.warp, link.lane).token == element)
      json["in_lane"] = {link.warp, link.lane};
  }
  json["in_cells"] = cells;
  return json;
}

Json program_json(const ProgramStatus& program) {
  Json json = {{"file", program.file},
               {"waits", program.waits},
               {"running", program.running},
               {"capturing", program.capturing.has_value()}};
  if (!program.run) return json;
  const std::string& output = program.run->output;
  constexpr std::size_t kMostTold = 4096;
  json["launches"] = program.run->launches.size();
  json["output"] = output.substr(output.size() - std::min(output.size(), kMostTold));
  json["ended"] = !program.run->running;
  json["status"] = program.run->result.end.status;
  json["crash"] = program.run->result.end.crash;
  return json;
}

Json exercise_json(const LabStatus& lab, const ExerciseState& state) {
  Json json = {{"name", lab.exercise->name}, {"judging", lab.judging}};
  if (lab.verdict) {
    json["passed"] = lab.verdict->passed();
    json["goals"] = lab.verdict->goals();
    json["solved"] = lab.verdict->solved();
  }
  const auto found = state.progress.find(lab.exercise->name);
  if (found == state.progress.end()) return json;
  json["progress"] = {{"solved", found->second.solved},
                      {"best", found->second.best},
                      {"hints", found->second.hints},
                      {"saw_solution", found->second.saw_solution}};
  return json;
}

Json lesson_json(const LessonStatus& lessons, const PresenterState& presenter) {
  Json json = {{"name", lessons.lesson->name},
               {"scene", lessons.shown()->id},
               {"last", lessons.scene + 1 == lessons.lesson->scenes.size()},
               {"computed", lessons.run != nullptr},
               {"predicting", lessons.predicting()},
               {"at_scene", lessons.at_scene},
               {"presenter_window", presenter.in_window},
               {"answers", Json::object()}};
  if (const Question* question = lessons.pending(); question && lessons.run) {
    static constexpr const char* kKind[] = {"number", "lane", "bank", "address", "choice"};
    json["pending"] = {{"id", question->id},
                       {"kind", kKind[static_cast<std::size_t>(question->kind)]},
                       {"answer", answer_text(lessons.run->values, *question)}};
    for (const Choice& choice : question->choices) json["pending"]["choices"].push_back(choice.id);
  }
  static constexpr const char* kHow[] = {"right", "wrong", "shown"};
  for (const auto& [question, given] : lessons.given)
    json["answers"][question] = kHow[static_cast<std::size_t>(given.how)];
  return json;
}

}  // namespace

Describer::Describer(std::string file) : file_(std::move(file)) {
  if (file_.empty()) return;
  collect_items();
  // A script that is held up between press and release has not asked for the key twice.
  ImGui::GetIO().KeyRepeatDelay = std::numeric_limits<float>::max();
}

void Describer::update(const Session& session, Workspace& workspace) {
  if (file_.empty()) return;
  const SessionStatus status = session.status();
  const LabStatus& lab = session.lab();
  Json json = {{"kernel", session.settings().name},
               {"settings", session.settings().parameters},
               {"busy", status.busy || status.whole_grid_running},
               {"stale", status.stale},
               {"arranged", workspace.arranged(lab.exercise ? lab.exercise->name : "")},
               {"language", workspace.language},
               {"diagnostics", to_json(session.diagnostics())}};
  if (const PicturePtr picture = session.picture()) {
    const RunResult& run = picture->counted();
    json["parameters"] = picture->prepared->parameters;
    json["whole_grid"] = picture->whole != nullptr;
    json["totals"] = to_json(totals_of(picture->kernel(), run));
    json["selection"] = selection_json(*picture, session.selection());
    if (const auto& map = state_of<IndexMapState>(workspace);
        map.journey.journey && map.journey.journey == picture->journey)
      json["map"] = map_json(*picture, session.selection(), map);
  }
  if (!session.program().file.empty()) json["program"] = program_json(session.program());
  if (lab.exercise) json["exercise"] = exercise_json(lab, state_of<ExerciseState>(workspace));
  if (const SweepPtr sweep = session.sweep())
    json["sweep"] = {
        {"cells", sweep->cells.size()}, {"done", sweep->done}, {"finished", sweep->finished}};
  if (const Comparison* comparison = session.comparison())
    json["comparison"] = {{"kernel", comparison->settings.name},
                          {"drawn", comparison->picture != nullptr && !comparison->busy}};
  if (const FilesStatus* files = workspace.files.status) {
    json["document"] = {{"name", files->document.name},
                        {"path", files->document.path},
                        {"edited", files->document.edited},
                        {"unsaved", files->document.unsaved},
                        {"asks", files->question != FilesStatus::Question::none},
                        {"dialog", workspace.files.dialog != FileDialog::none},
                        {"notice", files->notice.detail.english()}};
  }
  if (const LessonStatus* lessons = workspace.lessons; lessons && lessons->lesson)
    json["lesson"] = lesson_json(*lessons, state_of<PresenterState>(workspace));
  json["input"] = input_json();
  // Of the text, where the next key goes; from 0
  json["input"]["line"] = state_of<SourceState>(workspace).editor.GetMainCursorPosition().line;
  json["items"] = items_json();
  std::string text = json.dump(1, ' ', false, Json::error_handler_t::replace);
  if (text == written_) return;
  const std::string whole = file_ + ".new";
  std::ofstream out(whole, std::ios::binary);
  out << text << std::flush;
  out.close();
  if (out && std::rename(whole.c_str(), file_.c_str()) == 0) written_ = std::move(text);
}

}  // namespace lanescope::app
