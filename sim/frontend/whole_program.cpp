// Texts from a real tree, with the system's own C++ headers, for host and device.
#pragma GCC diagnostic ignored "-Wnonnull"  // inside Clang's own headers, once inlined
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/Mangle.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <filesystem>
#include <memory>
#include <thread>

#include "frontend/collector.h"
#include "frontend/crash_guard.h"
#include "frontend/device_bitcode.h"
#include "frontend/device_link.h"
#include "frontend/headers/aligned_files.h"
#include "frontend/headers/forwarding.h"
#include "frontend/headers/one_file.h"
#include "frontend/headers/precompiled.h"
#include "frontend/headers/setup.h"
#include "frontend/headers/system_headers.h"
#include "frontend/headers/toolkit_headers.h"
#include "frontend/kept_heads.h"
#include "frontend/text/joined_launches.h"
#include "frontend/text/launch_syntax.h"
#include "frontend/text/named_registers.h"
#include "frontend/text/shared_alignment.h"
#include "frontend/tree/access_reader.h"
#include "frontend/tree/parameters.h"
#include "frontend/tree/tree_reader.h"
#include "lanescope/whole_program.h"
#include "model/simulator_messages.h"

namespace lanescope {
namespace {

enum class Side { host, device };

/// What the compiler calls the tree of a text's head.
constexpr const char* kKeptHead = "/lanescope/head.pch";

/// One text's own part of the request.
struct TextJob {
  const WholeProgramRequest& request;
  std::size_t index = 0;
  Side side = Side::host;
  /// Take a toolkit's C++ libraries before what we have of them: two of one kind do not mix
  bool whole_libraries = false;

  [[nodiscard]] const std::string& file() const { return request.files[index]; }
  [[nodiscard]] bool is_cuda() const {
    const std::string extension = std::filesystem::path(file()).extension();
    return extension == ".cu" || extension == ".cuh";
  }
  [[nodiscard]] std::string pseudo_image() const {
    return fmt::format("/lanescope/image{}", index);
  }
};

// ---- device: which kernels there are ----

class KernelReader : public TreeReader {
 public:
  KernelReader(clang::ASTContext& context, const AccessTexts& texts, KernelDeclarations& kernels)
      : context_(context), names_(context), texts_(texts), kernels_(kernels) {}

  [[nodiscard]] bool reads_instances() const override { return true; }
  void function(clang::FunctionDecl& decl) override {
    if (!decl.hasAttr<clang::CUDAGlobalAttr>() || decl.isDependentContext() ||
        !decl.isThisDeclarationADefinition())
      return;
    KernelDeclaration kernel;
    llvm::raw_string_ostream name(kernel.name);
    decl.getNameForDiagnostic(name, context_.getPrintingPolicy(), /*Qualified=*/true);
    kernel.declared =
        position_of(context_.getSourceManager(), decl.getLocation(), texts_).value_or(SourcePos());
    for (const auto* parameter : decl.parameters())
      kernel.arguments.push_back(parameter_of(context_, *parameter));
    kernel.most_threads = most_threads_of(context_, decl);
    kernel.cluster = cluster_of(context_, decl);
    kernels_.emplace(names_.getName(&decl), std::move(kernel));
  }

 private:
  clang::ASTContext& context_;
  clang::ASTNameGenerator names_;
  const AccessTexts& texts_;
  KernelDeclarations& kernels_;
};

/// Looks at what is not a system header's, and at kernels that a text makes of templates there.
class DeviceConsumer : public clang::ASTConsumer {
 public:
  DeviceConsumer(AccessTexts& texts, KernelDeclarations& kernels)
      : texts_(texts), kernels_(kernels) {}

  void HandleCXXImplicitFunctionInstantiation(clang::FunctionDecl* decl) override {
    if (decl->hasAttr<clang::CUDAGlobalAttr>()) instances_.push_back(decl);
  }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    // What is made of templates is found in them.
    for (clang::Decl* decl : group)
      if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl);
          function == nullptr || !function->isTemplateInstantiation())
        declarations_.push_back(decl);
    return true;
  }
  // Only what is parsed now: the head's tree stays where it is.
  void HandleInterestingDecl(clang::DeclGroupRef) override {}
  void HandleTranslationUnit(clang::ASTContext& context) override {
    const clang::SourceManager& sources = context.getSourceManager();
    std::vector<KernelEntry> unused;
    KernelReader kernels(context, texts_, kernels_);
    std::erase_if(declarations_, [&](const clang::Decl* decl) {
      const auto location = sources.getExpansionLoc(decl->getLocation());
      return !location.isValid() || sources.isInSystemHeader(location);
    });
    for (clang::Decl* decl : declarations_) find_headers(context, *decl, texts_);
    for (clang::Decl* decl : declarations_) {
      read_accesses(context, *decl, texts_, unused);
      read_tree(*decl, kernels);
    }
    for (clang::FunctionDecl* decl : instances_) kernels.function(*decl);
  }

 private:
  AccessTexts& texts_;
  KernelDeclarations& kernels_;
  std::vector<clang::Decl*> declarations_;
  std::vector<clang::FunctionDecl*> instances_;
};

