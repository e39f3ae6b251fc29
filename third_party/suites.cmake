# Read by ctest: a test for each suite of a GoogleTest executable, so that what a process costs is paid
# once a suite. Set before: executable, prefix, folder, alone (a regular expression: suites of which each
# test is known by its own name, because a machine may have to skip it).
execute_process(COMMAND "${executable}" --gtest_list_tests
  WORKING_DIRECTORY "${folder}" OUTPUT_VARIABLE listing RESULT_VARIABLE failed TIMEOUT 60)
if(failed)
  add_test("${prefix}.cannot_start" "${executable}" --gtest_list_tests)
  return()
endif()

# Skipped where a test was and none failed.
set(skipped "listed below:\n(\\[  SKIPPED \\] [^\n]*\n)+\n*$")
function(add_filtered name filter)
  add_test("${name}" "${executable}" "--gtest_filter=${filter}" --gtest_color=no)
  set_tests_properties("${name}" PROPERTIES WORKING_DIRECTORY "${folder}" TIMEOUT 600 COST 5
    SKIP_REGULAR_EXPRESSION "${skipped}")
endfunction()

string(REPLACE "\n" ";" lines "${listing}")
foreach(line IN LISTS lines)
  if(line MATCHES "^([A-Za-z_][A-Za-z0-9_/]*)\\.")
    set(suite "${CMAKE_MATCH_1}")
    if(NOT alone OR NOT suite MATCHES "${alone}")
      add_filtered("${prefix}.${suite}" "${suite}.*")
    endif()
  elseif(alone AND suite MATCHES "${alone}" AND line MATCHES "^  ([A-Za-z0-9_/]+)")
    add_filtered("${prefix}.${suite}.${CMAKE_MATCH_1}" "${suite}.${CMAKE_MATCH_1}")
  endif()
endforeach()
