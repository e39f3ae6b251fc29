// For tests: random kernels as CUDA text, and the same kernel evaluated on the host thread by
// thread. The two share the tree and nothing else: no compiler, no lanes, no masks here.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "lanescope/types.h"

namespace lanescope {

inline constexpr std::uint32_t kVars = 4, kInputs = 8192, kMostTrips = 9;

struct RandomExpr;
using ExprPtr = std::unique_ptr<RandomExpr>;
struct RandomExpr {
  enum Kind {
    number,
    variable,
    thread,
    block_x,
    block_y,
    counter,
    unary,
    binary,
    choice,
    input,
    shared
  } kind{};
  /// Number; index of a variable, a counter or an operator
  std::uint32_t value = 0;
  ExprPtr a, b, c;
};

struct RandomStatement;
using StatementList = std::vector<std::unique_ptr<RandomStatement>>;
struct RandomStatement {
  enum Kind {
    assign,
    branch,
    loop,
    tested_last,
    exchange,
    uniform_loop,
    leave,
    skip,
    select
  } kind{};
  /// Variable assigned; trip count; counter index
  std::uint32_t target = 0;
  std::uint32_t op = 0;
  ExprPtr a, b;
  std::vector<StatementList> bodies;
};

/// The state of one thread on the host.
struct ThreadState {
  std::array<std::uint32_t, kVars> vars{};
  std::array<std::uint32_t, 16> counters{};
  std::uint32_t thread = 0, block_x = 0, block_y = 0;
};

class RandomKernel {
 public:
  /// `affine`: addresses and conditions depend on coordinates and counters alone.
  RandomKernel(std::uint32_t seed, bool affine) : random_(seed), affine_(affine) {
    const Dim3 shapes[] = {{32, 1, 1}, {40, 1, 1}, {16, 4, 1}, {33, 3, 1},
                           {8, 4, 2},  {7, 1, 1},  {64, 2, 1}};
    block = shapes[below(7)];
    grid = {1 + below(6), 1 + below(3), 1};
    body_ = block_level(3 + below(3), 0);
  }

  Dim3 grid, block;

  [[nodiscard]] std::string text() const {
    return "__global__ void k(const unsigned* in, unsigned* out) {\n"
           "  const unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + "
           "threadIdx.x, threads = blockDim.x * blockDim.y * blockDim.z;\n"
           "  const unsigned bx = blockIdx.x, by = blockIdx.y;\n"
           "  __shared__ unsigned s[1024];\n"
           "  unsigned v0 = t, v1 = bx + 1, v2 = 3, v3 = by;\n"
           "  s[t] = t * 7;\n  __syncthreads();\n" +
           list_text(body_, 1) +
           "  out[((by * gridDim.x + bx) * threads) + t] = v0 ^ v1 * 3 ^ v2 * 5 ^ v3 * 7;\n}\n";
  }

  [[nodiscard]] std::vector<std::uint32_t> evaluate(const std::vector<std::uint32_t>& in) {
    in_ = &in;
    std::vector<std::uint32_t> out;
    const auto threads = static_cast<std::uint32_t>(block.count());
    for (std::uint32_t by = 0; by < grid.y; ++by)
      for (std::uint32_t bx = 0; bx < grid.x; ++bx) {
        std::vector<ThreadState> all(threads);
        shared_.resize(threads);
        for (std::uint32_t t = 0; t < threads; ++t) {
          all[t].thread = t, all[t].block_x = bx, all[t].block_y = by;
          all[t].vars = {t, bx + 1, 3, by};
          shared_[t] = t * 7;
        }
        run_block(body_, all);
        for (const ThreadState& s : all)
          out.push_back(s.vars[0] ^ s.vars[1] * 3 ^ s.vars[2] * 5 ^ s.vars[3] * 7);
      }
    return out;
  }

 private:
  static constexpr const char* kUnary[] = {"~", "-", "__popc", "__clz", "!"};
  static constexpr std::uint32_t kBinaryCount = 17;

  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  ExprPtr make(RandomExpr::Kind kind, std::uint32_t value = 0, ExprPtr a = {}, ExprPtr b = {},
               ExprPtr c = {}) {
    return std::make_unique<RandomExpr>(
        RandomExpr{kind, value, std::move(a), std::move(b), std::move(c)});
  }