class DeviceAction : public clang::EmitLLVMOnlyAction {
 public:
  DeviceAction(llvm::LLVMContext* context, AccessTexts& texts, KernelDeclarations& kernels)
      : clang::EmitLLVMOnlyAction(context), texts_(texts), kernels_(kernels) {}

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef file) override {
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(std::make_unique<DeviceConsumer>(texts_, kernels_));
    consumers.push_back(clang::EmitLLVMOnlyAction::CreateASTConsumer(compiler, file));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }

 private:
  AccessTexts& texts_;
  KernelDeclarations& kernels_;
};

// ---- set-up ----

/// Where a header was looked for, for whoever misses one.
Message searched_folders(const TextJob& job) {
  const std::string own = std::filesystem::path(job.file()).parent_path().string();
  std::string list = own.empty() ? "." : own;
  for (const std::string& folder : job.request.include_folders) {
    std::error_code ignored;
    list += ", " + folder;
    if (!std::filesystem::is_directory(folder, ignored)) list += " (no such folder)";
  }
  for (const std::string& folder : nearby_header_folders(job.file())) list += ", " + folder;
  if (!job.request.cuda_headers.empty()) list += ", " + job.request.cuda_headers;
  return say::looked_for_header(list);
}

void add_includes(const TextJob& job, std::vector<std::string>& args) {
  const auto add = [&args](const char* flag, const std::string& folder) {
    args.emplace_back(flag);
    args.push_back(folder);
  };
  for (const std::string& folder : job.request.include_folders) add("-I", folder);
  if (job.whole_libraries) add("-internal-isystem", core_libraries_in(job.request.cuda_headers));
  add("-internal-isystem", kIncludeDir);
  add_system_headers(args);
  // Last, and only when nobody else has a header of that name.
  for (const std::string& folder : nearby_header_folders(job.file())) add("-idirafter", folder);
  if (!job.request.cuda_headers.empty()) add("-idirafter", job.request.cuda_headers);
}

void add_side(const TextJob& job, std::vector<std::string>& args) {
  const auto add = [&args](std::initializer_list<const char*> list) {
    args.insert(args.end(), list.begin(), list.end());
  };
  if (job.side == Side::device) {
    add({"-triple", "nvptx64-nvidia-cuda", "-aux-triple", "x86_64-unknown-linux-gnu",
         "-fcuda-is-device", "-target-cpu", "sm_90", "-target-feature", "+ptx80",
         "-DLANESCOPE_DEVICE_PASS", "-O2", "-disable-llvm-passes", "-debug-info-kind=limited",
         "-dwarf-version=5", "-ffp-contract=fast", "-fno-delete-null-pointer-checks",
         // A shuffle may be given what only some lanes have set: no licence to conclude that all have.
         "-no-enable-noundef-analysis"});
    return;
  }
  // Overflow wraps, which is what programs that overflow have been tested with.
  // Without contraction: a host compiler for any x86-64 has no fused operations either. A null pointer
  // that is used, an endless loop and a return that is missing are left in, to be met and told. A variable
  // that nothing sets is zero, as it mostly is on a stack that is new, and nothing is concluded from it.
  add({"-triple", "x86_64-unknown-linux-gnu", "-target-cpu", "x86-64", "-O2", "-vectorize-loops",
       "-vectorize-slp", "-debug-info-kind=line-tables-only", "-dwarf-version=5",
       "-ffp-contract=off", "-fmath-errno", "-fwrapv", "-fno-delete-null-pointer-checks",
       "-fno-finite-loops", "-fno-strict-return", "-ftrivial-auto-var-init=zero",
       "-ftrivial-auto-var-init-max-size=65536",
       // What is freed twice is, even where nothing else is done with it.
       "-fno-builtin-malloc", "-fno-builtin-free", "-femulated-tls", "-mrelocation-model", "pic",
       "-pic-level", "2", "-funwind-tables=2", "-mframe-pointer=all"});
  if (job.is_cuda()) add({"-aux-triple", "nvptx64-nvidia-cuda"});
}

/// What a text of its kind sees before its first line.
const char* head_of(const TextJob& job) {
  return job.is_cuda() ? "lanescope_program.h" : "lanescope_host_text.h";
}

