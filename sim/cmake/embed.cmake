# cmake -D OUTPUT=x.cpp -D FILES=a;b -P embed.cmake: writes FILES into x.cpp as string literals.
set(text "#include \"frontend/headers/embedded.h\"\n\nnamespace lanescope {\n\n")
set(table "")
set(count 0)
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME)
  file(READ "${file}" content)
  string(APPEND text "static const char kFile${count}[] = R\"lanescope(${content})lanescope\";\n\n")
  string(APPEND table "    {\"${name}\", kFile${count}, sizeof(kFile${count}) - 1},\n")
  math(EXPR count "${count} + 1")
endforeach()
string(APPEND text
  "const EmbeddedFile kPreludeFiles[] = {\n${table}    {nullptr, nullptr, 0},\n};\n"
  "const std::size_t kPreludeFileCount = ${count};\n\n}  // namespace lanescope\n")
file(WRITE "${OUTPUT}" "${text}")
