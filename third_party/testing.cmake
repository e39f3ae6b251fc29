# GoogleTest and Google Benchmark, and the two functions that sources are dropped into.
if(LANESCOPE_TESTS)
  find_package(GTest 1.12 REQUIRED)
  find_package(benchmark REQUIRED)
  find_package(rapidcheck REQUIRED)
  include(GoogleTest)
endif()

# lanescope_add_tests(NAME SOURCES... LINK LIBRARIES... PRECOMPILE GROUPS...): one executable in
# build/tests, each of its tests known to ctest by name. Makes nothing while there are no sources.
function(lanescope_add_tests name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK;PRECOMPILE" ${ARGN})
  if(NOT LANESCOPE_TESTS OR NOT arg_SOURCES)
    return()
  endif()
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  target_compile_definitions(${name} PRIVATE
    LANESCOPE_SOURCE_DIR="${CMAKE_SOURCE_DIR}" LANESCOPE_TRUTH_DIR="${LANESCOPE_TRUTH_DIR}")
  target_link_libraries(${name} PRIVATE
    lanescope_options ${arg_LINK} rapidcheck GTest::gmock GTest::gtest_main)
  lanescope_precompile(${name} tests ${arg_PRECOMPILE})
  # Discovered when ctest runs, so that a test executable that cannot start fails the tests and not
  # the build.
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
    WORKING_DIRECTORY "${CMAKE_BINARY_DIR}/tests" PROPERTIES TIMEOUT 300)
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
  target_compile_definitions(lanescope_bench PRIVATE LANESCOPE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  target_link_libraries(lanescope_bench PRIVATE
    lanescope_options ${libraries} benchmark::benchmark benchmark::benchmark_main)
endfunction()