/// What the head and the text are compiled with alike.
std::vector<std::string> dialect_of(const TextJob& job) {
  std::vector<std::string> args;
  add_side(job, args);
  // The version from which on a launch is one call of cudaLaunchKernel.
  for (const char* arg :
       {"-target-sdk-version=12.3", "-fdebug-compilation-dir=/lanescope", "-fdeclspec",
        "-fgnuc-version=4.2.1", "-fcxx-exceptions", "-fexceptions", "-ferror-limit", "50",
        "-fcuda-allow-variadic-functions", "-Wno-unknown-pragmas", "-Wno-unused-value",
        "-Wno-cuda-compat", "-Wno-writable-strings", "-Wno-deprecated-declarations",
        "-Wno-unused-result", "-Wno-format", "-pthread"})
    args.emplace_back(arg);
  args.insert(args.end(), kForgiven.begin(), kForgiven.end());
  args.push_back("-std=" + job.request.standard);
  args.insert(args.end(), {"-x", job.is_cuda() ? "cuda" : "c++"});
  return args;
}

std::vector<std::string> arguments_of(const TextJob& job, bool head_is_kept) {
  std::vector<std::string> args = dialect_of(job);
  if (job.side == Side::host && job.is_cuda())
    args.insert(args.end(), {"-fcuda-include-gpubinary", job.pseudo_image()});
  add_includes(job, args);
  for (const MacroDefinition& macro : job.request.macros)
    args.push_back("-D" + macro.name + "=" + macro.value);
  if (head_is_kept)
    args.insert(args.end(), {"-include-pch", kKeptHead, "-fno-validate-pch"});
  else
    args.insert(args.end(), {"-include", head_of(job)});
  args.push_back(job.file());
  return args;
}

std::string rewritten_launches(const std::string& text) {
  return with_nested_launches(with_joined_launches(with_named_registers(text)));
}

/// The texts that are not to be read as they are on disk, by path.
std::map<std::string, std::string> remapped_texts(const TextJob& job) {
  std::map<std::string, std::string> texts = job.request.texts;
  for (auto& [path, text] : texts) text = rewritten_launches(with_alignment_first(text));
  if (!job.is_cuda() || texts.contains(job.file())) return texts;
  if (const auto file = llvm::MemoryBuffer::getFile(job.file())) {
    const std::string text = (*file)->getBuffer().str();
    if (std::string rewritten = rewritten_launches(text); rewritten != text)
      texts[job.file()] = with_alignment_first(std::move(rewritten));
  }
  return texts;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> file_system(const TextJob& job,
                                                            const llvm::MemoryBuffer* head) {
  auto ours = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  const std::string dir = std::string(kIncludeDir) + "/";
  add_prelude(*ours);
  for (const auto& [name, content] : cuda_headers())
    ours->addFile(dir + name, 0, llvm::MemoryBuffer::getMemBufferCopy(content, name));
  for (const std::string& folder : job.request.include_folders) put_ours_over(folder, *ours);
  for (const SystemFolder& folder : system_header_folders()) put_ours_over(folder.path, *ours);
  if (!job.request.cuda_headers.empty()) put_ours_over(job.request.cuda_headers, *ours);
  ours->addFile(job.pseudo_image(), 0,
                llvm::MemoryBuffer::getMemBufferCopy(fmt::format("{}\n", job.index)));
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      llvm::makeIntrusiveRefCnt<AlignedFiles>(llvm::vfs::createPhysicalFileSystem()));
  files->pushOverlay(ours);
  if (head != nullptr)
    files->pushOverlay(llvm::makeIntrusiveRefCnt<OneFile>(kKeptHead, head->getBuffer()));
  return files;
}

/// Where a text's own folders or macros may change what its head means, it is read with the text.
bool may_keep_head(const TextJob& job) {
  return !job.request.kept_folder.empty() && job.request.include_folders.empty() &&
         job.request.macros.empty() && !job.whole_libraries;
}

/// The head's tree; null where it is to be read with the text.
std::unique_ptr<llvm::MemoryBuffer> kept_head_of(const TextJob& job) {
  if (!may_keep_head(job)) return nullptr;
  std::vector<std::string> args = dialect_of(job);
  args.insert(args.end(), {"-internal-isystem", kIncludeDir});
  add_system_headers(args);
  args.push_back(std::string(kIncludeDir) + "/" + head_of(job));
  return kept_head(args, file_system(job, nullptr), job.request.kept_folder);
}

/// What the compiler says of one side of a text.
struct Said {
  std::vector<Diagnostic> diagnostics;
  std::string lacked_header;
};

