#include "core/matrix/recorded_instruction.h"

#include <algorithm>

namespace lanescope::app {
namespace {

bool is_matrix_step(const Picture& picture, const WarpTrack& track, std::size_t step) {
  const OpInfo& op = picture.kernel().ops[track.op[step]];
  if (track.rows[step] == WarpTrack::kNoRows || track.mask[step] == 0) return false;
  const AccessInfo* access =
      op.access < 0 ? nullptr : &picture.kernel().accesses[static_cast<std::size_t>(op.access)];
  // Without an access no other one has rows.
  if (op.kind == StepKind::warp_op) return !access || access->op == AccessOp::product;
  return op.kind == StepKind::access && access && matrices_of(access->service) > 0;
}

const WarpTrack* track_of(const Picture& picture, std::uint32_t warp) {
  const BlockTrace* trace = picture.prepared->program ? picture.trace() : nullptr;
  return trace && warp < trace->warps.size() ? &trace->warps[warp] : nullptr;
}

/// Takes so many rows of the trace, and moves on.
std::vector<LaneRow> take(const LaneRows& rows, std::size_t& next, int count) {
  std::vector<LaneRow> out;
  for (int i = 0; i < count && next < rows.size(); ++i) out.push_back(rows[next++]);
  return out;
}

RecordedInstruction product_at(const LaneRows& rows, std::size_t next) {
  const MatrixForm form = form_of(rows[next++]);
  RecordedInstruction out{.instruction = {.form = form}, .values = {}};
  MatrixOperands& held = out.values.operands;
  held.a = take(rows, next, Fragment(form, MatrixRole::a).registers());
  held.b = take(rows, next, Fragment(form, MatrixRole::b).registers());
  held.c = take(rows, next, Fragment(form, MatrixRole::accumulator).registers());
  out.values.d = multiply(form, held);
  return out;
}

RecordedInstruction group_at(const LaneRows& rows, std::size_t next) {
  const GroupStep step = group_step(rows[next], rows[next + 1]);
  RecordedInstruction out{.instruction = {.operation = MatrixOperation::group,
                                          .form = step.form,
                                          .a_in_registers = step.a_in_registers},
                          .values = {},
                          .group = step};
  if (!step.has_values) return out;
  next += 2;
  const MatrixForm of_warp = form_of_warp(step.form);
  const auto registers = [&](MatrixRole role) { return Fragment(of_warp, role).registers(); };
  const int blocks = step.form.shape.n / 8;
  MatrixOperands& held = out.values.operands;
  held.a = take(rows, next, registers(MatrixRole::a));
  held.b = take(rows, next, blocks * registers(MatrixRole::b));
  held.c = take(rows, next, blocks * registers(MatrixRole::accumulator));
  out.values.d = multiply_group(step.form, held);
  return out;
}

RecordedInstruction move_at(const AccessInfo& access, const LaneRows& rows, std::size_t next) {
  RecordedInstruction out{.instruction = {.operation = access.op == AccessOp::store
                                                           ? MatrixOperation::store
                                                           : MatrixOperation::load,
                                          .form = {},
                                          .matrices = matrices_of(access.service),
                                          .transposed = access.transposed},
                          .values = {}};
  out.values.address = take(rows, next, 1).front();
  out.values.operands.a = take(rows, next, out.instruction.matrices);
  return out;
}

}  // namespace

std::optional<RecordedInstruction> recorded_instruction(const Picture& picture, std::uint32_t warp,
                                                        std::size_t step) {
  const WarpTrack* track = track_of(picture, warp);
  if (!track || step >= track->size() || !is_matrix_step(picture, *track, step))
    return std::nullopt;
  const KernelInfo& kernel = picture.kernel();
  const OpInfo& op = kernel.ops[track->op[step]];
  const LaneRows& rows = picture.trace()->rows;
  RecordedInstruction out =
      op.kind == StepKind::warp_op && op.access >= 0 ? group_at(rows, track->rows[step])
      : op.kind == StepKind::warp_op
          ? product_at(rows, track->rows[step])
          : move_at(kernel.accesses[static_cast<std::size_t>(op.access)], rows, track->rows[step]);
  out.values.recorded = true;
  out.step = step;
  return out;
}

std::optional<std::size_t> nearest_matrix_step(const Picture& picture, std::uint32_t warp,
                                               std::size_t step) {
  const WarpTrack* track = track_of(picture, warp);
  if (!track) return std::nullopt;
  for (std::size_t at = std::min(step + 1, track->size()); at-- > 0;)
    if (is_matrix_step(picture, *track, at)) return at;
  for (std::size_t at = step; at < track->size(); ++at)
    if (is_matrix_step(picture, *track, at)) return at;
  return std::nullopt;
}

}  // namespace lanescope::app
