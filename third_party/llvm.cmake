# Clang and LLVM 19 → target `clang_llvm`: as shared libraries, but inside an executable that is built for release and
# has the property CARRIES_CLANG. Another installation: -DLLVM_DIR=<prefix>/lib/cmake/llvm.
find_package(LLVM 19.1 CONFIG REQUIRED PATHS /usr/lib/llvm-19/lib/cmake/llvm)
find_library(CLANG_CPP_LIBRARY NAMES clang-cpp libclang-cpp.so.19.1 libclang-cpp.so.19
  HINTS ${LLVM_LIBRARY_DIRS} NO_DEFAULT_PATH REQUIRED)
if(NOT EXISTS "${LLVM_INCLUDE_DIRS}/clang/Frontend/CompilerInstance.h")
  message(FATAL_ERROR "Clang's headers are missing beside LLVM's (Debian: libclang-19-dev)")
endif()

add_library(clang_llvm_headers INTERFACE)
target_include_directories(clang_llvm_headers SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(clang_llvm_headers INTERFACE ${llvm_definitions})

# Inside they are there at once: to load the shared ones takes a third of what most commands take.
set(clang_archives "")
foreach(name Frontend Driver CodeGen Parse Serialization Sema Edit Analysis APINotes ASTMatchers AST Support Lex Basic)
  list(APPEND clang_archives "${LLVM_LIBRARY_DIRS}/libclang${name}.a")
endforeach()
llvm_map_components_to_libnames(llvm_archives
  ${LLVM_NATIVE_ARCH}CodeGen ${LLVM_NATIVE_ARCH}AsmParser OrcJIT Passes IRReader BitWriter Linker LTO Coverage Option WindowsDriver
  FrontendOpenMP FrontendHLSL FrontendDriver)
set_property(TARGET LLVMExtensions PROPERTY INTERFACE_LINK_LIBRARIES LLVMSupport)
add_library(no_polly STATIC "${CMAKE_CURRENT_LIST_DIR}/no_polly.cpp")
target_compile_options(no_polly PRIVATE -fno-rtti)
target_link_libraries(no_polly PRIVATE clang_llvm_headers)
list(JOIN clang_archives "," clang_archives)
add_library(clang_llvm_inside INTERFACE)
include(CheckLinkerFlag)
check_linker_flag(CXX "LINKER:-z,pack-relative-relocs" CAN_PACK_RELOCATIONS)
target_link_options(clang_llvm_inside INTERFACE "LINKER:--gc-sections"
  "$<$<BOOL:${CAN_PACK_RELOCATIONS}>:LINKER:-z,pack-relative-relocs>")
target_link_libraries(clang_llvm_inside INTERFACE
  "$<LINK_GROUP:RESCAN,${clang_archives},no_polly>" ${llvm_archives})

add_library(clang_llvm INTERFACE)
set(inside "$<AND:$<CONFIG:Release>,$<BOOL:$<TARGET_PROPERTY:CARRIES_CLANG>>>")
target_link_libraries(clang_llvm INTERFACE clang_llvm_headers
  "$<IF:${inside},clang_llvm_inside,${CLANG_CPP_LIBRARY}>" "$<$<NOT:${inside}>:LLVM>")
