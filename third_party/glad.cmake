# OpenGL 3.3 core function loader, generated at build time → target `glad`.
# Addresses come from GLFW or EGL (gladLoadGL(getter)), so nothing links against libGL.
find_program(GLAD_EXECUTABLE glad HINTS /usr/bin REQUIRED)
set(glad_dir "${CMAKE_CURRENT_BINARY_DIR}/glad")
add_custom_command(
  OUTPUT "${glad_dir}/src/gl.c" "${glad_dir}/include/glad/gl.h"
  COMMAND "${GLAD_EXECUTABLE}" --quiet --reproducible --api gl:core=3.3 --extensions ""
          --out-path "${glad_dir}" c
  COMMENT "Generating the OpenGL loader" VERBATIM)
add_library(glad STATIC "${glad_dir}/src/gl.c" "${glad_dir}/include/glad/gl.h")
target_include_directories(glad SYSTEM PUBLIC "${glad_dir}/include")
