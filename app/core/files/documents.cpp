#include "core/files/documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <utility>

#include "core/files/settings_json.h"
#include "core/text/messages.h"
#include "core/text/text.h"
#include "core/text/text_file.h"

namespace lanescope::app {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::size_t kMostRecent = 12;
constexpr std::size_t kMostLaunches = 100;
constexpr const char* kRecentFile = "recent.json";
constexpr const char* kLaunchFile = "launches.json";

std::size_t hash_of(const std::string& text) { return std::hash<std::string>{}(text); }

json read_json(const std::string& folder, const char* name) {
  if (folder.empty()) return {};
  const TextFile file = read_text_file(folder + "/" + name);
  return json::parse(file.text, nullptr, false);  // what cannot be read is not remembered
}

Settings launch_of(const Settings& settings) {
  Settings launch = settings;
  launch.name.clear();
  launch.file.clear();
  launch.text.clear();
  launch.inspected_block = {0, 0, 0};
  return launch;
}

}  // namespace

Documents::Documents(const Catalog& catalog, UserFolders folders)
    : catalog_(catalog), folders_(std::move(folders)) {
  for (const json& path : read_json(folders_.settings, kRecentFile)) {
    if (path.is_string() && recent_.size() < kMostRecent) recent_.push_back(path);
  }
  const json launches = read_json(folders_.settings, kLaunchFile);
  if (!launches.is_object()) return;
  for (const auto& [path, launch] : launches.items()) {
    Settings settings;
    if (from_json(launch, settings).empty()) launches_[path] = std::move(settings);
  }
}

DocumentStatus Documents::status(const Settings& settings) const {
  DocumentStatus status;
  const CatalogEntry* entry = catalog_.find(settings.name);
  status.bundled = entry && entry->file == settings.file;
  status.name = status.bundled ? fs::path(settings.name).filename().string()
                               : fs::path(settings.file).filename().string();
  const auto known = known_.find(settings.file);
  const std::string* original = status.bundled          ? &entry->text
                                : known == known_.end() ? nullptr
                                                        : &known->second;
  status.edited = original && settings.text != *original;
  status.untitled = status.bundled || untitled_.count(settings.file) > 0;
  if (!status.untitled) status.path = settings.file;
  // A text from a session whose file is gone exists nowhere else.
  const bool nowhere = !original && !settings.text.empty();
  status.unsaved = (status.edited || nowhere) && saved_.count(hash_of(settings.text)) == 0;
  return status;
}

OpenResult Documents::open(const std::string& name_or_path) {
  const bool bundled = catalog_.find(name_or_path) != nullptr;
  OpenResult opened = open_kernel(catalog_, bundled ? name_or_path : absolute_path(name_or_path));
  if (!opened.settings) {
    const std::string path = absolute_path(name_or_path);
    if (std::erase(recent_, path) > 0) write_settings(kRecentFile, json(recent_).dump(1));
    return opened;
  }
  adopt(*opened.settings);
  if (!bundled) recall_launch(*opened.settings);
  return opened;
}

void Documents::adopt(const Settings& settings) {
  const CatalogEntry* entry = catalog_.find(settings.name);
  if (settings.file.empty() || (entry && entry->file == settings.file)) return;
  const TextFile file = read_text_file(settings.file);
  if (!file.diagnostics.empty()) return;
  known_[settings.file] = file.text;
  untitled_.erase(settings.file);
  add_recent(absolute_path(settings.file));
}

void Documents::kept(const std::string& text) { saved_.insert(hash_of(text)); }

Settings Documents::untitled(const std::string& text, const std::string& name) {
  Settings settings;
  settings.name = settings.file = name + ".cu";
  for (int number = 2; known_.count(settings.file) > 0; ++number)
    settings.name = settings.file = fmt::format("{}-{}.cu", name, number);
  settings.text = text;
  known_[settings.file] = text;
  untitled_.insert(settings.file);
  return settings;
}

Message Documents::save(Settings& settings, const std::string& path) {
  const std::string target = absolute_path(path);
  for (const CatalogEntry& entry : catalog_.entries) {
    std::error_code none;
    if (entry.file == target || fs::equivalent(entry.file, target, none))
      return say::place_of_bundled_kernel(entry.name);
  }
  if (Message wrong = write_text_file(target, settings.text); !wrong.empty()) return wrong;
  settings.name = settings.file = target;
  known_[target] = settings.text;
  untitled_.erase(target);
  saved_.insert(hash_of(settings.text));
  add_recent(target);
  return {};
}

std::optional<std::string> Documents::changed_on_disk(const Settings& settings) const {
  const auto known = known_.find(settings.file);
  if (known == known_.end() || untitled_.count(settings.file) > 0) return std::nullopt;
  TextFile file = read_text_file(settings.file);
  if (!file.diagnostics.empty() || file.text == known->second) return std::nullopt;
  return std::move(file.text);
}

void Documents::accept_disk(const std::string& file, const std::string& text) {
  known_[file] = text;
}

void Documents::add_recent(const std::string& path) {
  if (path.empty() || (!recent_.empty() && recent_.front() == path)) return;
  std::erase(recent_, path);
  recent_.insert(recent_.begin(), path);
  if (recent_.size() > kMostRecent) recent_.resize(kMostRecent);
  write_settings(kRecentFile, json(recent_).dump(1));
}

void Documents::write_settings(const std::string& name, const std::string& text) {
  if (folders_.settings.empty()) return;
  std::error_code none;
  fs::create_directories(folders_.settings, none);
  const Message wrong = write_text_file(folders_.settings + "/" + name, text, false);
  if (!wrong.empty() && !warned_) warning_ = wrong;
  warned_ |= !wrong.empty();
}

Message Documents::take_warning() { return std::exchange(warning_, {}); }

void Documents::remember_launch(const Settings& settings) {
  if (status(settings).untitled) return;
  Settings launch = launch_of(settings);
  const std::string path = absolute_path(settings.file);
  const auto old = launches_.find(path);
  if (launch == Settings{} ? old == launches_.end()
                           : old != launches_.end() && old->second == launch)
    return;
  if (launch == Settings{}) {
    launches_.erase(path);
  } else {
    launches_[path] = std::move(launch);
  }
  while (launches_.size() > kMostLaunches)
    launches_.erase(launches_.begin()->first == path ? std::next(launches_.begin())
                                                     : launches_.begin());
  json all = json::object();
  for (const auto& [file, settings_of] : launches_) all[file] = to_json(settings_of);
  write_settings(kLaunchFile, all.dump(1));
}

bool Documents::has_launch(const Settings& settings) const {
  return launches_.count(absolute_path(settings.file)) > 0;
}

void Documents::recall_launch(Settings& settings) const {
  const auto found = launches_.find(absolute_path(settings.file));
  if (found == launches_.end()) return;
  Settings recalled = found->second;
  recalled.name = settings.name;
  recalled.file = settings.file;
  recalled.text = settings.text;
  settings = std::move(recalled);
}

}  // namespace lanescope::app
