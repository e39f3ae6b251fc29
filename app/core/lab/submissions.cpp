#include "core/lab/submissions.h"

#include <algorithm>
#include <filesystem>

#include "core/lab/lab_messages.h"
#include "core/text/text.h"
#include "core/text/text_file.h"

namespace lanescope::app {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostNamed = 4;  // of a folder's files, in a message

bool is_text(const fs::path& path) { return path.extension() == ".cu"; }
bool is_hidden(const fs::path& path) { return path.filename().string().starts_with("."); }

// Where it really is, links followed.
bool lies_in(const fs::path& path, const fs::path& folder) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  const fs::path below = fs::canonical(folder, error);
  if (error) return false;
  const auto [at, end] = std::mismatch(below.begin(), below.end(), real.begin(), real.end());
  return at == below.end();
}

std::vector<fs::path> sorted_entries(const fs::path& folder, std::error_code& error) {
  std::vector<fs::path> entries;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (!is_hidden(it->path())) entries.push_back(it->path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

void choose_text(Submission& submission, const fs::path& folder, const std::string& preferred) {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::path& path : sorted_entries(folder, error))
    if (is_text(path)) names.push_back(path.filename().string());
  const bool several = names.size() > 1;
  if (several && std::find(names.begin(), names.end(), preferred) != names.end())
    names = {preferred};
  if (names.empty()) submission.problem = say::folder_without_text;
  if (names.size() == 1) submission.file = (folder / names.front()).string();
  if (names.size() < 2) return;
  names.resize(std::min(names.size(), kMostNamed));
  submission.problem = say::folder_with_several(preferred, say::listed(names));
}

Submission submission_of(const fs::path& path, const fs::path& root, const std::string& preferred) {
  std::error_code error;
  Submission submission;
  submission.own_folder = fs::is_directory(path, error);
  submission.student = submission.own_folder ? path.filename().string() : path.stem().string();
  if (!submission.own_folder) submission.file = path.string();
  if (!lies_in(path, root)) {
    submission.problem = say::link_leads_out;
  } else if (submission.own_folder) {
    choose_text(submission, path, preferred);
  }
  // A link from one student's folder into another's leads out as well.
  if (!submission.file.empty() && !lies_in(submission.file, submission.own_folder ? path : root))
    submission.problem = say::link_leads_out;
  if (!submission.problem.empty()) submission.file.clear();
  return submission;
}

}  // namespace

Submissions find_submissions(const std::string& folder, const std::string& preferred) {
  Submissions found;
  const fs::path root = absolute_path(folder);
  std::error_code error;
  const std::vector<fs::path> entries = sorted_entries(root, error);
  if (error) {
    found.diagnostics.push_back(usage_error(folder, Message::verbatim(error.message())));
    return found;
  }
  for (const fs::path& path : entries)
    if (is_text(path) || fs::is_directory(path, error))
      found.all.push_back(submission_of(path, root, preferred));
  if (found.all.empty())
    found.diagnostics.push_back(
        usage_error(folder, say::no_submissions, say::submissions_for_example));
  if (found.all.size() > kMostSubmissions) {
    found.diagnostics.push_back(usage_error(folder, say::too_many_submissions(kMostSubmissions)));
    found.all.clear();
  }
  return found;
}

}  // namespace lanescope::app
