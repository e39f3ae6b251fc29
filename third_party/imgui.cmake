# Dear ImGui (docking) and what is drawn with it → targets `imgui`, `implot`, `imgui_color_text_edit`,
# `md4c`, `imgui_test_engine`.
#
# The sources come from the archive pinned in requirements.txt. To use your own checkouts, set
# LANESCOPE_IMGUI_BUNDLE_DIR, or the folder of one part.
set(LANESCOPE_IMGUI_BUNDLE_DIR "${CMAKE_CURRENT_SOURCE_DIR}/.cache/imgui_bundle-1.92.900" CACHE PATH
  "Sources of imgui-bundle 1.92.900")
if(NOT EXISTS "${LANESCOPE_IMGUI_BUNDLE_DIR}/external")
  execute_process(COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/fetch.sh" COMMAND_ERROR_IS_FATAL ANY)
endif()
set(external "${LANESCOPE_IMGUI_BUNDLE_DIR}/external")
set(LANESCOPE_IMGUI_DIR "${external}/imgui/imgui" CACHE PATH "Dear ImGui, docking branch")
set(LANESCOPE_IMPLOT_DIR "${external}/implot/implot" CACHE PATH "ImPlot")
set(LANESCOPE_TEXT_EDIT_DIR "${external}/ImGuiColorTextEdit/ImGuiColorTextEdit" CACHE PATH
  "ImGuiColorTextEdit")
set(LANESCOPE_MD4C_DIR "${external}/imgui_md/md4c/src" CACHE PATH "md4c")
set(LANESCOPE_IMGUI_TEST_ENGINE_DIR "${external}/imgui_test_engine/imgui_test_engine/imgui_test_engine"
  CACHE PATH "ImGui test engine")

# A static library of somebody else's sources: always optimised, neither warned about nor sanitized.
function(lanescope_third_party target include_dir)
  add_library(${target} STATIC ${ARGN})
  target_include_directories(${target} SYSTEM PUBLIC "${include_dir}")
  target_compile_options(${target} PRIVATE -w -O2 -fno-sanitize=all)
endfunction()

# --- imgui, with its GLFW and OpenGL 3 back-ends -------------------------------------------------
find_package(glfw3 3.3 REQUIRED)
file(GLOB imgui_sources "${LANESCOPE_IMGUI_DIR}/imgui*.cpp")
set(backend_dir "${LANESCOPE_IMGUI_DIR}/backends")
lanescope_third_party(imgui "${LANESCOPE_IMGUI_DIR}"
  ${imgui_sources}
  "${LANESCOPE_IMGUI_DIR}/misc/cpp/imgui_stdlib.cpp"
  "${backend_dir}/imgui_impl_glfw.cpp"
  "${backend_dir}/imgui_impl_opengl3.cpp"
  "${CMAKE_CURRENT_SOURCE_DIR}/imgui_test_hooks.cpp")
target_include_directories(imgui SYSTEM PUBLIC "${backend_dir}" "${LANESCOPE_IMGUI_DIR}/misc/cpp")
# One OpenGL loader in the program: the back-end uses glad too, instead of opening libGL itself.
set_source_files_properties("${backend_dir}/imgui_impl_opengl3.cpp" PROPERTIES
  COMPILE_OPTIONS "-DIMGUI_IMPL_OPENGL_LOADER_CUSTOM;-include;glad/gl.h")
# The test engine's hooks are in every build, so that there is one imgui; see imgui_test_hooks.cpp.
target_compile_definitions(imgui PUBLIC
  IMGUI_ENABLE_TEST_ENGINE IMGUI_TEST_ENGINE_ENABLE_COROUTINE_STDTHREAD_IMPL=1)
target_link_libraries(imgui PUBLIC glad PRIVATE glfw)

# --- what is drawn with it -----------------------------------------------------------------------
lanescope_third_party(implot "${LANESCOPE_IMPLOT_DIR}"
  "${LANESCOPE_IMPLOT_DIR}/implot.cpp" "${LANESCOPE_IMPLOT_DIR}/implot_items.cpp")
# Two number types instead of ten: a fifth of the compile time; and half of what is left at -O1.
target_compile_definitions(implot PRIVATE "IMPLOT_CUSTOM_NUMERIC_TYPES=(float)(double)")
target_compile_options(implot PRIVATE -O1)
target_link_libraries(implot PUBLIC imgui)

lanescope_third_party(imgui_color_text_edit "${LANESCOPE_TEXT_EDIT_DIR}"
  "${LANESCOPE_TEXT_EDIT_DIR}/TextEditor.cpp")
target_link_libraries(imgui_color_text_edit PUBLIC imgui)

lanescope_third_party(md4c "${LANESCOPE_MD4C_DIR}" "${LANESCOPE_MD4C_DIR}/md4c.c")

# --- test engine: only tests link it -------------------------------------------------------------
file(GLOB test_engine_sources "${LANESCOPE_IMGUI_TEST_ENGINE_DIR}/*.cpp")
lanescope_third_party(imgui_test_engine "${LANESCOPE_IMGUI_TEST_ENGINE_DIR}" ${test_engine_sources})
target_link_libraries(imgui_test_engine PUBLIC imgui implot Threads::Threads)
set_target_properties(imgui_test_engine PROPERTIES EXCLUDE_FROM_ALL TRUE)
