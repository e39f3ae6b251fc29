# Clang and LLVM 19 as shared libraries → target `clang_llvm`.
# Another installation: -DLLVM_DIR=<prefix>/lib/cmake/llvm.
find_package(LLVM 19.1 CONFIG REQUIRED PATHS /usr/lib/llvm-19/lib/cmake/llvm)
find_library(CLANG_CPP_LIBRARY NAMES clang-cpp libclang-cpp.so.19.1 libclang-cpp.so.19
  HINTS ${LLVM_LIBRARY_DIRS} NO_DEFAULT_PATH REQUIRED)
if(NOT EXISTS "${LLVM_INCLUDE_DIRS}/clang/Frontend/CompilerInstance.h")
  message(FATAL_ERROR "Clang's headers are missing beside LLVM's (Debian: libclang-19-dev)")
endif()

add_library(clang_llvm INTERFACE)
target_include_directories(clang_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(clang_llvm INTERFACE ${llvm_definitions})
target_link_libraries(clang_llvm INTERFACE "${CLANG_CPP_LIBRARY}" LLVM)