  // ---- making ----

  ExprPtr leaf(bool affine) {
    switch (below(affine ? 5 : 7)) {
    case 0:
      return make(RandomExpr::number,
                  below(4) == 0 ? static_cast<std::uint32_t>(random_()) : below(40));
    case 1:
      return make(RandomExpr::thread);
    case 2:
      return make(RandomExpr::block_x);
    case 3:
      return make(RandomExpr::block_y);
    case 4:
      return depth_ != 0 ? make(RandomExpr::counter, below(depth_))
                         : make(RandomExpr::number, below(9));
    default:
      return make(RandomExpr::variable, below(kVars));
    }
  }
  // Sums of coordinates times small numbers: what an index usually is.
  ExprPtr affine_expression() {
    ExprPtr sum = make(RandomExpr::number, below(64));
    for (std::uint32_t terms = 1 + below(3); terms > 0; --terms) {
      ExprPtr term = leaf(true);
      while (term->kind == RandomExpr::number) term = make(RandomExpr::thread);
      sum = make(
          RandomExpr::binary, 0, std::move(sum),
          make(RandomExpr::binary, 2, std::move(term), make(RandomExpr::number, 1 + below(20))));
    }
    return sum;
  }
  ExprPtr index() { return affine_ ? affine_expression() : expression(2); }
  // In an affine kernel a shared index is any function of the thread, the same in every block.
  ExprPtr shared_index() {
    if (!affine_) return expression(2);
    return make(
        RandomExpr::binary, 5 * below(2),
        make(RandomExpr::binary, 2, make(RandomExpr::thread), make(RandomExpr::number, below(30))),
        make(RandomExpr::number, below(64)));
  }
  ExprPtr condition() {
    if (!affine_) return expression(3);
    return make(RandomExpr::binary, 12 + below(2), affine_expression(),
                make(RandomExpr::number, below(200)));
  }
  ExprPtr expression(std::uint32_t depth) {
    if (depth == 0 || below(6) == 0) return leaf(false);
    switch (below(10)) {
    case 0:
      return make(RandomExpr::unary, below(5), expression(depth - 1));
    case 1:
      return make(RandomExpr::choice, 0, affine_ ? condition() : expression(depth - 1),
                  expression(depth - 1), expression(depth - 1));
    case 2:
      return make(RandomExpr::input, affine_, index());
    case 3:
      return make(RandomExpr::shared, 0, shared_index());
    default:
      return make(RandomExpr::binary, below(kBinaryCount), expression(depth - 1),
                  expression(depth - 1));
    }
  }
  std::unique_ptr<RandomStatement> statement(RandomStatement::Kind kind) {
    auto s = std::make_unique<RandomStatement>();
    s->kind = kind;
    return s;
  }
  std::unique_ptr<RandomStatement> assignment() {
    auto s = statement(RandomStatement::assign);
    s->target = below(kVars), s->op = below(4), s->a = expression(3);
    return s;
  }
  StatementList thread_level(std::uint32_t count, std::uint32_t nesting, bool in_loop) {
    StatementList list;
    for (; count > 0; --count) {
      const std::uint32_t pick = nesting >= 3 ? 9 : below(10);
      if (pick < 2) {
        auto s = statement(RandomStatement::branch);
        s->a = condition();
        s->bodies.push_back(thread_level(1 + below(2), nesting + 1, in_loop));
        if (below(2) != 0) s->bodies.push_back(thread_level(1 + below(2), nesting + 1, in_loop));
        list.push_back(std::move(s));
      } else if (pick < 4 && depth_ < 6) {
        auto s = statement(below(3) == 0 ? RandomStatement::tested_last : RandomStatement::loop);
        s->target = depth_;
        // Affine kernels may loop a number of times that depends on coordinates, not on data.
        s->a = affine_ ? affine_expression() : expression(2);
        s->op = 1 + below(7);
        ++depth_;
        s->bodies.push_back(thread_level(1 + below(3), nesting + 1, true));
        --depth_;
        list.push_back(std::move(s));
      } else if (pick == 4) {
        auto s = statement(RandomStatement::select);
        s->a = index();
        for (int i = 0; i < 4; ++i) s->bodies.push_back(thread_level(1, nesting + 1, in_loop));
        s->op = below(16);  // bit i: case i falls through
        list.push_back(std::move(s));
      } else if (pick == 5 && in_loop) {
        auto s = statement(below(2) == 0 ? RandomStatement::leave : RandomStatement::skip);
        s->a = condition();
        list.push_back(std::move(s));
      } else {
        list.push_back(assignment());
      }
    }
    return list;
  }
  StatementList block_level(std::uint32_t count, std::uint32_t nesting) {
    StatementList list;
    for (; count > 0; --count) {
      const std::uint32_t pick = below(6);
      if (pick == 0) {
        auto s = statement(RandomStatement::exchange);
        s->target = below(kVars), s->a = expression(3), s->b = shared_index();
        list.push_back(std::move(s));
      } else if (pick == 1 && nesting < 2) {
        auto s = statement(RandomStatement::uniform_loop);
        s->op = 1 + below(4), s->target = depth_++;
        s->bodies.push_back(block_level(1 + below(3), nesting + 1));
        --depth_;
        list.push_back(std::move(s));
      } else {
        for (auto& s : thread_level(1, 0, false)) list.push_back(std::move(s));
      }
    }
    return list;
  }

