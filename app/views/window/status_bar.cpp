#include "views/window/status_bar.h"

#include <algorithm>

#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/files/file_dialogs.h"

namespace lanescope::app {
namespace {

std::string extent(Dim3 dim) {
  std::string text = std::to_string(dim.x) + "×" + std::to_string(dim.y);
  return dim.z > 1 ? text + "×" + std::to_string(dim.z) : text;
}

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

}  // namespace

std::string launch_text(const Launch& launch) {
  return tr("grid {0}, block {1}", {extent(launch.grid), extent(launch.block)});
}

void draw_status_bar(const ViewContext& ctx, StatusBarState& state, Actions&) {
  state.cancel = state.show_diagnostics = false;
  progress(ctx, state);
  if (ctx.picture) {
    separator(ctx);
    ImGui::TextUnformatted(document_title(ctx).c_str());
    separator(ctx);
    ImGui::TextUnformatted(launch_text(ctx.picture->prepared->launch).c_str());
    if (ctx.picture->check.checked && !ctx.status.stale && !ctx.predicting) {
      separator(ctx);
      const bool correct = ctx.picture->check.correct;
      ImGui::PushStyleColor(ImGuiCol_Text, correct ? ctx.theme.good : ctx.theme.error);
      ImGui::TextUnformatted(correct ? tr("result correct") : tr("result wrong"));
      ImGui::PopStyleColor();
      if (!correct) ImGui::SetItemTooltip("%s", tr_message(ctx.picture->check.message).c_str());
    }
    const std::string took =
        tr("compile {0} ms, run {1} ms",
           {decimal(ctx.picture->prepared->compile_ms), decimal(ctx.picture->run_ms)});
    // The least that one has to know: left out where it does not fit.
    const float end =
        ImGui::GetItemRectMax().x + 30 * ctx.scale + ImGui::CalcTextSize(took.c_str()).x;
    if (end <= ImGui::GetWindowPos().x + ImGui::GetWindowWidth()) {
      separator(ctx);
      ImGui::TextDisabled("%s", took.c_str());
    }
  }
  if (const std::string notice = ctx.files ? notice_text(ctx.files->notice) : ""; !notice.empty()) {
    separator(ctx);
    ImGui::TextUnformatted(notice.c_str());
    ImGui::SetItemTooltip("%s", ctx.files->notice.detail.english().c_str());
  }
  if (!state.notice.empty()) {
    separator(ctx);
    ImGui::PushStyleColor(ImGuiCol_Text, ctx.theme.warning);
    ImGui::TextUnformatted(tr("settings are not kept"));
    ImGui::PopStyleColor();
    ImGui::SetItemTooltip("%s", tr_message(state.notice).c_str());
  }
  const auto of = [&](Severity severity) {
    return std::count_if(ctx.diagnostics.begin(), ctx.diagnostics.end(),
                         [=](const Diagnostic& d) { return d.severity == severity; });
  };
  if (!ctx.diagnostics.empty() && !ctx.predicting) {
    const auto errors = of(Severity::error), warnings = of(Severity::warning),
               notes = of(Severity::note);
    separator(ctx);
    ImGui::PushStyleColor(ImGuiCol_Text, errors     ? ctx.theme.error
                                         : warnings ? ctx.theme.warning
                                                    : ctx.theme.dim);
    ImGui::PushStyleColor(ImGuiCol_Button, 0);
    std::string label;
    const auto add = [&](const char* words, std::ptrdiff_t count) {
      if (count) label += (label.empty() ? "" : "  ") + tr(words, {std::to_string(count)});
    };
    add("errors: {0}", errors);
    add("warnings: {0}", warnings);
    add("notes: {0}", notes);
    if (ImGui::SmallButton((label + "###errors").c_str())) state.show_diagnostics = true;
    ImGui::PopStyleColor(2);
  }
}

}  // namespace lanescope::app
