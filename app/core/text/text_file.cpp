#include "core/text/text_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "core/text/messages.h"
#include "core/text/text.h"

namespace lanescope::app {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kLargestText = 16u << 20;  // bytes; no kernel text comes near it

TextFile failed(const std::string& file, Message message) {
  return {"", {usage_error(file, std::move(message))}};
}

Message why(const std::string& path, int error) {
  const std::string folder = fs::path(path).parent_path().string();
  if (error == EACCES || error == EROFS || error == EPERM)
    return say::may_not_be_written_to(folder);
  if (error == ENOSPC || error == EDQUOT) return say::disk_is_full;
  if (error == ENOENT || error == ENOTDIR) return say::no_such_folder(folder);
  return say::file_cannot_be_written(path, std::strerror(error));
}

bool write_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

// A pipe or a device stays what it is.
Message write_device(const std::string& path, const std::string& text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return why(path, errno);
  int error = write_all(file, text) ? 0 : errno;
  if (::close(file) != 0 && error == 0) error = errno;
  return error == 0 ? Message() : why(path, error);
}

// A link stays a link: the file that it leads to is replaced.
std::string real_target(const std::string& path) {
  std::error_code error;
  const fs::path target = fs::canonical(path, error);
  return error ? path : target.string();
}

}  // namespace

TextFile read_text_file(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return failed(path, say::no_such_file);
  if (fs::is_directory(status)) return failed(path, say::is_a_directory);
  if (!fs::is_regular_file(status)) return failed(path, say::not_a_regular_file);
  if (fs::file_size(path, error) > kLargestText) return failed(path, say::file_too_large);
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream content;
  if (!stream || !(content << stream.rdbuf() || stream.peek() == EOF))
    return failed(path, say::cannot_be_read);
  std::string text = content.str();
  if (trim(text).empty()) return failed(path, say::file_is_empty);
  if (text.find('\0') != std::string::npos) return failed(path, say::binary_file);
  if (!is_utf8(text)) return failed(path, say::not_utf8);
  return {std::move(text), {}};
}

Message write_text_file(const std::string& path, const std::string& text, bool sync) {
  const std::string target = real_target(path);
  std::error_code none;
  if (fs::is_directory(target, none)) return say::is_a_folder(path);
  if (fs::exists(target, none) && ::access(target.c_str(), W_OK) != 0) return why(target, errno);
  struct stat old {};
  const mode_t mode = ::stat(target.c_str(), &old) == 0 ? old.st_mode & 07777 : 0644;
  if (fs::exists(target, none) && !fs::is_regular_file(target, none))
    return write_device(target, text);
  const std::string temporary = fmt::format("{}.saving-{}", target, ::getpid());
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return why(target, errno);
  const bool written =
      write_all(file, text) && (!sync || ::fsync(file) == 0) && ::fchmod(file, mode) == 0;
  int error = written ? 0 : errno;
  if (::close(file) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error == 0) return {};
  ::unlink(temporary.c_str());
  return why(target, error);
}

std::string bundled_folder(const std::string& name, const std::string& in_source) {
  std::error_code error;
  const fs::path binary = fs::read_symlink("/proc/self/exe", error).parent_path();
  std::vector<fs::path> places;
  for (const fs::path& base : {binary, binary.parent_path()})
    places.push_back(base / "share/lanescope" / name);
#ifdef LANESCOPE_SOURCE_DIR
  places.push_back(fs::path(LANESCOPE_SOURCE_DIR) / in_source);
#endif
  for (const fs::path& place : places)
    if (fs::is_directory(place, error)) return place.string();
  return "";
}

std::string cache_folder() {
  const char* base = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  if (base != nullptr && *base == '/') return std::string(base) + "/lanescope";
  return home != nullptr && *home == '/' ? std::string(home) + "/.cache/lanescope" : "";
}

std::string absolute_path(const std::string& path) {
  if (path.empty()) return "";
  const char* home = std::getenv("HOME");
  const bool at_home = path == "~" || path.starts_with("~/");
  std::error_code error;
  const fs::path absolute = fs::absolute(at_home && home ? home + path.substr(1) : path, error);
  return error ? path : absolute.lexically_normal().string();
}

}  // namespace lanescope::app