  // ---- as CUDA ----

  static std::string binary_text(std::uint32_t op, const std::string& a, const std::string& b) {
    switch (op) {
    case 0:
      return "(" + a + " + " + b + ")";
    case 1:
      return "(" + a + " - " + b + ")";
    case 2:
      return "(" + a + " * " + b + ")";
    case 3:
      return "(" + a + " & " + b + ")";
    case 4:
      return "(" + a + " | " + b + ")";
    case 5:
      return "(" + a + " ^ " + b + ")";
    case 6:
      return "(" + a + " << (" + b + " & 31))";
    case 7:
      return "(" + a + " >> (" + b + " & 31))";
    case 8:
      return "(" + a + " / (" + b + " | 1))";
    case 9:
      return "(" + a + " % (" + b + " | 1))";
    case 10:
      return "min(" + a + ", " + b + ")";
    case 11:
      return "max(" + a + ", " + b + ")";
    case 12:
      return "(unsigned)(" + a + " < " + b + ")";
    case 13:
      return "(unsigned)((int)" + a + " >= (int)" + b + ")";
    case 14:
      return "(unsigned)(" + a + " == (" + b + " & 15) || " + b + " > 1000)";
    case 15:
      return "(unsigned)((unsigned long long)" + a + " * " + b + " >> 13)";
    default:
      return "(unsigned)((int)" + a + " / (int)((" + b + " & 15) + 1))";
    }
  }
  static std::string text_of(const RandomExpr& e) {
    switch (e.kind) {
    case RandomExpr::number:
      return std::to_string(e.value) + "u";
    case RandomExpr::variable:
      return "v" + std::to_string(e.value);
    case RandomExpr::thread:
      return "t";
    case RandomExpr::block_x:
      return "bx";
    case RandomExpr::block_y:
      return "by";
    case RandomExpr::counter:
      return "i" + std::to_string(e.value);
    case RandomExpr::unary:
      return "((unsigned)" + std::string(kUnary[e.value]) + "(" + text_of(*e.a) + "))";
    case RandomExpr::binary:
      return "(" + binary_text(e.value, text_of(*e.a), text_of(*e.b)) + ")";
    case RandomExpr::choice:
      return "(" + text_of(*e.a) + " ? " + text_of(*e.b) + " : " + text_of(*e.c) + ")";
    case RandomExpr::input:
      return "in[" + text_of(*e.a) + (e.value != 0 ? "]" : " % " + std::to_string(kInputs) + "u]");
    default:
      return "s[" + text_of(*e.a) + " % threads]";
    }
  }
  static std::string list_text(const StatementList& list, std::size_t indent) {
    std::string text;
    for (const auto& s : list) text += statement_text(*s, std::string(2 * indent, ' '), indent);
    return text;
  }
  static std::string statement_text(const RandomStatement& s, const std::string& pad,
                                    std::size_t indent) {
    static const char* const kAssign[] = {" = ", " += ", " ^= ", " -= "};
    const std::string i = "i" + std::to_string(s.target), v = "v" + std::to_string(s.target);
    const auto body = [&](std::size_t n) {
      return "{\n" + list_text(s.bodies[n], indent + 1) + pad + "}";
    };
    switch (s.kind) {
    case RandomStatement::assign:
      return pad + v + kAssign[s.op] + text_of(*s.a) + ";\n";
    case RandomStatement::branch:
      return pad + "if (" + text_of(*s.a) + ") " + body(0) +
             (s.bodies.size() > 1 ? " else " + body(1) : "") + "\n";
    case RandomStatement::loop:
      return pad + "for (unsigned " + i + " = 0; " + i + " < " + text_of(*s.a) + " % " +
             std::to_string(s.op + 1) + "u; ++" + i + ") " + body(0) + "\n";
    case RandomStatement::tested_last:
      return pad + "for (unsigned " + i + " = 0; " + i + " < " + std::to_string(kMostTrips) +
             "; ++" + i + ") {\n" + list_text(s.bodies[0], indent + 1) + pad + "  if (" + i +
             " >= " + text_of(*s.a) + " % " + std::to_string(s.op + 1) + "u) break;\n" + pad +
             "}\n";
    case RandomStatement::exchange:  // everything is read before anything is written
      return pad + "{ unsigned e = " + text_of(*s.a) + "; __syncthreads(); s[t] = e; }\n" + pad +
             "__syncthreads();\n" + pad + v + " = s[" + text_of(*s.b) + " % threads];\n";
    case RandomStatement::uniform_loop:
      return pad + "for (unsigned " + i + " = 0; " + i + " < " + std::to_string(s.op) + "; ++" + i +
             ") " + body(0) + "\n";
    case RandomStatement::leave:
      return pad + "if (" + text_of(*s.a) + ") break;\n";
    case RandomStatement::skip:
      return pad + "if (" + text_of(*s.a) + ") continue;\n";
    default:
      break;
    }
    std::string text = pad + "switch (" + text_of(*s.a) + " % 4u) {\n";
    for (std::size_t n = 0; n < 4; ++n) {
      text += pad + (n == 3 ? "default: " : "case " + std::to_string(n) + "u: ") + body(n) +
              (s.op >> n & 1 ? "" : " break;") + "\n";
    }
    return text + pad + "}\n";
  }

