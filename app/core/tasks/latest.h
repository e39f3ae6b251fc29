// A thread behind somebody who only cares for the newest: what is asked for last wins, what is older
// is stopped and its results are dropped.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <variant>

namespace lanescope::app {

/// Works requests off on a thread of its own, which starts with the first of them.
///
/// Every function may be called from any thread but the work's own, and none of them blocks for
/// longer than a few moves, but for `wait` and the destructor. What is guaranteed:
/// - After `submit` or `cancel` has returned, `take` gives nothing of what was asked for before.
/// - The last result of a request and `busy() == false` are seen together: who finds it done finds
///   its result.
/// - One request is worked on at a time; requests begin in the order in which they came.
/// `wake` is called from the thread, without a lock: after each result and when all is done.
/// The work must not throw. What it uses must outlive this; let it be the last member of its class.
template <class Request, class Result = std::monostate>
class Latest {
 public:
  /// The time that one request is worked on; what its work is given. Not to be kept.
  class Turn {
   public:
    /// Asked for by `cut_short`, by what is newer and by the destructor.
    [[nodiscard]] const std::stop_token& stop() const { return stop_; }
    /// What is known so far; it takes the place of what nobody has taken yet.
    void publish(Result result) const { of_->publish(std::move(result), ticket_); }

   private:
    friend class Latest;
    Turn(Latest* of, std::stop_token stop, std::uint64_t ticket)
        : of_(of), stop_(std::move(stop)), ticket_(ticket) {}

    Latest* of_;
    std::stop_token stop_;
    std::uint64_t ticket_;
  };
  /// Gives the last result, or none if all there is to say was published.
  using Work = std::function<std::optional<Result>(Request, const Turn&)>;

  explicit Latest(Work work, std::function<void()> wake = {})
      : work_(std::move(work)), wake_(std::move(wake)) {}
  /// Stops what is under way and waits for its end.
  ~Latest() {
    const std::lock_guard lock(mutex_);
    quit_ = true;
    drop();
    changed_.notify_all();
  }
  Latest(const Latest&) = delete;
  Latest& operator=(const Latest&) = delete;

  /// In place of everything before it.
  void submit(Request request) {
    const std::lock_guard lock(mutex_);
    drop();
    await(std::move(request));
  }

  /// After what is under way, which goes on and whose results count. If another one waits already,
  /// and was not cut short, `join` adds the new one to it.
  template <class Join>
  void add(Request request, Join join) {
    const std::lock_guard lock(mutex_);
    if (waiting_ && !waiting_->stop.stop_requested())
      join(waiting_->request, std::move(request));
    else
      await(std::move(request));
  }
  void add(Request request) {
    add(std::move(request), [](Request& waiting, Request&& more) { waiting = std::move(more); });
  }

  /// Stops and drops everything; at once there is nothing to take and nothing to wait for.
  void cancel() {
    const std::lock_guard lock(mutex_);
    drop();
    changed_.notify_all();
  }

  /// Asks what is under way to end early; its results count. One that waits begins like that.
  void cut_short() {
    const std::lock_guard lock(mutex_);
    stop_.request_stop();
    if (waiting_) waiting_->stop.request_stop();
  }

  /// The newest result, once.
  std::optional<Result> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(result_, std::nullopt);
  }

  /// Until everything asked for is done or cancelled.
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !waiting_ && !working_; });
  }

  [[nodiscard]] bool busy() const {
    const std::lock_guard lock(mutex_);
    return waiting_ || working_;
  }

 private:
  struct Waiting {
    Request request;
    std::stop_source stop = {};
  };

  // The following two need the lock.
  void drop() {
    ++ticket_;
    stop_.request_stop();
    waiting_.reset();
    result_.reset();
    working_ = false;
  }

  void await(Request request) {
    waiting_.emplace(Waiting{std::move(request)});
    if (!thread_.joinable()) thread_ = std::jthread([this] { loop(); });
    changed_.notify_all();
  }

  void loop() {
    while (true) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return quit_ || waiting_; });
      if (quit_) return;
      Request request = std::move(waiting_->request);
      stop_ = std::move(waiting_->stop);
      waiting_.reset();
      working_ = true;
      const Turn turn(this, stop_.get_token(), ticket_);
      lock.unlock();
      finish(work_(std::move(request), turn), turn.ticket_);
    }
  }

  void publish(Result result, std::uint64_t ticket) {
    {
      const std::lock_guard lock(mutex_);
      if (ticket != ticket_) return;
      result_ = std::move(result);
    }
    if (wake_) wake_();
  }

  void finish(std::optional<Result> last, std::uint64_t ticket) {
    {
      const std::lock_guard lock(mutex_);
      if (ticket != ticket_) return;
      if (last) result_ = std::move(last);
      working_ = false;
    }
    changed_.notify_all();
    if (wake_) wake_();
  }

  Work work_;
  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Waiting> waiting_;
  /// Of what is worked on
  std::stop_source stop_;
  std::optional<Result> result_;
  /// Changes when all that was asked for so far ceases to matter
  std::uint64_t ticket_ = 0;
  /// On something that matters
  bool working_ = false;
  bool quit_ = false;
  /// Last, so that everything it uses outlives it
  std::jthread thread_;
};

}  // namespace lanescope::app