bool run_action(const TextJob& job, clang::FrontendAction& action, Said& said) {
  Collector collector({}, job.file(), said.diagnostics);
  collector.hint_at_missing_headers(searched_folders(job));
  const auto head = kept_head_of(job);
  clang::CompilerInstance compiler;  // which reads the head until it goes
  compiler.createDiagnostics(&collector, /*ShouldOwnClient=*/false);
  const std::vector<std::string> args = arguments_of(job, head != nullptr);
  std::vector<const char*> pointers;
  for (const std::string& arg : args) pointers.push_back(arg.c_str());
  if (!clang::CompilerInvocation::CreateFromArgs(compiler.getInvocation(), pointers,
                                                 compiler.getDiagnostics()))
    return false;
  clang::ProcessWarningOptions(compiler.getDiagnostics(), compiler.getDiagnosticOpts());
  // Else Clang prints "1 error generated" by itself.
  compiler.getDiagnosticOpts().ShowCarets = false;
  compiler.getFrontendOpts().DisableFree = false;
  compiler.getCodeGenOpts().DisableFree = false;
  for (const auto& [path, text] : remapped_texts(job))
    compiler.getPreprocessorOpts().addRemappedFile(
        path, llvm::MemoryBuffer::getMemBufferCopy(text, path).release());
  compiler.setFileManager(
      new clang::FileManager(clang::FileSystemOptions{}, file_system(job, head.get())));
  compiler.createSourceManager(compiler.getFileManager());
  const bool done = compiler.ExecuteAction(action);
  said.lacked_header = collector.lacked_header();
  return done;
}

std::string bitcode_of(const llvm::Module& module) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  llvm::WriteBitcodeToFile(module, stream);
  return bytes;
}

/// Empty when there are errors.
std::string compile_host(const TextJob& job, Said& said) {
  llvm::LLVMContext context;
  clang::EmitLLVMOnlyAction action(&context);
  if (!run_action(job, action, said) || has_errors(said.diagnostics)) return {};
  const auto module = action.takeModule();
  return module ? bitcode_of(*module) : std::string();
}

std::shared_ptr<const DeviceCode> compile_device(const TextJob& job, Said& said) {
  llvm::LLVMContext context;
  DeviceSource source;
  source.file = job.file();
  DeviceAction action(&context, source.texts, source.kernels);
  if (!run_action(job, action, said) || has_errors(said.diagnostics)) return nullptr;
  const auto module = action.takeModule();
  if (!module) return nullptr;
  source.bitcode = bitcode_of(*module);
  return make_device_code(std::move(source));
}

void guarded(const TextJob& job, Said& said, const std::function<void()>& work) {
  if (survives(work)) return;
  Diagnostic d;
  d.kind = DiagnosticKind::internal;
  d.file = job.file();
  d.message = say::compiler_crashed;
  d.hint = say::undo_last_change;
  said.diagnostics.push_back(std::move(d));
}

/// The two sides see the same text and say the same of it.
void add_new(std::vector<Diagnostic> more, std::vector<Diagnostic>& all) {
  for (Diagnostic& d : more)
    if (std::none_of(all.begin(), all.end(), [&d](const Diagnostic& known) {
          return known.file == d.file && known.line == d.line && known.column == d.column &&
                 known.message.english() == d.message.english();
        }))
      all.push_back(std::move(d));
}

/// Both sides of a text; what each says goes to its own.
CompiledText compile_sides(const TextJob& job, Said& of_host, Said& of_device) {
  TextJob host = job, device = job;
  device.side = Side::device;
  CompiledText text;
  text.file = job.file();
  std::jthread beside;
  if (job.is_cuda())
    beside = std::jthread([&] {
      guarded(device, of_device, [&] { text.device = compile_device(device, of_device); });
    });
  if (!job.request.device_only)
    guarded(host, of_host, [&] { text.host = compile_host(host, of_host); });
  if (beside.joinable()) beside.join();  // it writes to what is returned
  return text;
}

CompiledText compile_text(const WholeProgramRequest& request, std::size_t index,
                          std::vector<Diagnostic>& diagnostics) {
  TextJob job{request, index};
  Said of_host, of_device;
  CompiledText text = compile_sides(job, of_host, of_device);
  if ((is_core_library(of_host.lacked_header) || is_core_library(of_device.lacked_header)) &&
      !core_libraries_in(request.cuda_headers).empty()) {
    job.whole_libraries = true;
    of_host = of_device = {};
    text = compile_sides(job, of_host, of_device);
  }
  add_new(std::move(of_host.diagnostics), diagnostics);
  add_new(std::move(of_device.diagnostics), diagnostics);
  return text;
}

}  // namespace

WholeProgramResult compile_whole_program(const WholeProgramRequest& request) {
  WholeProgramResult result;
  for (std::size_t i = 0; i < request.files.size() && !request.stop.stop_requested(); ++i)
    result.texts.push_back(compile_text(request, i, result.diagnostics));
  if (has_errors(result.diagnostics))
    result.texts.clear();
  else
    link_device_code(result.texts);
  return result;
}

}  // namespace lanescope