  // ---- on the host ----

  static std::uint32_t binary_value(std::uint32_t op, std::uint32_t a, std::uint32_t b) {
    const auto sa = static_cast<std::int32_t>(a), sb = static_cast<std::int32_t>(b);
    switch (op) {
    case 0:
      return a + b;
    case 1:
      return a - b;
    case 2:
      return a * b;
    case 3:
      return a & b;
    case 4:
      return a | b;
    case 5:
      return a ^ b;
    case 6:
      return a << (b & 31);
    case 7:
      return a >> (b & 31);
    case 8:
      return a / (b | 1);
    case 9:
      return a % (b | 1);
    case 10:
      return std::min(a, b);
    case 11:
      return std::max(a, b);
    case 12:
      return a < b;
    case 13:
      return sa >= sb;
    case 14:
      return a == (b & 15) || b > 1000;
    case 15:
      return static_cast<std::uint32_t>(std::uint64_t{a} * b >> 13);
    default:
      return static_cast<std::uint32_t>(sa / static_cast<std::int32_t>((b & 15) + 1));
    }
  }
  [[nodiscard]] std::uint32_t value(const RandomExpr& e, const ThreadState& s) const {
    switch (e.kind) {
    case RandomExpr::number:
      return e.value;
    case RandomExpr::variable:
      return s.vars[e.value];
    case RandomExpr::thread:
      return s.thread;
    case RandomExpr::block_x:
      return s.block_x;
    case RandomExpr::block_y:
      return s.block_y;
    case RandomExpr::counter:
      return s.counters[e.value];
    case RandomExpr::binary:
      return binary_value(e.value, value(*e.a, s), value(*e.b, s));
    case RandomExpr::choice:
      return value(*e.a, s) != 0 ? value(*e.b, s) : value(*e.c, s);
    case RandomExpr::input:
      return (*in_)[value(*e.a, s) % kInputs];
    case RandomExpr::shared:
      return shared_[value(*e.a, s) % shared_.size()];
    default:
      break;
    }
    const std::uint32_t a = value(*e.a, s);
    switch (e.value) {
    case 0:
      return ~a;
    case 1:
      return 0 - a;
    case 2:
      return static_cast<std::uint32_t>(std::popcount(a));
    case 3:
      return static_cast<std::uint32_t>(std::countl_zero(a));
    default:
      return a == 0;
    }
  }

