#include "gpu/profile/raw_page.h"

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <string_view>

#include "core/text/messages.h"
#include "gpu/profile/trouble.h"

namespace lanescope::gpu {

namespace say = app::say;

namespace {

constexpr std::string_view kUnnamed = "(anonymous namespace)::";

// Metrics of the hardware's pipes, of the executed addresses (sass), and the source page's own.
const std::vector<std::string>& metrics() {
  static const std::vector<std::string> kMetrics = [] {
    std::vector<std::string> names;
    for (const char* op : {"ld", "st"}) {
      const std::string end = std::string(op) + ".sum";
      names.push_back("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_" + end);
      names.push_back("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_" + end);
      names.push_back("l1tex__t_requests_pipe_lsu_mem_global_op_" + end);
      names.push_back("l1tex__t_sectors_pipe_lsu_mem_global_op_" + end);
      names.push_back("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_" + end);
      names.push_back("smsp__sass_inst_executed_op_shared_" + end);
    }
    names.push_back("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum");
    for (const char* name :
         {"memory_l1_wavefronts_shared", "memory_l1_wavefronts_shared_ideal",
          "memory_l2_theoretical_sectors_global", "memory_l2_theoretical_sectors_global_ideal"})
      names.push_back(name);
    return names;
  }();
  return kMetrics;
}

// GPUs that have no such instructions have no such metrics either, and the profiler refuses what it does not know.
const std::vector<std::string>& product_metrics() {
  static const std::vector<std::string> kMetrics = {
      "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_gmma.sum"};
  return kMetrics;
}
const std::vector<std::string>& copy_metrics() {
  static const std::vector<std::string> kMetrics = {
      "l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum",
      "l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st.sum",
      "l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_red.sum"};
  return kMetrics;
}

bool is_metric(const std::string& name) {
  for (const auto* all : {&metrics(), &product_metrics(), &copy_metrics()})
    if (std::find(all->begin(), all->end(), name) != all->end()) return true;
  return false;
}

std::string joined_metrics(ProfiledEngines engines) {
  std::string text;
  const auto add = [&](const std::string& name) { text += (text.empty() ? "" : ",") + name; };
  std::for_each(metrics().begin(), metrics().end(), add);
  if (engines.products) std::for_each(product_metrics().begin(), product_metrics().end(), add);
  if (engines.copies) std::for_each(copy_metrics().begin(), copy_metrics().end(), add);
  return text;
}

// One line of CSV with quotes; commas inside them are the thousands' separators or a name's own.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> result(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      result.emplace_back();
    else if (c != '\r')
      result.back() += c;
  }
  return result;
}

std::optional<std::uint64_t> whole(std::string text) {
  std::erase(text, ',');
  if (text.empty() || text.find_first_not_of("0123456789.") != std::string::npos)
    return std::nullopt;
  return static_cast<std::uint64_t>(std::stod(text));
}

// "(64, 1, 1)"
Dim3 shape(const std::string& text) {
  Dim3 result{1, 1, 1};
  std::sscanf(text.c_str(), "(%u, %u, %u)", &result.x, &result.y, &result.z);
  return result;
}

}  // namespace

std::vector<std::string> profiler_command(const std::string& profiler, const std::string& log,
                                          ProfiledEngines engines, const std::string& one_more) {
  const std::string all = joined_metrics(engines) + (one_more.empty() ? "" : "," + one_more);
  return {profiler,
          "--clock-control",
          "none",
          "--csv",
          "--page",
          "raw",
          "--print-units",
          "base",
          "--metrics",
          all,
          "--log-file",
          log,
          "--kernel-name-base",
          "function"};
}

std::string base_name(const std::string& function) {
  std::string name = function;
  for (std::size_t at; (at = name.find(kUnnamed)) != std::string::npos;)
    name.erase(at, kUnnamed.size());
  name.erase(std::min(name.size(), name.find_first_of("<(")));
  while (!name.empty() && name.back() == ' ') name.pop_back();
  const std::size_t space = name.find_last_of(" :");  // "void k", "space::k"
  return space == std::string::npos ? name : name.substr(space + 1);
}

std::vector<ProfiledLaunch> parse_raw_page(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> headings;
  std::vector<ProfiledLaunch> result;
  for (std::string line; std::getline(stream, line);) {
    if (headings.empty()) {
      if (line.starts_with("\"ID\"")) headings = cells(line);
      continue;
    }
    const std::vector<std::string> row = cells(line);
    if (row.size() != headings.size() || row.front().empty()) continue;  // the line of units
    ProfiledLaunch launch;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (headings[i] == "Kernel Name") launch.function = row[i];
      if (headings[i] == "Grid Size") launch.grid = shape(row[i]);
      if (headings[i] == "Block Size") launch.block = shape(row[i]);
      // The page also lists attributes of the device.
      const bool metric = headings[i] == kDuration || is_metric(headings[i]);
      if (const auto value = metric ? whole(row[i]) : std::nullopt)
        launch.values[headings[i]] = *value;
    }
    result.push_back(std::move(launch));
  }
  return result;
}

std::optional<Diagnostic> parse_profiler_error(const std::string& text) {
  if (text.find("ERR_NVGPUCTRPERM") != std::string::npos ||
      text.find("does not have permission") != std::string::npos) {
    return unsupported(say::counters_not_allowed, say::allow_counters);
  }
  const std::size_t at = text.find("==ERROR==");
  if (at == std::string::npos) return std::nullopt;
  const std::string line = text.substr(at + 9, text.find('\n', at) - at - 9);
  return unsupported(Message::verbatim("Nsight Compute:" + line));
}

}  // namespace lanescope::gpu
