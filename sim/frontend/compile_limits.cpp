#include "frontend/compile_limits.h"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/MacroArgs.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/TemplateInstCallback.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace lanescope {
namespace {

constexpr unsigned kMostInstantiations = 50'000, kMostExpansions = 200'000, kMostTokens = 2'000'000,
                   kMostReuses = 2'000'000;
constexpr unsigned kAskEvery = 256;  // events; asking whether to stop is not free

class InstantiationCount : public clang::TemplateInstantiationCallback {
 public:
  explicit InstantiationCount(CompileLimits& limits) : limits_(limits) {}
  void initialize(const clang::Sema&) override {}
  void finalize(const clang::Sema&) override {}
  void atTemplateEnd(const clang::Sema&, const clang::Sema::CodeSynthesisContext&) override {}
  void atTemplateBegin(const clang::Sema&,
                       const clang::Sema::CodeSynthesisContext& context) override {
    // Finding that a class is complete is no instantiation; one operator of a class that converts to
    // every number asks for it a thousand times.
    if (context.Kind == clang::Sema::CodeSynthesisContext::Memoization)
      limits_.reuse(context.PointOfInstantiation);
    else
      limits_.instantiation(context.PointOfInstantiation);
  }

 private:
  CompileLimits& limits_;
};

std::string too_many(unsigned most, const char* what) {
  return fmt::format("more than {} {}", most, what);
}

// How often a macro repeats one of its arguments at most.
unsigned most_uses(const clang::MacroInfo& macro) {
  unsigned most = 0;
  for (const clang::IdentifierInfo* parameter : macro.params()) {
    const auto uses =
        std::count_if(macro.tokens_begin(), macro.tokens_end(), [&](const clang::Token& token) {
          return token.getIdentifierInfo() == parameter;
        });
    most = std::max(most, static_cast<unsigned>(uses));
  }
  return most;
}

// Arguments are expanded before anything of the call is seen: D(D(D(x))) is known only by its size.
class ExpansionCount : public clang::PPCallbacks {
 public:
  ExpansionCount(CompileLimits& limits, clang::Preprocessor& preprocessor)
      : limits_(limits), preprocessor_(preprocessor) {}
  void MacroExpands(const clang::Token& name, const clang::MacroDefinition& definition,
                    clang::SourceRange, const clang::MacroArgs* arguments) override {
    std::uint64_t size = 0;
    for (unsigned i = 0; arguments != nullptr && i < arguments->getNumMacroArguments(); ++i)
      size = std::max(size, size_of(arguments->getUnexpArgument(i)));
    limits_.expansion(name.getLocation(),
                      arguments != nullptr ? size * most_uses(*definition.getMacroInfo()) : 0);
  }

 private:
  static constexpr std::uint64_t kEnough = std::uint64_t{1} << 32;
  struct Open {
    std::uint64_t times, size;
  };

  // Tokens that an argument may become, up to `kEnough`.
  std::uint64_t size_of(const clang::Token* at) {
    std::vector<Open> open{{1, 0}};
    std::uint64_t times = 1;
    for (; at->isNot(clang::tok::eof); ++at) {
      if (at->is(clang::tok::l_paren)) {
        open.push_back({times, 0});
      } else if (at->is(clang::tok::r_paren) && open.size() > 1) {
        const Open done = open.back();
        open.pop_back();
        open.back().size = std::min(kEnough, open.back().size + done.times * done.size + 2);
      }
      open.back().size = std::min(kEnough, open.back().size + 1);
      const clang::IdentifierInfo* word = at->getIdentifierInfo();
      const clang::MacroInfo* macro = word != nullptr && word->hasMacroDefinition()
                                          ? preprocessor_.getMacroInfo(word)
                                          : nullptr;
      times = macro != nullptr && macro->isFunctionLike() ? std::max(1u, most_uses(*macro)) : 1;
    }
    return open.front().size;
  }

  CompileLimits& limits_;
  clang::Preprocessor& preprocessor_;
};

}  // namespace

CompileLimits::CompileLimits(clang::CompilerInstance& compiler, std::stop_token stop)
    : compiler_(compiler), stop_(std::move(stop)) {
  compiler.getSema().TemplateInstCallbacks.push_back(std::make_unique<InstantiationCount>(*this));
  clang::Preprocessor& preprocessor = compiler.getPreprocessor();
  preprocessor.addPPCallbacks(std::make_unique<ExpansionCount>(*this, preprocessor));
  preprocessor.setTokenWatcher(
      [this](const clang::Token& token) { this->token(token.getLocation()); });
}

CompileLimits::~CompileLimits() {
  if (compiler_.hasPreprocessor()) compiler_.getPreprocessor().setTokenWatcher(nullptr);
}

void CompileLimits::instantiation(clang::SourceLocation at) {
  count(instantiations_, kMostInstantiations, "template instantiations", at);
}
void CompileLimits::reuse(clang::SourceLocation at) {
  count(reuses_, kMostReuses, "uses of classes", at);
}
void CompileLimits::expansion(clang::SourceLocation at, std::uint64_t size) {
  if (size > kMostTokens && !ended_) return end(at, too_many(kMostTokens, "tokens"));
  count(expansions_, kMostExpansions, "macro expansions", at);
}
void CompileLimits::token(clang::SourceLocation at) { count(tokens_, kMostTokens, "tokens", at); }

void CompileLimits::count(unsigned& counter, unsigned most, const char* what,
                          clang::SourceLocation at) {
  ++counter;
  if (ended_) return;
  if (counter > most)
    end(at, too_many(most, what));
  else if (counter % kAskEvery == 0 && stop_.stop_requested())
    end(at, "cancelled");
}

void CompileLimits::end(clang::SourceLocation at, const std::string& why) {
  ended_ = true;
  clang::DiagnosticsEngine& engine = compiler_.getDiagnostics();
  engine.Report(at, engine.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0")) << why;
  // Only a fatal error of Clang's own makes every further instantiation invalid.
  engine.Report(at, clang::diag::fatal_too_many_errors);
  compiler_.getPreprocessor().SetMacroExpansionOnlyInDirectives();
}

}  // namespace lanescope
