# Precompiled headers: most of what a file costs is reading the standard library, fmt and JSON. Only
# headers of others are in them, which never change, so that editing ours compiles no more than before;
# every file still includes what it uses, and -DLANESCOPE_PCH=OFF builds the same without.
option(LANESCOPE_PCH "Precompile the headers of libraries" ON)

set(precompiled_std
  <algorithm> <array> <atomic> <bit> <charconv> <chrono> <cmath> <condition_variable> <cstddef> <cstdint>
  <cstdio> <cstdlib> <cstring> <filesystem> <fstream> <functional> <limits> <map> <memory> <mutex>
  <numeric> <optional> <set> <span> <sstream> <stop_token> <string> <string_view> <thread> <tuple>
  <type_traits> <unordered_map> <utility> <variant> <vector> <fmt/format.h>)
set(precompiled_json <nlohmann/json.hpp>)
set(precompiled_llvm
  <llvm/ADT/DenseMap.h> <llvm/ADT/MapVector.h> <llvm/ADT/PostOrderIterator.h> <llvm/ADT/SmallVector.h>
  <llvm/Analysis/PostDominators.h> <llvm/Analysis/ValueTracking.h> <llvm/IR/CFG.h>
  <llvm/IR/Constants.h> <llvm/IR/DebugInfoMetadata.h> <llvm/IR/Function.h> <llvm/IR/GlobalVariable.h>
  <llvm/IR/Instructions.h> <llvm/IR/IntrinsicInst.h> <llvm/IR/Module.h> <llvm/IR/Operator.h>)
set(precompiled_imgui <imgui.h>)
set(precompiled_command_line <CLI/CLI.hpp>)
set(precompiled_tests <gtest/gtest.h> <gmock/gmock.h>)

# lanescope_precompile(TARGET [LIKE OTHER] GROUPS...): TARGET sees the standard library and the named
# groups precompiled, or shares what OTHER has, whose compile options must be its own.
function(lanescope_precompile target)
  cmake_parse_arguments(arg "" "LIKE" "" ${ARGN})
  if(NOT LANESCOPE_PCH OR NOT TARGET ${target})
    return()
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The first lets ccache see what is included. GCC 12 no longer knows that a precompiled std::string
    # is a system header's, and warns of its insides.
    target_compile_options(${target} PRIVATE -fpch-preprocess
      -Wno-array-bounds -Wno-stringop-overread -Wno-stringop-overflow -Wno-restrict)
  endif()
  if(arg_LIKE)
    target_precompile_headers(${target} REUSE_FROM ${arg_LIKE})
    return()
  endif()
  set(headers ${precompiled_std})
  foreach(group IN LISTS arg_UNPARSED_ARGUMENTS)
    list(APPEND headers ${precompiled_${group}})
  endforeach()
  target_precompile_headers(${target} PRIVATE ${headers})
endfunction()
