# Several sources of a folder as one: most of what a file costs is making the same code of the standard
# library's, fmt's and JSON's templates again. A first build takes about half as long; who edits one file
# compiles its neighbours too, which -DLANESCOPE_UNITY=OFF avoids (preset "dev"). Every file still includes
# what it uses, and the names in a folder's unnamed namespaces differ.
option(LANESCOPE_UNITY "Compile several sources of a folder at once" ON)

set(unity_most 8)  # sources at once: two cores have enough to share
set(unity_most_tests 28)  # what tests include is most of what they cost

# lanescope_unite(TARGET [TOGETHER] [EXCEPT REGEX]): all of TARGET's sources but those whose paths match;
# TOGETHER: of several folders too.
function(lanescope_unite target)
  cmake_parse_arguments(arg "TOGETHER" "EXCEPT" "" ${ARGN})
  if(NOT LANESCOPE_UNITY OR NOT TARGET ${target})
    return()
  endif()
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    return()
  endif()
  set(most ${unity_most})
  if(target MATCHES "_tests$")
    set(most ${unity_most_tests})
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "\\.cpp$")
      continue()
    endif()
    if(arg_EXCEPT AND source MATCHES "${arg_EXCEPT}")
      set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      continue()
    endif()
    file(RELATIVE_PATH folder "${CMAKE_CURRENT_SOURCE_DIR}" "${source}")
    get_filename_component(folder "${folder}" DIRECTORY)
    if(arg_TOGETHER)
      set(folder ${target})
    endif()
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    if(NOT DEFINED count_${folder})
      set(count_${folder} 0)
    endif()
    math(EXPR group "${count_${folder}} / ${most}")
    math(EXPR count_${folder} "${count_${folder}} + 1")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${folder}_${group}")
  endforeach()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # A source that another includes looks like a header to GCC, whose classes others may share.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
