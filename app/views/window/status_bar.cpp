#include "views/window/status_bar.h"

#include <algorithm>

#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/files/file_dialogs.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

void separator(const ViewContext& ctx) {
  ImGui::SameLine(0, 10 * ctx.scale);
  ImGui::TextDisabled("|");
  ImGui::SameLine(0, 10 * ctx.scale);
}

void progress(const ViewContext& ctx, StatusBarState& state) {
  if (ctx.status.whole_grid_running) {
    const float share = ctx.status.blocks
                            ? static_cast<float>(static_cast<double>(ctx.status.blocks_done) /
                                                 static_cast<double>(ctx.status.blocks))
                            : 0.0f;
    ImGui::TextUnformatted(tr("whole grid"));
    ImGui::SameLine();
    ImGui::ProgressBar(share, {120 * ctx.scale, ImGui::GetTextLineHeight()});
    ImGui::SameLine();
    if (ImGui::SmallButton(tr("Cancel"))) state.cancel = true;
  } else if (ctx.status.busy) {
    ImGui::TextUnformatted(tr("working …"));
  } else if (ctx.program.running) {
    ImGui::TextUnformatted(tr("the program runs …"));
  } else {
    ImGui::TextDisabled("%s", tr("ready"));
  }
}

void coloured(ImU32 color, const char* words) {
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::TextUnformatted(words);
  ImGui::PopStyleColor();
}

void result(const ViewContext& ctx) {
  if (!ctx.picture || !ctx.picture->check.checked || ctx.status.stale || ctx.predicting) return;
  const bool correct = ctx.picture->check.correct;
  separator(ctx);
  coloured(correct ? ctx.theme.good : ctx.theme.error,
           correct ? tr("result correct") : tr("result wrong"));
  if (!correct) item_tooltip(tr_message(ctx.picture->check.message));
}

void notices(const ViewContext& ctx, const StatusBarState& state) {
  if (const std::string notice = ctx.files ? notice_text(ctx.files->notice) : ""; !notice.empty()) {
    separator(ctx);
    ImGui::TextUnformatted(notice.c_str());
    item_tooltip(ctx.files->notice.detail.english());
  }
  if (state.notice.empty()) return;
  separator(ctx);
  coloured(ctx.theme.warning, tr("settings are not kept"));
  item_tooltip(tr_message(state.notice));
}

void findings(const ViewContext& ctx, StatusBarState& state) {
  if (ctx.diagnostics.empty() || ctx.predicting) return;
  const auto of = [&](Severity severity) {
    return std::count_if(ctx.diagnostics.begin(), ctx.diagnostics.end(),
                         [=](const Diagnostic& d) { return d.severity == severity; });
  };
  const auto errors = of(Severity::error), warnings = of(Severity::warning),
             notes = of(Severity::note);
  std::string label;
  const auto add = [&](const char* words, std::ptrdiff_t count) {
    if (count) label += (label.empty() ? "" : "  ") + tr(words, {count});
  };
  add("errors: {0}", errors);
  add("warnings: {0}", warnings);
  add("notes: {0}", notes);
  separator(ctx);
  ImGui::PushStyleColor(ImGuiCol_Text, errors     ? ctx.theme.error
                                       : warnings ? ctx.theme.warning
                                                  : ctx.theme.dim);
  ImGui::PushStyleColor(ImGuiCol_Button, 0);
  if (ImGui::SmallButton((label + "###errors").c_str())) state.show_diagnostics = true;
  ImGui::PopStyleColor(2);
}

// What one can do without: left out where it does not fit.
void if_it_fits(const ViewContext& ctx, const std::string& words) {
  const float end =
      ImGui::GetItemRectMax().x + 30 * ctx.scale + ImGui::CalcTextSize(words.c_str()).x;
  if (end > ImGui::GetWindowPos().x + ImGui::GetWindowWidth()) return;
  separator(ctx);
  ImGui::TextDisabled("%s", words.c_str());
}

}  // namespace

std::string launch_text(const Launch& launch) {
  return tr("grid {0}, block {1}", {extent_text(launch.grid), extent_text(launch.block)});
}

void draw_status_bar(const ViewContext& ctx, StatusBarState& state, Actions&) {
  state.cancel = state.show_diagnostics = false;
  progress(ctx, state);
  if (ctx.picture) {
    separator(ctx);
    ImGui::TextUnformatted(document_title(ctx).c_str());
  }
  result(ctx);
  findings(ctx, state);
  notices(ctx, state);
  if (!ctx.picture) return;
  const PreparedLaunch& prepared = *ctx.picture->prepared;
  if_it_fits(ctx, launch_text(prepared.launch));
  if_it_fits(ctx, tr("compile {0} ms, run {1} ms",
                     {decimal(prepared.compile_ms), decimal(ctx.picture->run_ms)}));
}

}  // namespace lanescope::app
