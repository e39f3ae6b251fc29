// Ends a compilation that would take for ever, or that nobody wants any more.
#pragma once

#include <clang/Basic/SourceLocation.h>

#include <cstdint>
#include <stop_token>
#include <string>

namespace clang {
class CompilerInstance;
}

namespace lanescope {

/// Counts what no depth limit stops: template instantiations, macro expansions and tokens may
/// double at every level. Past a limit, or when stopped, an error is reported, and Clang comes to
/// its end quickly and in order. For a compiler that has its Sema; must outlive the parsing.
class CompileLimits {
 public:
  CompileLimits(clang::CompilerInstance& compiler, std::stop_token stop);
  ~CompileLimits();
  CompileLimits(const CompileLimits&) = delete;
  CompileLimits& operator=(const CompileLimits&) = delete;

  void instantiation(clang::SourceLocation at);
  void reuse(clang::SourceLocation at);
  /// `size`: tokens that its arguments will take.
  void expansion(clang::SourceLocation at, std::uint64_t size);
  void token(clang::SourceLocation at);

 private:
  void count(unsigned& counter, unsigned most, const char* what, clang::SourceLocation at);
  void end(clang::SourceLocation at, const std::string& why);

  clang::CompilerInstance& compiler_;
  std::stop_token stop_;
  unsigned instantiations_ = 0, reuses_ = 0, expansions_ = 0, tokens_ = 0;
  bool ended_ = false;
};

}  // namespace lanescope
