#include "core/kernel/compile_request.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <list>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include "core/text/text_file.h"

namespace lanescope::app {
namespace {

/// Differs wherever what is compiled could.
std::string key_of(const CompileRequest& request) {
  std::string key;
  const auto add = [&key](const std::string& part) {
    key += fmt::format("{}:{}", part.size(), part);
  };
  for (const std::string& one : {request.file, request.text, request.standard, request.kernel})
    add(one);
  key += 'I';
  for (const std::string& folder : request.include_folders) add(folder);
  key += 'D';
  for (const MacroDefinition& macro : request.macros) add(macro.name), add(macro.value);
  key += '=';
  for (const ConstantExpression& expression : request.expressions)
    add(expression.name), add(expression.text);
  return key;
}

CompiledText compile_now(const CompileRequest& request) {
  CompiledText done;
  const auto start = std::chrono::steady_clock::now();
  done.result = compile(request);
  done.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return done;
}

/// Newest first. Who compiles leaves an entry without a text, which others wait at.
class CompiledTexts {
 public:
  CompiledText get(const CompileRequest& request) {
    const std::string key = key_of(request);
    std::unique_lock lock(mutex_);
    for (auto found = find(key); found != entries_.end(); found = find(key)) {
      entries_.splice(entries_.begin(), entries_, found);
      if (found->text) return *found->text;
      if (!changed_.wait(lock, request.stop, [&] { return !is_compiling(key); })) break;
    }
    const bool stopped = is_compiling(key);
    const auto entry = stopped ? entries_.end() : entries_.insert(entries_.begin(), {key, {}});
    lock.unlock();
    CompiledText done = compile_now(request);
    if (stopped) return done;  // which says so
    lock.lock();
    if (done.result.program && !done.result.read_files)
      entry->text = done;
    else
      entries_.erase(entry);
    drop_oldest();
    changed_.notify_all();
    return done;
  }

 private:
  static constexpr std::size_t kMost = 48;

  struct Entry {
    std::string key;
    std::optional<CompiledText> text;
  };
  using Entries = std::list<Entry>;

  Entries::iterator find(const std::string& key) {
    return std::find_if(entries_.begin(), entries_.end(),
                        [&](const Entry& entry) { return entry.key == key; });
  }
  bool is_compiling(const std::string& key) {
    const auto found = find(key);
    return found != entries_.end() && !found->text;
  }
  void drop_oldest() {
    for (auto entry = entries_.end(); entries_.size() > kMost && entry != entries_.begin();)
      if ((--entry)->text) entry = entries_.erase(entry);
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  Entries entries_;
};

}  // namespace

const std::vector<std::string>& language_standards() {
  static const std::vector<std::string> kStandards{"c++11",   "c++14",   "c++17",   "c++20",
                                                   "c++23",   "gnu++11", "gnu++14", "gnu++17",
                                                   "gnu++20", "gnu++23"};
  return kStandards;
}

MacroDefinition macro_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return {text, "1"};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

CompileFlags merged(const CompileFlags& chosen, const CompileFlags& front_matter,
                    const std::string& file) {
  CompileFlags all = chosen;
  const std::filesystem::path own = std::filesystem::path(file).parent_path();
  for (const std::string& folder : front_matter.include_folders)
    all.include_folders.push_back((own / folder).string());
  all.macros.insert(front_matter.macros.begin(), front_matter.macros.end());
  if (all.standard.empty()) all.standard = front_matter.standard;
  return all;
}

CompileRequest compile_request(const Settings& settings, const FrontMatter& front_matter,
                               const std::map<std::string, std::string>& parameters,
                               std::stop_token stop) {
  CompileRequest request;
  request.stop = std::move(stop);
  request.file = settings.file;
  request.text = settings.text;
  request.kept_folder = cache_folder();
  const CompileFlags flags = merged(settings.compile, front_matter.compile, settings.file);
  request.include_folders = flags.include_folders;
  if (!flags.standard.empty()) request.standard = flags.standard;
  for (const auto& [name, value] : parameters) request.macros.push_back({name, value});
  // A tunable parameter has been given its value already.
  for (const auto& [name, value] : flags.macros)
    if (!parameters.contains(name)) request.macros.push_back({name, value});
  return request;
}

CompiledText compile_once(const CompileRequest& request) {
  static CompiledTexts texts;
  return texts.get(request);
}

}  // namespace lanescope::app
