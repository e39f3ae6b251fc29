#include "native/host_lines.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <iterator>

namespace lanescope {
namespace {

/// Of the frames that were inlined into each other, innermost first: the first that the user wrote.
const llvm::DILineInfo* own_frame(const llvm::DIInliningInfo& frames) {
  static const char* const kOthers[] = {"/lanescope/", "lanescope_", "/usr/include/", "/usr/lib/"};
  for (std::uint32_t i = 0; i < frames.getNumberOfFrames(); ++i) {
    const llvm::DILineInfo& frame = frames.getFrame(i);
    const llvm::StringRef file = frame.FileName;
    if (file != llvm::DILineInfo::BadString && frame.Line != 0 &&
        std::none_of(std::begin(kOthers), std::end(kOthers),
                     [&](const char* start) { return file.starts_with(start); }))
      return &frame;
  }
  return nullptr;
}

}  // namespace

struct HostLines::Object {
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  std::unique_ptr<llvm::object::ObjectFile> file;
  std::unique_ptr<llvm::DWARFContext> debug;
  struct Symbol {
    std::uint64_t offset = 0, bytes = 0, section = 0;
  };
  std::map<std::string, Symbol> symbols;
};

HostLines::HostLines() = default;
HostLines::~HostLines() = default;

void HostLines::add_object(const llvm::MemoryBuffer& object) {
  auto kept = std::make_unique<Object>();
  kept->buffer = llvm::MemoryBuffer::getMemBufferCopy(object.getBuffer());
  auto file = llvm::object::ObjectFile::createObjectFile(kept->buffer->getMemBufferRef());
  if (!file) return llvm::consumeError(file.takeError());
  kept->file = std::move(*file);
  for (const llvm::object::SymbolRef& symbol : kept->file->symbols()) {
    auto name = symbol.getName();
    auto offset = symbol.getAddress();
    auto section = symbol.getSection();
    if (name && offset && section && *section != kept->file->section_end())
      kept->symbols[name->str()] = {*offset, symbol.getCommonSize(), (*section)->getIndex()};
    if (!name) llvm::consumeError(name.takeError());
    if (!offset) llvm::consumeError(offset.takeError());
    if (!section) llvm::consumeError(section.takeError());
  }
  kept->debug = llvm::DWARFContext::create(*kept->file);
  objects_.push_back(std::move(kept));
}

void HostLines::add_function(const std::string& name, std::uint64_t address) {
  functions_[address] = name;
}

HostPlace HostLines::where(const void* pc) const {
  constexpr std::uint64_t kFar = 1 << 20;  // beyond any function: the address is elsewhere
  // A return address is that of the next line's first instruction, as often as not.
  const std::uint64_t at = reinterpret_cast<std::uint64_t>(pc) - 1;
  auto function = functions_.upper_bound(at);
  if (function == functions_.begin()) return {};
  --function;
  if (at - function->first > kFar) return {};
  HostPlace place;
  std::string name = function->second;
  for (const auto& object : objects_) {
    const auto symbol = object->symbols.find(name);
    if (symbol == object->symbols.end()) continue;
    const llvm::DIInliningInfo frames = object->debug->getInliningInfoForAddress(
        {symbol->second.offset + (at - function->first), symbol->second.section},
        {llvm::DILineInfoSpecifier::FileLineInfoKind::RawValue,
         llvm::DILineInfoSpecifier::FunctionNameKind::None});
    if (const llvm::DILineInfo* frame = own_frame(frames))
      place.file = frame->FileName, place.line = frame->Line;
    break;
  }
  name = name.substr(0, name.find(".text"));
  place.function = llvm::demangle(name);
  return place;
}

}  // namespace lanescope
