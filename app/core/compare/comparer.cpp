#include "core/compare/comparer.h"

#include "core/picture/navigate.h"

namespace lanescope::app {

void Comparer::start(Settings settings) {
  const bool linked = !state_ || state_->linked;
  followed_.reset();
  state_.emplace();
  state_->settings = settings;
  state_->linked = linked;
  state_->busy = true;
  worker_.submit(std::move(settings));
}

bool Comparer::clear() {
  if (!state_) return false;
  state_.reset();
  worker_.cancel();
  return true;
}

void Comparer::look_at_block(Dim3 block) {
  if (!state_ || !state_->linked || state_->settings.inspected_block == block) return;
  state_->settings.inspected_block = block;
  state_->busy = true;
  worker_.submit(state_->settings);
}

bool Comparer::link(bool linked) {
  if (!state_ || state_->linked == linked) return false;
  state_->linked = linked;
  followed_.reset();
  return true;
}

bool Comparer::move(StepMove move) {
  if (!state_ || !state_->picture) return false;
  link(false);
  return move_step(*state_->picture, state_->selection, move);
}

bool Comparer::poll() {
  if (!state_) return false;
  auto news = worker_.take();
  const bool busy = worker_.busy();
  const bool changed = news || busy != state_->busy;
  state_->busy = busy;
  if (!news) return changed;
  state_->diagnostics = std::move(news->diagnostics);
  if (!news->picture && busy) return true;
  const PicturePtr before = std::move(state_->picture);
  state_->picture = std::move(news->picture);
  if (!state_->picture) return true;
  // Linked or not, there has to be something to look at; what is followed replaces it.
  if (!before || before->prepared->program != state_->picture->prepared->program)
    state_->selection = default_selection(*state_->picture);
  return true;
}

void Comparer::wait(bool whole) {
  if (state_) worker_.wait(whole);
}

void Comparer::follow(const Picture* picture, const Selection& selection) {
  if (!state_ || !state_->picture) return;
  state_->selection.lane = selection.lane;
  state_->selection.hover_lane = selection.hover_lane;
  if (!state_->linked || !picture) return;
  const Followed now{picture->serial, state_->picture->serial, selection.warp, selection.step,
                     selection.access};
  if (followed_ == now) return;
  followed_ = now;
  state_->selection = matching_selection(*picture, selection, *state_->picture);
}

}  // namespace lanescope::app
