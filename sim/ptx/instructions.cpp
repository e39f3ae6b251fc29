#include "ptx/instructions.h"

#include <map>
#include <set>

namespace lanescope {
namespace {

std::optional<MemorySpace> space_named(const std::string& modifier) {
  static const std::map<std::string, MemorySpace> kSpaces = {
#define LANESCOPE_PTX_SPACE(MODIFIER, SPACE) {MODIFIER, MemorySpace::SPACE},
#include "ptx/instructions.def"
  };
  const auto found = kSpaces.find(modifier);
  return found == kSpaces.end() ? std::nullopt : std::optional(found->second);
}

bool is_left_out(const std::string& modifier) {
  static const std::set<std::string> kLeftOut = {
#define LANESCOPE_PTX_LEFT_OUT(MODIFIER) MODIFIER,
#include "ptx/instructions.def"
  };
  return kLeftOut.count(modifier) != 0 || modifier.starts_with("L1::") ||
         modifier.starts_with("L2::");
}

bool is_left_out_of(const std::string& opcode, const std::string& modifier) {
  static const std::set<std::pair<std::string, std::string>> kLeftOut = {
#define LANESCOPE_PTX_LEFT_OUT_OF(OPCODE, MODIFIER) {OPCODE, MODIFIER},
#include "ptx/instructions.def"
  };
  return kLeftOut.count({opcode, modifier}) != 0;
}

PtxForm form_of(const std::vector<std::string>& opcode) {
  static const std::map<std::string, PtxForm> kForms = {
#define LANESCOPE_PTX_FORM(OPCODE, FORM) {OPCODE, PtxForm::FORM},
#include "ptx/instructions.def"
  };
  static const std::map<std::pair<std::string, std::string>, PtxForm> kFormsWith = {
#define LANESCOPE_PTX_FORM_WITH(OPCODE, PART, FORM) {{OPCODE, PART}, PtxForm::FORM},
#include "ptx/instructions.def"
  };
  for (const std::string& part : opcode)
    if (const auto found = kFormsWith.find({opcode[0], part}); found != kFormsWith.end())
      return found->second;
  const auto found = kForms.find(opcode[0]);
  return found == kForms.end() ? PtxForm::function : found->second;
}

std::string with_underscores(std::string text) {
  for (std::size_t at; (at = text.find("::")) != std::string::npos;) text.replace(at, 2, "_");
  return text;
}

/// The first type that is named: that of a conversion's result.
std::optional<PtxType> result_type(const PtxInstruction& instruction) {
  for (const std::string& part : instruction.opcode)
    if (const auto type = ptx_type(part)) return type;
  return std::nullopt;
}

}  // namespace

std::optional<PtxType> ptx_type(const std::string& text) {
  static const std::map<std::string, PtxType> kOthers = {
      {"pred", {'p', 1}},  {"f16x2", {'h', 32}}, {"bf16x2", {'h', 32}}, {"f16", {'h', 16}},
      {"bf16", {'h', 16}}, {"tf32", {'b', 32}},  {"e4m3x2", {'b', 16}}, {"e5m2x2", {'b', 16}},
      {"e4m3", {'b', 8}},  {"e5m2", {'b', 8}}};
  if (const auto found = kOthers.find(text); found != kOthers.end()) return found->second;
  if (text.size() < 2 || std::string("bsuf").find(text[0]) == std::string::npos) return {};
  static const std::map<std::string, unsigned> kBits = {
      {"8", 8}, {"16", 16}, {"32", 32}, {"64", 64}, {"128", 128}};
  const auto bits = kBits.find(text.substr(1));
  return bits == kBits.end() ? std::nullopt : std::optional(PtxType{text[0], bits->second});
}

PtxMeaning meaning_of(const PtxInstruction& instruction) {
  PtxMeaning out;
  out.function = "ptx";
  for (const std::string& part : instruction.opcode) {
    const bool first = &part == instruction.opcode.data();
    if (first) {
      out.form = form_of(instruction.opcode);
    } else if (part == "L2::cache_hint") {
      out.has_policy = true;
      continue;
    } else if (const auto space = space_named(part)) {
      out.spaces.push_back(*space);
      if (out.form != PtxForm::within) continue;
    } else if (part == "ftz" || part == "sat") {
      const auto type = result_type(instruction);
      const bool of_float = type && type->kind == 'f';
      if (part == "sat" && of_float && (out.saturates = true)) continue;
      // A conversion may have its only float as an operand.
      if (part == "ftz" && (of_float || instruction.opcode.back() == "f32") && (out.flushes = true))
        continue;
    } else if (is_left_out(part) || is_left_out_of(instruction.opcode[0], part)) {
      continue;
    }
    out.function += "_" + with_underscores(part);
  }
  return out;
}

std::optional<PtxAccess> access_of(const PtxInstruction& instruction) {
  static const std::set<std::string> kCaches = {"ca", "cg", "cs", "lu",  "cv",
                                                "wb", "wt", "nc", "weak"};
  static const std::set<std::string> kScopes = {"cluster", "gpu", "sys"};
  static const std::set<std::string> kOperations = {"add", "min", "max", "and",  "or",
                                                    "xor", "inc", "dec", "exch", "cas"};
  PtxAccess out;
  for (std::size_t i = 1; i < instruction.opcode.size(); ++i) {
    const std::string& part = instruction.opcode[i];
    if (const auto space = space_named(part))
      out.space = *space;
    else if (const auto type = ptx_type(part))
      out.type = *type;
    else if (part == "v2" || part == "v4" || part == "v8")
      out.components = static_cast<unsigned>(part[1] - '0');
    else if (part == "volatile")
      out.is_volatile = true;
    else if (part == "cta")
      out.in_block = true;
    else if (part == "relaxed")
      out.is_relaxed = true;
    else if (part == "acquire" || part == "release" || part == "acq_rel")
      out.acquires |= part != "release", out.releases |= part != "acquire";
    else if (kOperations.count(part) != 0)
      out.operation = part;
    else if (kCaches.count(part) == 0 && kScopes.count(part) == 0 && part != "noftz" &&
             !is_left_out(part))
      return std::nullopt;
  }
  return out.type.bits == 0 ? std::nullopt : std::optional(out);
}

}  // namespace lanescope
