# GoogleTest and Google Benchmark, and the two functions that sources are dropped into.
if(LANESCOPE_TESTS)
  find_package(GTest 1.12 REQUIRED)
  find_package(benchmark REQUIRED)
  find_package(rapidcheck REQUIRED)
  # A test program is linked more often than it is run, and by gold in a third of the time.
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=gold LANESCOPE_HAS_GOLD)
endif()

# Our own libraries among `libraries` and what they link, into `result`.
function(lanescope_libraries_of result libraries)
  set(found "")
  while(libraries)
    list(POP_FRONT libraries library)
    if(NOT library MATCHES "^lanescope_" OR library IN_LIST found OR NOT TARGET ${library})
      continue()
    endif()
    get_target_property(type ${library} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      list(APPEND found ${library})
      get_target_property(linked ${library} LINK_LIBRARIES)
      list(APPEND libraries ${linked})
    endif()
  endwhile()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# lanescope_add_tests(NAME SOURCES... LINK LIBRARIES... PRECOMPILE GROUPS... LIKE OTHER ALONE REGEX): one
# executable in build/tests, each of its suites a test of ctest, each test of the suites that match ALONE too. Makes
# nothing while there are no sources.
function(lanescope_add_tests name)
  cmake_parse_arguments(arg "" "ALONE;LIKE" "SOURCES;LINK;PRECOMPILE" ${ARGN})
  if(NOT LANESCOPE_TESTS OR NOT arg_SOURCES)
    return()
  endif()
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  target_compile_definitions(${name} PRIVATE
    LANESCOPE_SOURCE_DIR="${CMAKE_SOURCE_DIR}" LANESCOPE_TRUTH_DIR="${LANESCOPE_TRUTH_DIR}")
  target_link_libraries(${name} PRIVATE
    lanescope_options ${arg_LINK} fmt::fmt rapidcheck GTest::gmock GTest::gtest_main)
  if(arg_LIKE)
    lanescope_precompile(${name} LIKE ${arg_LIKE})
  else()
    lanescope_precompile(${name} tests ${arg_PRECOMPILE})
  endif()
  # Tests are read, not measured: less optimised code is sooner there. What is tested comes first, whole: of a
  # template that both have made code of, the linker takes what it sees first.
  target_compile_options(${name} PRIVATE -O0)
  lanescope_libraries_of(ours "${arg_LINK}")
  list(TRANSFORM ours REPLACE "(.+)" "$<TARGET_FILE:\\1>")
  list(JOIN ours "," ours)
  target_link_options(${name} PRIVATE "LINKER:--whole-archive,${ours},--no-whole-archive"
    $<$<BOOL:${LANESCOPE_HAS_GOLD}>:-fuse-ld=gold>)
  # Discovered when ctest runs, so that a test executable that cannot start fails the tests and not
  # the build.
  set(listing "${CMAKE_CURRENT_BINARY_DIR}/${name}_suites.cmake")
  string(REGEX REPLACE "_tests$" "" prefix ${name})
  file(GENERATE OUTPUT "${listing}" CONTENT "set(executable \"$<TARGET_FILE:${name}>\")
set(prefix \"${prefix}\")
set(folder \"${CMAKE_BINARY_DIR}/tests\")
set(alone \"${arg_ALONE}\")
include(\"${CMAKE_SOURCE_DIR}/third_party/suites.cmake\")
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${listing}")
endfunction()

# Every *_bench.cpp goes into one executable, `lanescope_bench`.
function(lanescope_collect_benchmarks library)
  if(ARGN)
    set_property(GLOBAL APPEND PROPERTY lanescope_benchmark_sources ${ARGN})
    set_property(GLOBAL APPEND PROPERTY lanescope_benchmark_libraries ${library})
  endif()
endfunction()

function(lanescope_add_benchmarks)
  get_property(sources GLOBAL PROPERTY lanescope_benchmark_sources)
  get_property(libraries GLOBAL PROPERTY lanescope_benchmark_libraries)
  if(NOT LANESCOPE_TESTS OR NOT sources)
    return()
  endif()
  add_executable(lanescope_bench EXCLUDE_FROM_ALL ${sources})
  set_target_properties(lanescope_bench PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}")
  target_include_directories(lanescope_bench PRIVATE "${CMAKE_SOURCE_DIR}/sim" "${CMAKE_SOURCE_DIR}/app")
  target_compile_definitions(lanescope_bench PRIVATE LANESCOPE_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
    LANESCOPE_POCL_TRANSPOSE="$<TARGET_FILE:pocl_transpose>")
  add_dependencies(lanescope_bench pocl_transpose)
  target_link_libraries(lanescope_bench PRIVATE
    lanescope_options ${libraries} benchmark::benchmark benchmark::benchmark_main)
endfunction()
