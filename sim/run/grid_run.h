// One launch, whose arguments have been checked, run for one request.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "check/checker.h"
#include "compiled/compiled_forms.h"
#include "execute/block.h"
#include "execute/recorder.h"
#include "lanescope/run.h"
#include "lower/flat.h"
#include "prove/classes.h"
#include "run/block_list.h"
#include "run/residents.h"

namespace lanescope {

/// Of a cluster's blocks, by rank; and the recorders of those that are recorded.
struct ClusterMachines {
  std::vector<std::unique_ptr<Machine>> machines;
  std::vector<std::unique_ptr<Recorder>> recorders;
};

/// Answers one request; then it is used up.
class GridRun {
 public:
  GridRun(const FlatProgram& program, const Launch& launch, GlobalMemory& memory,
          const RunControl& control);

  RunResult inspect(const InspectRequest& request);
  /// The strategy in one place: a proof from classes of blocks; without one every block, if
  /// possible without data.
  RunResult count(const CountRequest& request);
  RunResult execute(const ExecuteRequest& request);
  WriterResult find_writer(const FindWriterRequest& request);

 private:
  /// The counts from classes of blocks, if that is proved to be exact: then the first and the last
  /// block of each.
  std::optional<std::vector<Dim3>> count_classes();
  void check_sample(std::vector<Dim3> sample, bool proved);
  bool can_leave_out_data(const CountRequest& request) const;

  /// Every block of the list: side by side where that cannot show, else in order.
  void run_blocks(unsigned threads, bool checks);
  unsigned workers(unsigned wanted) const;
  void run_parallel(unsigned workers);
  void work();
  void run_in_order(bool checks);
  void run_in_order(Checker* checker);
  /// `run_block` gives a BlockOutcome and reports it; the first that fails ends the loop.
  template <class RunBlock>
  void each_in_order(Checker* checker, RunBlock run_block);
  /// Do the blocks wait for one another?
  [[nodiscard]] bool together() const {
    return waits_ || (launch_.cooperative && program_.meets_grid);
  }
  /// The block that has stopped waits for others, which can be there at once: from here on they are.
  bool start_together(const BlockRunner& runner, const Machine& machine);
  /// The block that has stopped waits for others, and what it has done cannot be done again: it goes on when
  /// they have ended, or wait too.
  bool can_be_parked(const BlockRunner& runner, const Machine& machine, std::size_t parked) const;
  /// All others have ended, or one has failed.
  void end_parked(std::vector<Resident>& parked, const Machine& machine);
  /// Every block of the list in turn, each until it ends or waits for the grid; in order within it.
  void run_together(Checker* checker);
  /// The whole grid so, with these blocks recorded.
  void inspect_together(const std::vector<Dim3>& blocks, std::size_t trace_bytes);
  bool fits_together(const Machine& machine);
  [[nodiscard]] bool in_clusters() const { return program_.cluster.count() > 1; }
  /// Cluster after cluster, the blocks of each together, on one worker. `checker` may be null: it is told of the first,
  /// and of the others until the first block of each has executed `watched` instructions of warps. With `inspected`
  /// those clusters that hold its blocks, which are recorded.
  void run_clusters(Checker* checker, std::uint64_t watched, const InspectRequest* inspected);
  void check_clusters(bool checks, std::uint64_t watched, const InspectRequest* inspected);
  [[nodiscard]] bool can_be_clustered();
  /// A machine for each block, that sees all the others' shared memory.
  ClusterMachines machines_for(const std::vector<Dim3>& blocks, const Launch& launch,
                               const InspectRequest* inspected);
  /// False, and reported, when one fails.
  bool run_cluster(const std::vector<Dim3>& blocks, const ClusterMachines& all, Checker* checker);
  BlockOutcome record(Dim3 block, Checker* checker, std::size_t trace_bytes);

  Machine machine_for(const FlatCode& code);
  /// A runner of unobserved blocks: machine code, if there is any, or it is wanted at once.
  BlockRunner runner_for(Machine& machine);
  /// Between blocks: machine code takes over once there is some; it is made as soon as it pays.
  void take_over(Machine& machine, BlockRunner& runner, std::uint64_t done);
  void use_compiled(Machine& machine, BlockRunner& runner,
                    const std::shared_ptr<const CompiledKernel>& kernel);
  void report(const Machine& machine, const BlockOutcome& outcome, Dim3 block);
  void report_findings(Checker& checker);
  void tell(Diagnostic found);
  void report_tolerated(Machine& machine);
  void reset_memory();
  void start_over();
  RunResult finish();

  [[nodiscard]] bool stopped() const { return control_.stop.stop_requested(); }
  [[nodiscard]] std::uint64_t budget() const;

  /// What the workers share.
  struct Shared {
    std::atomic<std::uint64_t> next{0}, done{0};
    std::atomic<bool> failed{false};
    std::mutex mutex;
  };

  const FlatProgram& program_;
  const Launch& launch_;
  GlobalMemory& memory_;
  const RunControl& control_;
  BlockList list_;
  /// Of the module: constants and device variables, as the kernel left them
  std::vector<std::byte> image_;
  RunResult result_;
  Shared shared_;
  /// A block has been seen to wait for another; blocks have run unwatched since
  bool waits_ = false, looked_away_ = false;
  /// Keeps alive what machines run
  std::shared_ptr<const CompiledKernel> compiled_;
  /// Of the blocks that are executed; and when the interpreter's time was last told
  std::chrono::steady_clock::time_point start_, told_;
};

}  // namespace lanescope