  enum class Flow { on, leave, skip };

  Flow run_thread(const StatementList& list, ThreadState& state) {
    for (const auto& s : list)
      if (const Flow flow = run_statement(*s, state); flow != Flow::on) return flow;
    return Flow::on;
  }
  Flow run_statement(const RandomStatement& s, ThreadState& state) {
    switch (s.kind) {
    case RandomStatement::assign: {
      const std::uint32_t v = value(*s.a, state);
      std::uint32_t& to = state.vars[s.target];
      to = s.op == 0 ? v : s.op == 1 ? to + v : s.op == 2 ? to ^ v : to - v;
      return Flow::on;
    }
    case RandomStatement::branch:
      if (value(*s.a, state) != 0) return run_thread(s.bodies[0], state);
      return s.bodies.size() > 1 ? run_thread(s.bodies[1], state) : Flow::on;
    case RandomStatement::loop:
    case RandomStatement::tested_last: {
      const bool test_first = s.kind == RandomStatement::loop;
      std::uint32_t& i = state.counters[s.target];
      for (i = 0; test_first || i < kMostTrips; ++i) {
        if (test_first && i >= value(*s.a, state) % (s.op + 1)) break;
        const Flow flow = run_thread(s.bodies[0], state);
        if (flow == Flow::leave) break;
        if (flow == Flow::skip) continue;
        if (!test_first && i >= value(*s.a, state) % (s.op + 1)) break;
      }
      return Flow::on;
    }
    case RandomStatement::leave:
      return value(*s.a, state) != 0 ? Flow::leave : Flow::on;
    case RandomStatement::skip:
      return value(*s.a, state) != 0 ? Flow::skip : Flow::on;
    case RandomStatement::select: {
      for (std::size_t n = value(*s.a, state) % 4; n < 4; ++n) {
        const Flow flow = run_thread(s.bodies[n], state);
        if (flow == Flow::skip) return flow;
        if (flow == Flow::leave || (s.op >> n & 1) == 0) return Flow::on;
      }
      return Flow::on;
    }
    default:
      return Flow::on;
    }
  }
  /// Statements that every thread of the block reaches together: barriers are between one loop over
  /// threads and the next.
  void run_block(const StatementList& list, std::vector<ThreadState>& all) {
    for (const auto& s : list) {
      if (s->kind == RandomStatement::uniform_loop) {
        for (std::uint32_t i = 0; i < s->op; ++i) {
          for (ThreadState& state : all) state.counters[s->target] = i;
          run_block(s->bodies[0], all);
        }
      } else if (s->kind == RandomStatement::exchange) {
        std::vector<std::uint32_t> stored;
        for (const ThreadState& state : all) stored.push_back(value(*s->a, state));
        shared_ = stored;
        for (ThreadState& state : all)
          state.vars[s->target] = shared_[value(*s->b, state) % shared_.size()];
      } else {
        for (ThreadState& state : all) run_statement(*s, state);
      }
    }
  }

  std::mt19937 random_;
  bool affine_;
  /// Counters in scope
  std::uint32_t depth_ = 0;
  StatementList body_;
  const std::vector<std::uint32_t>* in_ = nullptr;
  std::vector<std::uint32_t> shared_;
};

}  // namespace lanescope
